/* An article as its readers will see it (docs/console.md §4.5): the working copy or the edition,
 * in a frame of 360 or 1280 px, light or dark; and the links by which a stranger reads a working
 * copy: "Share this preview", the list of those that are open, "Revoke". */
#include <string.h>

#include "../all.h"
#include "action/article/article-actions.h"
#include "action/article/preview-links.h"
#include "article/article.h"
#include "article/desk.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "console/page.h"
#include "editor-screen.h"
#include "export/facts.h"
#include "import/losses.h"
#include "screen/assets.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"

/* What the page shows. */
struct preview {
	struct look look;
	bool is_published;
	const char *text; /* of the working copy, as its author sees it, and what it loses */
	struct losses losses;
	const char *of, *width, *scheme; /* as they were chosen */
	struct share *shares; /* open links: of the article, or */
	bool share_full; /* of the workspace, which has no room for another one */
	size_t share_count;
	const char **makers; /* who made each */
	const struct form *share_form; /* one that was refused, or NULL */
};

/* ---- links for strangers */

static const struct field order_fields[] = {
	{ .name = "days",
	    .label = tr_mark("Open for how many days"),
	    .kind = FIELD_NUMBER,
	    .least = 1,
	    .most = SHARE_DAYS_MAX,
	    .required = true,
	    .inputmode = "numeric",
	    .hint = tr_mark(
		"1 to 30. Anybody who has the link can read the working copy of this article as it is then, and nothing else.") },
	{ .name = "share", .label = tr_mark("Share this preview"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

static const struct field revoke_fields[] = {
	{ .name = "revoke", .label = tr_mark("Revoke"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

/* Who may write or publish here may share, and end what anybody shared. */
static bool
may_share(const struct visit *v)
{
	return console_may(v, RIGHT_WRITE) || console_may(v, RIGHT_PUBLISH);
}

static struct err *
need(struct ctx *c, struct visit *v)
{
	return console_need(c, v, console_may(v, RIGHT_WRITE) ? RIGHT_WRITE : RIGHT_PUBLISH);
}

/* ---- links for strangers: the list */

static void
keep(void *arg, const struct share *s)
{
	struct preview *p = arg;

	if (p->share_count < SHARE_MAX)
		p->shares[p->share_count++] = *s;
}

static const char *
name_of(struct ctx *c, const struct share *s)
{
	const struct person *p;

	if (s->person == NULL)
		return tr("the operator");
	p = person_find(c, s->person);
	return p != NULL ? p->name : tr("somebody who was removed");
}

/* Reads the open links, for who may end them. */
static struct err *
share_read(struct ctx *c, const struct visit *v, struct preview *p)
{
	const struct find_place place = { .name = v->workspace->uuid };

	if (!may_share(v))
		return NULL;
	p->shares = arena_array(c->arena, SHARE_MAX, sizeof(*p->shares));
	p->makers = arena_array(c->arena, SHARE_MAX, sizeof(*p->makers));
	p->share_count = 0;
	TRY(p->share_full ? sharing_list(c, &place, keep, p)
			  : sharing_list_article(c, v->id, keep, p));
	db_begin_read(c, DB_CONSOLE);
	for (size_t i = 0; i < p->share_count; i++)
		p->makers[i] = name_of(c, &p->shares[i]);
	db_rollback(c);
	return NULL;
}

static void
write_list(struct hwrite *w, const struct page *p, const struct preview *d)
{
	@ <list caption="Open links"
	@     columns="Shared by|Article?{d->share_full}|On|Until|Actions">
	for (size_t i = 0; i < d->share_count; i++) {
		const struct share *s = &d->shares[i];
		struct form f;
		@ <row><cell>{d->makers[i]}</cell>
		if (d->share_full)
			@ <cell>{s->title}</cell>
		@ <cell>{!say_time(w, s->created_at)}</cell>
		@ <cell>{!say_time(w, s->expires_at)}</cell><cell>
		form_init(&f, arena_printf(p->c->arena, "revoke-%zu", i), revoke_fields);
		console_form(p->c, p->v, w, &f,
		    arena_printf(
			p->c->arena, "/%s/shares/%s/revoke", p->v->workspace->uuid, s->uuid));
		@ </cell></row>
	}
	@ </list>
}

/* Writes them, and the form for another one. */
static void
share_write(struct hwrite *w, const struct page *p, const struct preview *d)
{
	struct form fresh;
	const struct form *f = d->share_form;
	bool in_trash = d->look.article->status == ARTICLE_DELETED;

	if (!may_share(p->v) || (in_trash && d->share_count == 0))
		return;
	@ <h2>{=d->share_full ? tr("All open links of this workspace")
	@     : tr("Links for people without an account")}</h2>
	if (d->share_count > 0)
		write_list(w, p, d);
	if (in_trash)
		return;
	if (f == NULL) {
		form_init(&fresh, "share", order_fields);
		form_fill(&fresh, "days", arena_printf(p->c->arena, "%d", SHARE_DAYS));
		f = &fresh;
	}
	console_form(p->c, p->v, w, f,
	    arena_printf(p->c->arena, "%s/preview", editor_address(p->c, p->v, p->v->id)));
}

/* ---- the page */

static const struct field_choice both[] = {
	{ "copy", tr_mark("The working copy") },
	{ "edition", tr_mark("What is published") },
	{ NULL, NULL },
};

static const struct field_choice copy_alone[] = {
	{ "copy", tr_mark("The working copy") },
	{ NULL, NULL },
};

static const struct field_choice widths[] = {
	{ "360", tr_mark("A phone, 360 px") },
	{ "1280", tr_mark("A desk, 1280 px") },
	{ NULL, NULL },
};

static const struct field_choice schemes[] = {
	{ "light", tr_mark("Light") },
	{ "dark", tr_mark("Dark") },
	{ NULL, NULL },
};

/* Returns the value of a parameter if it is one of the choices, else the first of them. */
static const char *
chosen(struct ctx *c, const struct visit *v, const char *name, const struct field_choice *choices)
{
	const char *value = console_query(c, v, name);

	for (size_t i = 0; value != NULL && choices[i].value != NULL; i++) {
		if (strcmp(choices[i].value, value) == 0)
			return choices[i].value;
	}
	return choices[0].value;
}

static void
write_choices(struct hwrite *w, const struct page *p, const struct preview *d)
{
	const struct field fields[] = {
		{ .name = "of",
		    .label = tr_mark("Show"),
		    .kind = FIELD_SELECT,
		    .required = true,
		    .choices = d->is_published ? both : copy_alone },
		{ .name = "width",
		    .label = tr_mark("Width"),
		    .kind = FIELD_SELECT,
		    .required = true,
		    .choices = widths },
		{ .name = "colours",
		    .label = tr_mark("Colours"),
		    .kind = FIELD_SELECT,
		    .required = true,
		    .choices = schemes },
		{ .name = "look", .label = tr_mark("Look"), .kind = FIELD_SUBMIT },
		{ .name = NULL },
	};
	struct form f;

	form_init(&f, "view", fields);
	form_fill(&f, "of", d->of);
	form_fill(&f, "width", d->width);
	form_fill(&f, "colours", d->scheme);
	form_write(w, &f,
	    &(struct form_head) {
		.search = true, .action = page_path(p, "/W/articles/ID/preview") });
}

/* The frame of a desk keeps its width on a narrower screen, and its box scrolls: who has only a
 * keyboard scrolls the box, which takes the focus. That of a phone is as wide as its box there. */
static void
write_frame(struct hwrite *w, const struct page *p, const struct preview *d)
{
	const char *document = page_path(p, "/W/articles/ID/preview/%s", d->of);

	@ <div class="framed" role="region" aria-label="The article as readers see it" tabindex="0">
	@ <iframe class={strcmp(d->width, "360") == 0 ? "phone" : "desk"}
	@     title={d->look.source->snapshot->title}
	@     src={arena_printf(p->c->arena, "%s?colours=%s", document, d->scheme)}></iframe></div>
	/* A browser prints of a frame what is in its box. */
	@ <p><a href={document}>Open it alone, to print it</a></p>
}

/* What search engines and links on other sites show of it. */
static void
write_facts(struct hwrite *w, struct ctx *c, const struct preview *d)
{
	struct facts f;

	facts_init(&f, c, d->look.source);
	@ <h2>In search engines and links</h2><dl>
	screen_fact(w, tr("Title"), f.title);
	screen_fact(w, tr("Address"),
	    f.canonical != NULL ? f.canonical
				: tr("None: Settings has no website, or no pattern of addresses."));
	screen_fact(w, tr("Description"),
	    f.description[0] != '\0' ? f.description
				     : tr("None: the text begins without a paragraph."));
	screen_fact(w, tr("Picture"), f.image.url != NULL ? f.image.url : tr("None."));
	if (strstr(f.robots, "noindex") != NULL)
		screen_fact(w, tr("Search engines"), tr("They are told not to list it."));
	@ </dl>
}

static void
write_preview(struct hwrite *w, const void *data)
{
	const struct page *p = data;
	const struct preview *d = p->data;

	@ <p><a href="/W/articles/ID">{d->look.article->title}</a></p>
	editor_write_losses(w, &(struct editor_losses) {
				   .c = p->c, .v = p->v, .text = d->text, .losses = &d->losses });
	write_choices(w, p, d);
	write_frame(w, p, d);
	share_write(w, p, d);
	write_facts(w, p->c, d);
}

/* Reads the article of the path, and what the query asks for. */
static struct err *
preview_read(struct ctx *c, const struct visit *v, struct preview *p)
{
	const struct article *written;
	struct write_view view;
	struct article *a;

	TRY(console_article(c, v, &a));
	*p = (struct preview) { .is_published = a->status == ARTICLE_PUBLISHED };
	p->of = chosen(c, v, "of", p->is_published ? both : copy_alone);
	p->width = chosen(c, v, "width", widths);
	p->scheme = chosen(c, v, "colours", schemes);
	if (strcmp(p->of, "copy") != 0)
		return look_at_published(c, v->id, &p->look);
	TRY(write_look(c, v->workspace, v->id, &written, &view));
	p->text = view.text;
	editor_find_losses(c, v, &view, &p->losses);
	return look_at_copy(c, v->id, &p->look);
}

/* Answers with what was read, and the open links. */
static struct err *
answer(struct ctx *c, struct visit *v, struct reply *reply, struct preview *p)
{
	TRY(share_read(c, v, p));
	console_page(c, v, reply, NULL, NULL, write_preview,
	    &(const struct page) { .c = c, .v = v, .data = p });
	return NULL;
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct preview p;

	TRY(preview_read(c, v, &p));
	return answer(c, v, reply, &p);
}

/* ---- the frame's document */

static struct err *
write_document(struct ctx *c, struct visit *v, struct reply *reply,
    struct err *(*look)(struct ctx *c, const char *id, struct look *out))
{
	struct article_page page = { .scheme = chosen(c, v, "colours", schemes),
		.root = v->place.root };
	struct article *a;
	struct look l;
	struct buf html;
	struct err *err = console_article(c, v, &a);

	if (err == NULL)
		err = look(c, v->id, &l);
	if (err != NULL)
		return err;
	buf_init(&html, c->arena, EXPORT_BYTES_MAX);
	export_html(c, l.source, &html);
	page.language = l.source->snapshot->language;
	page.title = l.source->snapshot->title;
	page.html = buf_done(&html);
	page.html_len = html.len;
	console_framed(reply, console_query(c, v, "beside") != NULL);
	article_page_write(&reply->body, &page);
	return NULL;
}

static struct err *
show_copy(struct ctx *c, struct visit *v, struct reply *reply)
{
	return write_document(c, v, reply, look_at_copy);
}

static struct err *
show_edition(struct ctx *c, struct visit *v, struct reply *reply)
{
	return write_document(c, v, reply, look_at_published);
}

#define PREVIEW .method = "GET", .title = tr_mark("Preview")

/* ---- a new link */

static void
write_made(struct hwrite *w, const void *data)
{
	const struct page *p = data;
	const struct sharing_made *made = p->data;

	screen_notice(
	    w, SCREEN_WARNING, "%s", tr("Copy the link now: it is shown this once only."));
	screen_copy(w, tr("the link"), made->link);
	@ <p>Anybody who has it can read the working copy of “{made->share.title}” until
	@ {say_full_text(p->c, made->share.expires_at)}.</p>
	@ <p><a class="button" href="/W/articles/ID/preview">Back to the preview</a></p>
}

static struct err *
make(struct ctx *c, struct visit *v, struct reply *reply, const struct form *f, bool *full)
{
	const struct sharing_order order = { .within = v->workspace->uuid,
		.article = v->id,
		.person = v->person->uuid,
		.days = form_number(f, "days") };
	struct sharing_made made;
	struct err *err = sharing_make(c, &order, &made);

	*full = made.full;
	if (err != NULL)
		return err;
	console_journal(c, v, "article share %s %s", v->id, made.share.uuid);
	console_page(c, v, reply, tr("The new link"), NULL, write_made,
	    &(const struct page) { .c = c, .v = v, .data = &made });
	explicit_bzero(made.text, sizeof(made.text));
	return NULL;
}

static struct err *
share(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct preview p;
	struct form f;
	bool full = false;
	struct err *err;

	TRY(need(c, v));
	TRY(preview_read(c, v, &p));
	form_init(&f, "share", order_fields);
	if (console_read(c, v, &f)) {
		err = make(c, v, reply, &f, &full);
		if (err == NULL)
			return NULL;
		TRY(console_wrong(c, v, reply, &f, err));
	} else {
		console_refused(v, reply);
	}
	p.share_form = &f;
	p.share_full = full;
	return answer(c, v, reply, &p);
}

/* ---- the end of a link */

static struct err *
revoke(struct ctx *c, struct visit *v, struct reply *reply)
{
	static const struct field none[] = { { .name = NULL } };
	const char *place = arena_printf(c->arena, "/%s/articles", v->workspace->uuid);
	struct share s;
	struct form f;
	struct err *err = need(c, v);

	form_init(&f, "revoke", none);
	if (err == NULL && !console_read(c, v, &f))
		err = refuse(c, ERR_CONFLICT, "%s", f.error);
	if (err == NULL)
		err = sharing_look(c, v->workspace->uuid, v->id, &s);
	if (err != NULL)
		return err;
	place = arena_printf(c->arena, "%s/%s/preview", place, s.article);
	console_will_go(v, place);
	TRY(sharing_end(c, v->workspace->uuid, v->id, &s));
	console_journal(c, v, "article unshare %s %s", s.article, s.uuid);
	console_go(c, v, reply, place, "unshared");
	return NULL;
}

SCREEN(preview) = {
	{ PREVIEW, .pattern = "/W/articles/ID/preview", .handler = show },
	{ PREVIEW, .pattern = "/W/articles/ID/preview/copy", .handler = show_copy },
	{ PREVIEW, .pattern = "/W/articles/ID/preview/edition", .handler = show_edition },
	{ "POST", "/W/articles/ID/preview", .title = tr_mark("Preview"), .handler = share },
	{ "POST", "/W/shares/ID/revoke", .title = tr_mark("Revoke"), .handler = revoke },
	{ .method = NULL },
};
