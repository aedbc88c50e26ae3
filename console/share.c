/* Links by which a stranger reads a working copy (docs/console.md §4.5): "Share this preview",
 * the list of those that are open, "Revoke". They are a part of the page Preview. */
#include "action/article/preview-links.h"

#include <string.h>

#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "preview.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"

static const struct field order_fields[] = {
	{ .name = "days",
	    .label = tr_mark("Open for how many days"),
	    .kind = FIELD_NUMBER,
	    .least = 1,
	    .most = SHARE_DAYS_MAX,
	    .required = true,
	    .inputmode = "numeric",
	    .hint = tr_mark(
		"1 to 30. Who has the link reads the working copy of this article as it is then, and nothing else.") },
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

/* ---- the list */

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

struct err *
share_read(struct ctx *c, const struct visit *v, struct preview *p)
{
	const struct find_place place = { .name = v->workspace->uuid };
	struct err *err;

	if (!may_share(v))
		return NULL;
	p->shares = arena_array(c->arena, SHARE_MAX, sizeof(*p->shares));
	p->makers = arena_array(c->arena, SHARE_MAX, sizeof(*p->makers));
	p->share_count = 0;
	err = p->share_full ? sharing_list(c, &place, keep, p)
			    : sharing_list_article(c, v->id, keep, p);
	if (err != NULL)
		return err;
	db_begin_read(c, DB_CONSOLE);
	for (size_t i = 0; i < p->share_count; i++)
		p->makers[i] = name_of(c, &p->shares[i]);
	db_rollback(c);
	return NULL;
}

static void
write_share(struct screen_table *t, const struct preview *p, size_t i)
{
	const struct share *s = &p->shares[i];
	struct form f;

	screen_row_begin(t);
	screen_cell(t, p->makers[i]);
	if (p->share_full)
		screen_cell(t, s->title);
	screen_cell_time(t, s->created_at);
	screen_cell_time(t, s->expires_at);
	screen_cell_begin(t);
	form_init(&f, arena_printf(p->c->arena, "revoke-%zu", i), revoke_fields);
	console_form(p->c, p->v, t->w, &f,
	    arena_printf(p->c->arena, "/%s/shares/%s/revoke", p->v->workspace->uuid, s->uuid));
	screen_cell_end(t);
	screen_row_end(t);
}

static void
write_list(struct hwrite *w, const struct preview *p)
{
	struct screen_column columns[6] = { { .label = tr("Shared by") } };
	struct screen_table t;
	size_t n = 1;

	if (p->share_full)
		columns[n++].label = tr("Article");
	columns[n++].label = tr("On");
	columns[n++].label = tr("Until");
	columns[n].label = tr("Actions");
	screen_table_begin(&t, w, tr("Open links"), columns);
	for (size_t i = 0; i < p->share_count; i++)
		write_share(&t, p, i);
	screen_table_end(&t);
}

void
share_write(struct hwrite *w, const struct preview *p)
{
	struct form fresh;
	const struct form *f = p->share_form;
	bool in_trash = p->look.article->status == ARTICLE_DELETED;

	if (!may_share(p->v) || (in_trash && p->share_count == 0))
		return;
	hwrite_element(w, H_H2,
	    p->share_full ? tr("All open links of this workspace")
			  : tr("Links for people without an account"));
	if (p->share_count > 0)
		write_list(w, p);
	if (in_trash)
		return;
	if (f == NULL) {
		form_init(&fresh, "share", order_fields);
		form_fill(&fresh, "days", arena_printf(p->c->arena, "%d", SHARE_DAYS));
		f = &fresh;
	}
	console_form(p->c, p->v, w, f, arena_printf(p->c->arena, "%s/preview", p->path));
}

/* ---- a new one */

struct made {
	struct ctx *c;
	const struct visit *v;
	const struct sharing_made *made;
};

static void
write_made(struct hwrite *w, const void *data)
{
	const struct made *m = data;

	screen_notice(
	    w, SCREEN_WARNING, "%s", tr("Copy the link now: it is shown this once only."));
	screen_copy(w, tr("the link"), m->made->link);
	hwrite_open(w, H_P);
	screen_sentence(w, tr("Who has it reads the working copy of “%s” until %s."),
	    m->made->share.title, say_full_text(m->c, m->made->share.expires_at));
	hwrite_close(w, H_P);
	hwrite_open(w, H_P);
	screen_button_link(w,
	    console_path(m->c, m->v, "/%s/articles/%s/preview", m->v->workspace->uuid, m->v->id),
	    tr("Back to the preview"), false);
	hwrite_close(w, H_P);
}

static struct err *
make(struct ctx *c, struct visit *v, struct reply *reply, const struct form *f, bool *full)
{
	const struct sharing_order order = { .within = v->workspace->uuid,
		.article = v->id,
		.person = v->person->uuid,
		.days = form_number(f, "days") };
	struct sharing_made made;
	const struct made shown = { .c = c, .v = v, .made = &made };
	struct err *err = sharing_make(c, &order, &made);

	*full = made.full;
	if (err != NULL)
		return err;
	console_journal(c, v, "article share %s %s", v->id, made.share.uuid);
	console_page(c, v, reply, tr("The new link"), NULL, write_made, &shown);
	explicit_bzero(made.text, sizeof(made.text));
	return NULL;
}

static struct err *
share(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct preview p;
	struct form f;
	bool full = false;
	struct err *err = need(c, v);

	if (err == NULL)
		err = preview_read(c, v, &p);
	if (err != NULL)
		return err;
	form_init(&f, "share", order_fields);
	if (console_read(c, v, &f)) {
		err = make(c, v, reply, &f, &full);
		if (err == NULL)
			return NULL;
		err = console_wrong(c, v, reply, &f, err);
	} else {
		console_refused(v, reply);
	}
	p.share_form = &f;
	p.share_full = full;
	if (err == NULL)
		err = share_read(c, v, &p);
	if (err == NULL)
		console_page(c, v, reply, NULL, NULL, preview_write, &p);
	return err;
}

/* ---- the end of one */

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
	err = sharing_end(c, v->workspace->uuid, v->id, &s);
	if (err != NULL)
		return err;
	console_journal(c, v, "article unshare %s %s", s.article, s.uuid);
	console_go(c, v, reply, place, "unshared");
	return NULL;
}

const struct console_row share_screens[] = {
	{ .method = "POST",
	    .pattern = "/W/articles/ID/preview",
	    .title = tr_mark("Preview"),
	    .handler = share },
	{ .method = "POST",
	    .pattern = "/W/shares/ID/revoke",
	    .title = tr_mark("Revoke"),
	    .handler = revoke },
	{ .method = NULL },
};
