/* The page after "Publish" (docs/console.md §5.2): the article's address, where it is, and what comes
 * next; after "Unpublish" what readers see; and the ways back from both. */
#include "editor-screen.h"

#include <stdlib.h>
#include <string.h>

#include "../all.h"
#include "action/article/article-search.h"
#include "action/article/publish-actions.h"
#include "action/article/publish-check.h"
#include "action/site-actions.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "console/page.h"
#include "screen/tr.h"
#include "store/db.h"

struct published {
	struct ready ready;
	struct console_public at;
	struct sites sites;
	struct browsing drafts; /* the newest one, and how many there are */
	bool fresh; /* it was published just now, for the first time */
};

/* ---- the form that takes back, and after "Unpublish" what is above the editor */

static const struct field undo_fields[] = {
	{ .name = "edition", .kind = FIELD_HIDDEN },
	{ .name = "undo", .label = tr_mark("Undo"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

/* Writes the form that takes the last act on the present edition back: "undo" or "again". */
static void
write_way_back(struct hwrite *w, struct ctx *c, const struct visit *v, const struct article *a,
    const char *way)
{
	struct form f;

	form_init(&f, "undo", undo_fields);
	form_fill(&f, "edition",
	    arena_printf(c->arena, "%lld %lld", (long long)a->version, (long long)a->changed_at));
	console_form_begin(
	    c, v, w, &f, arena_printf(c->arena, "%s/publish/%s", editor_address(c, v, v->id), way));
	form_write_field(w, &f, "edition");
	form_write_field(w, &f, "undo");
	form_write_end(w);
}

bool
unpublished_is(struct ctx *c, const struct visit *v, const struct article *a)
{
	const char *notice = console_query(c, v, "notice");

	return notice != NULL && strcmp(notice, "unpublished") == 0 && a->status == ARTICLE_DRAFT &&
	       a->version > 0;
}

void
unpublished_write(struct hwrite *w, struct ctx *c, const struct visit *v, const struct article *a)
{
	@ <p>Readers cannot open it any more: its page says that it is gone, and websites take it
	@ away when they ask next. It is a draft, and nothing of the text is lost.</p>
	if (!console_may(v, RIGHT_PUBLISH) || console_rests(v))
		return;
	@ <p>“Undo” shows readers the same edition again.</p>
	write_way_back(w, c, v, a, "again");
}

/* ---- what the page shows */

static struct err *
load_published(struct page *page)
{
	struct published *p = page->data;
	struct ctx *c = page->c;
	struct visit *v = page->v;
	struct err *err = ready_look(c, v->workspace, v->id, &p->ready);

	if (err != NULL)
		return err;
	if (!console_public(c, v, v->id, &p->at)) {
		console_go(c, v, page->reply, editor_address(c, v, v->id), NULL);
		page->answered = true;
		return NULL;
	}
	/* Who reads with which key is told to those who may see Sites. */
	if (console_may(v, RIGHT_PUBLISH) || console_may(v, RIGHT_MANAGE))
		sites_read(c, v->workspace->uuid, false, &p->sites);
	p->drafts = (struct browsing) {
		.workspace_id = v->workspace->id, .status = BROWSING_DRAFT, .limit = 1
	};
	browsing_read(c, &p->drafts);
	db_begin_read(c, DB_CONTENT);
	p->fresh = state_is_fresh(c, p->ready.article);
	db_rollback(c);
	return NULL;
}

/* Writes the address with what is done with it. The mail has no recipient. */
static void
write_address(struct hwrite *w, const struct published *p, const char *address)
{
	const char *title = p->ready.article->title;
	struct buf mail;

	buf_init(&mail, w->out->arena, (size_t)64 * 1024);
	buf_add_text(&mail, "mailto:");
	screen_address_add(&mail, "subject", title);
	screen_address_add(&mail, "body", address);
	@ <p>Readers can open it now.
	if (p->at.website != NULL)
		@ {=" "}Your website copies it when it asks next.
	@ </p>
	@ <label for="address">Address</label>
	@ <div class="copy"><input id="address" type="text" dir="ltr" readonly value={address}>
	screen_copy_button(w, tr("the address"));
	@ <a class="button primary" href={address}>Open it
	@ {!screen_icon(w, ICON_OPEN)}</a></div>
	@ <div class="bar-of"><a class="button slim" href={buf_done(&mail)}>Mail it</a>
	@ <button class="button slim" type="button" hidden data-share={address}>Share</button></div>
}

/* Where neither pages nor a website are, says so with the way to turn on what is missing. */
static void
write_nowhere(struct hwrite *w, const struct page *p)
{
	const struct visit *v = p->v;
	bool manages = console_may(v, RIGHT_MANAGE);

	if (console_rests(v))
		@ <p>Its pages rest while the account is suspended.</p>
	else if (!v->account->verified)
		@ <p>It has no address yet where readers open it: no website is set, and only a
		@ verified account has pages.</p>
	else if (manages)
		@ <p>It has no address yet where readers open it: the pages are off, and no website
		@ is set.</p>
	else
		@ <p>It has no address yet where readers open it: the pages are off, and no website
		@ is set. Ask somebody who manages this workspace to turn on the pages.</p>
	if (manages && v->account->verified && !console_rests(v))
		@ <p><a class="button primary" href="/W/settings#settings-pages">Turn on the
		@ pages</a></p>
	else if (manages && !console_rests(v))
		@ <p><a class="button primary" href="/W/settings#settings-website">Settings</a></p>
	verification_write(w, p->c, v);
}

/* A first publication is taken back. Later ones are not: readers would lose what they had. */
static void
write_undo(struct hwrite *w, const struct page *p)
{
	const struct published *d = p->data;

	if (!console_may(p->v, RIGHT_PUBLISH) || console_rests(p->v))
		return;
	@ <hr><div class="bar-of"><p class="soft small">
	if (d->ready.article->version > 1)
		@ Readers had an older edition before. It can be brought back.
		@ <a href="/W/articles/ID/history">History</a>
	else if (!d->fresh)
		@ Something wrong? <a href="/W/articles/ID">Open the article</a>
	else
		@ Something wrong? It becomes a draft again, with nothing lost.
	@ </p>
	if (d->fresh)
		write_way_back(w, p->c, p->v, d->ready.article, "undo");
	@ </div>
}

static void
write_where(struct hwrite *w, const struct page *p)
{
	const struct published *d = p->data;
	const char *frames = p->v->workspace->embed_origins;

	@ <section class="box"><header><h2>Where it is</h2></header><ul class="rows">
	if (d->at.page != NULL)
		@ <li><span class="dot good"></span><span class="what">
		@ <a href={d->at.page}>Your pages</a><small>Live</small></span></li>
	else
		@ <li><span class="dot"></span><span class="what">Your pages<small>Off</small></span></li>
	if (d->at.website != NULL)
		@ <li><span class="dot"></span><span class="what">
		@ <a href={d->at.website}>Your website</a>
		@ <small>Once the website has fetched it</small></span></li>
	for (size_t i = 0; i < d->sites.count; i++) {
		const struct site *s = &d->sites.sites[i];
		@ <li><span class="dot {=s->stale ? "bad" : s->reader.read_at != 0 ? "good" : ""}"></span>
		@ <span class="what">
		@ {s->key->label[0] != '\0' ? s->key->label : s->key->display}
		@ <small>{!sites_write_state(w, s)}</small></span></li>
	}
	if (d->at.page != NULL)
		@ <li><span class="dot good"></span><span class="what">
		@ <a href={arena_printf(p->c->arena, "%sfeed.atom", d->at.home)}>Feed</a>
		@ <small>The newest come first</small></span></li>
	if (d->at.page != NULL && frames[0] != '\0')
		@ <li><span class="dot good"></span><span class="what">In frames<small>{frames}</small>
		@ </span></li>
	@ </ul>
	if (d->at.page == NULL && d->at.website != NULL)
		verification_write(w, p->c, p->v);
	@ </section>
}

static void
write_next(struct hwrite *w, const struct page *p)
{
	const struct published *d = p->data;
	const struct browsing *drafts = &d->drafts;
	bool writes = console_may(p->v, RIGHT_WRITE);

	@ <section class="box"><header><h2>What next</h2></header><ul class="rows">
	if (writes)
		@ <li><span class="what"><a href="/W/articles/new">Write the next article</a></span></li>
	if (writes && drafts->count > 0) {
		const struct browsing_one *draft = &drafts->found[0];
		@ <li>{!articles_write_cover(w, p, draft->article.title, draft->shown.cover)}
		@ <span class="what"><a href="/W/articles/{draft->article.uuid}">Go on with a draft</a>
		@ <small>{draft->article.title}</small></span></li>
	}
	@ <li><span class="what"><a href="/W/statistics/articles/ID">See how it is read</a>
	@ <small>The first numbers come within minutes</small></span></li>
	if (writes && d->ready.failing_count > 0)
		@ <li><span class="what"><a href="/W/articles/ID?check=1">
		@ {#d->ready.failing_count: Fix %d check|Fix %d checks}</a>
		@ <small>Readers and search engines find it easier with them</small></span></li>
	if (d->sites.count > 0)
		@ <li><span class="what"><a href="/W/sites">See which websites have it</a></span></li>
	@ </ul></section>
}

static void
write_published(struct hwrite *w, struct page *p)
{
	const struct published *d = p->data;
	const char *address = d->at.page != NULL ? d->at.page : d->at.website;

	@ <div class="split"><section class="box">
	@ <header><span class="big">{!screen_icon(w, ICON_DONE)}</span>
	@ <h2>{d->ready.article->title}</h2>
	articles_write_cover(w, p, d->ready.article->title, d->at.cover);
	@ </header>
	if (address != NULL)
		write_address(w, d, address);
	else
		write_nowhere(w, p);
	write_undo(w, p);
	@ </section><div class="stack">
	write_where(w, p);
	write_next(w, p);
	@ </div></div>
}

static const struct page_kind published_kind = { sizeof(struct published), load_published,
	write_published };

/* ---- taking back */

/* Reads which edition was seen, and when it came to readers. */
static struct state
seen_edition(const struct page *page)
{
	struct state s = { .id = page->v->id };
	const char *text = form_text(page->form, "edition");
	char *end;

	if (text != NULL) {
		s.version = strtoll(text, &end, 10);
		s.changed_at = strtoll(end, NULL, 10);
	}
	return s;
}

static struct err *
check_edition(struct page *page)
{
	struct article *a;
	struct err *err = console_article(page->c, page->v, &a);

	if (err == NULL && page->form->error == NULL && seen_edition(page).version < 1)
		err = refuse(page->c, ERR_INVALID,
		    tr_mark(
			"Nothing says which edition is meant. Open the article, and publish or unpublish it there."));
	return err;
}

/* They take the last act on the edition that was seen back. */
static struct err *
undo(struct page *page)
{
	struct state s = seen_edition(page);

	return state_undo(page->c, &s);
}

static struct err *
publish_again(struct page *page)
{
	struct state s = seen_edition(page);

	return state_publish_again(page->c, &s);
}

static const struct page_act undo_it = { .name = "undo",
	.fields = undo_fields,
	.check = check_edition,
	.act = undo,
	.go = "/W/articles/ID",
	.notice = "unpublished",
	.journal = "article unpublish ID" };

static const struct page_act again_it = { .name = "undo",
	.fields = undo_fields,
	.check = check_edition,
	.act = publish_again,
	.go = "/W/articles/ID/published",
	.journal = "article publish ID" };

#define UNDO .need = RIGHT_PUBLISH, .title = tr_mark("Undo")

SCREEN(published) = {
	{ "GET", "/W/articles/ID/published", .title = tr_mark("Published"),
	    .page = &published_kind },
	{ "POST", "/W/articles/ID/publish/undo", UNDO, .act = &undo_it },
	{ "POST", "/W/articles/ID/publish/again", UNDO, .act = &again_it },
	{ .method = NULL },
};
