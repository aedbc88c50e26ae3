/* After "Publish": where the article is now, a way back, and what comes next; after "Unpublish":
 * what readers see, and a way back (docs/console.md §5.2). */
#include <stdlib.h>
#include <string.h>

#include "../account/verification.h"
#include "../all.h"
#include "../editor.h"
#include "action/article/publish-actions.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "console/answer.h"
#include "publish.h"
#include "screen/tr.h"
#include "store/db.h"

static const struct field undo_fields[] = {
	{ .name = "edition", .kind = FIELD_HIDDEN },
	{ .name = "undo", .label = tr_mark("Undo"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

struct published {
	struct ctx *c;
	const struct visit *v;
	const struct article *article;
	bool gone; /* it was unpublished; what follows is not read then */
	struct console_public at;
	struct sites sites;
};

const struct published *
published_look(struct ctx *c, const struct visit *v, const struct article *a)
{
	const char *notice = console_query(c, v, "notice");
	struct published *p = arena_alloc(c->arena, sizeof(*p));

	*p = (struct published) { .c = c, .v = v, .article = a };
	p->gone = notice != NULL && strcmp(notice, "unpublished") == 0 &&
		  a->status == ARTICLE_DRAFT && a->version > 0;
	if (p->gone)
		return p;
	if (notice == NULL || strcmp(notice, "published") != 0 || a->status != ARTICLE_PUBLISHED)
		return NULL;
	if (!console_public(c, v, a->uuid, &p->at))
		return NULL;
	sites_read(c, v->workspace->uuid, false, &p->sites);
	return p;
}

static void
write_place(struct hwrite *w, const char *sentence, const char *address)
{
	if (address == NULL)
		return;
	hwrite_element(w, H_P, sentence);
	screen_copy(w, tr("the address"), address);
}

/* What is public; where nothing is, an owner can ask for what is missing. */
static void
write_places(struct hwrite *w, const struct published *p)
{
	const char *frames = p->v->workspace->embed_origins;

	hwrite_element(w, H_H2, tr("Where it is"));
	write_place(w, tr("Its page:"), p->at.page);
	write_place(w, tr("On your website, once the website has fetched it:"), p->at.website);
	if (p->at.page != NULL)
		write_place(w, tr("The feed of your pages, where it is the newest:"),
		    arena_printf(p->c->arena, "%sfeed.atom", p->at.home));
	if (p->at.page != NULL && frames[0] != '\0') {
		hwrite_open(w, H_P);
		screen_sentence(w, tr("In the frames of these websites: %s"), frames);
		hwrite_close(w, H_P);
	}
	if (p->sites.count > 0)
		publish_write_sites(w, &p->sites);
	else
		hwrite_element(w, H_P, tr("No website reads this workspace by the API yet."));
	if (p->at.page == NULL)
		verification_write(w, p->c, p->v);
}

/* A first publication is taken back. Later ones are not: readers would lose what they had. */
static void
write_undo(struct hwrite *w, const struct published *p)
{
	const char *path = editor_address(p->c, p->v, p->v->id);
	struct form f;

	if (!console_may(p->v, RIGHT_PUBLISH))
		return;
	if (p->article->version > 1) {
		screen_notice_link(w, SCREEN_NOTE,
		    tr("Readers had an older edition before. It can be brought back."),
		    console_path(p->c, p->v, "%s/history", path), tr("History"));
		return;
	}
	hwrite_element(
	    w, H_P, tr("Something wrong? “Undo” makes it a draft again, and nothing is lost."));
	form_init(&f, "undo", undo_fields);
	form_fill(&f, "edition", arena_printf(p->c->arena, "%lld", (long long)p->article->version));
	console_form(p->c, p->v, w, &f, arena_printf(p->c->arena, "%s/publish/undo", path));
}

/* The list says the same before it unpublishes. */
static void
write_gone(struct hwrite *w, const struct published *p)
{
	const char *path = editor_address(p->c, p->v, p->v->id);
	struct form f;

	hwrite_element(w, H_P,
	    tr("Readers cannot open it any more: its page says that it is gone, and websites take it away when they ask next. It is a draft, and nothing of the text is lost."));
	if (!console_may(p->v, RIGHT_PUBLISH) || console_rests(p->v))
		return;
	hwrite_element(w, H_P, tr("“Undo” shows readers the same edition again."));
	form_init(&f, "undo", undo_fields);
	form_fill(&f, "edition", arena_printf(p->c->arena, "%lld", (long long)p->article->version));
	console_form(p->c, p->v, w, &f, arena_printf(p->c->arena, "%s/publish/again", path));
}

static void
write_way(struct hwrite *w, const char *address, const char *label)
{
	hwrite_open(w, H_LI);
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, address);
	hwrite_text(w, label);
	hwrite_close(w, H_A);
	hwrite_close(w, H_LI);
}

void
published_write(struct hwrite *w, const struct published *p)
{
	const char *workspace = p->v->workspace->uuid;

	if (p->gone) {
		write_gone(w, p);
		return;
	}
	write_undo(w, p);
	write_places(w, p);
	hwrite_element(w, H_H2, tr("What next"));
	hwrite_open(w, H_UL);
	hwrite_attr(w, A_CLASS, "ways");
	if (console_may(p->v, RIGHT_WRITE))
		write_way(w, console_path(p->c, p->v, "/%s/articles/new", workspace),
		    tr("Write the next article"));
	write_way(w, console_path(p->c, p->v, "/%s/statistics/articles/%s", workspace, p->v->id),
	    tr("See how it is read"));
	if (console_may(p->v, RIGHT_PUBLISH) || console_may(p->v, RIGHT_MANAGE))
		write_way(w, console_path(p->c, p->v, "/%s/sites", workspace),
		    tr("See which websites have it"));
	hwrite_close(w, H_UL);
	hwrite_element(w, H_H2, tr("The article"));
}

/* Takes the last act on the edition that was seen back. */
static struct err *
take_back(struct ctx *c, struct visit *v, struct reply *reply, const char *notice,
    struct err *(*run)(struct ctx *c, struct state *s))
{
	const char *path = editor_address(c, v, v->id), *edition;
	struct state s = { .id = v->id };
	struct article *a;
	struct form f;
	struct err *err = console_article(c, v, &a);

	if (err != NULL)
		return err;
	form_init(&f, "undo", undo_fields);
	if (!console_read(c, v, &f) && f.error != NULL)
		return refuse(c, ERR_CONFLICT, "%s", f.error);
	edition = form_text(&f, "edition");
	s.version = edition != NULL ? strtoll(edition, NULL, 10) : 0;
	if (s.version < 1)
		return refuse(c, ERR_INVALID,
		    tr_mark(
			"Nothing says which edition is meant. Open the article, and publish or unpublish it there."));
	console_will_go(v, arena_printf(c->arena, "%s?notice=%s", path, notice));
	err = run(c, &s);
	if (err != NULL)
		return err;
	console_journal(
	    c, v, run == state_unpublish ? "article unpublish %s" : "article publish %s", v->id);
	console_go(c, v, reply, path, notice);
	return NULL;
}

static struct err *
undo(struct ctx *c, struct visit *v, struct reply *reply)
{
	return take_back(c, v, reply, "unpublished", state_unpublish);
}

static struct err *
again(struct ctx *c, struct visit *v, struct reply *reply)
{
	return take_back(c, v, reply, "published", state_publish_again);
}

/* Leads to where readers open the article; where that is nowhere, its page says what is missing. */
static struct err *
open_public(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct console_public at;
	const char *path = editor_address(c, v, v->id);
	struct article *a;
	struct err *err = console_article(c, v, &a);

	if (err != NULL)
		return err;
	if (!console_public(c, v, v->id, &at))
		console_go(c, v, reply, path, NULL);
	else if (at.page != NULL || at.website != NULL)
		head_go(reply, 303, at.page != NULL ? at.page : at.website);
	else
		console_go(c, v, reply, path, "published");
	return NULL;
}

const struct console_row published_screens[] = {
	{ .method = "GET",
	    .pattern = "/W/articles/ID/public",
	    .title = tr_mark("Open it"),
	    .handler = open_public },
	{ .method = "POST",
	    .pattern = "/W/articles/ID/publish/undo",
	    .need = RIGHT_PUBLISH,
	    .title = tr_mark("Undo"),
	    .handler = undo },
	{ .method = "POST",
	    .pattern = "/W/articles/ID/publish/again",
	    .need = RIGHT_PUBLISH,
	    .title = tr_mark("Undo"),
	    .handler = again },
	{ .method = NULL },
};
