/* Acts on many articles of the list at once (docs/console.md §4.3). */
#include <string.h>

#include "action/many/bulk.h"
#include "all.h"
#include "articles.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "screen/tr.h"

/* What a button does. `done`: the name of a notice. */
static const struct act {
	const char *button;
	enum bulk_act act;
	enum right need;
	const char *journal, *done;
} acts[] = {
	{ "publish", BULK_PUBLISH, RIGHT_PUBLISH, "publish", "many-published" },
	{ "unpublish", BULK_UNPUBLISH, RIGHT_PUBLISH, "unpublish",
	    "many-unpublished" },
	{ "trash", BULK_TRASH, RIGHT_PUBLISH, "delete", "many-trashed" },
	{ "restore", BULK_RESTORE, RIGHT_PUBLISH, "undelete", "many-restored" },
	{ "destroy", BULK_DESTROY, RIGHT_MANAGE, "purge", "many-deleted" },
};

#define ACTS (sizeof(acts) / sizeof(acts[0]))

static const struct field publish_fields[] = {
	ARTICLES_ASKED,
	{ .name = "seen", .kind = FIELD_HIDDEN },
	{ .name = "publish", .label = tr_mark("Publish"), .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

struct many {
	struct ctx *c;
	struct articles *list;
	const struct act *act;
	struct bulk bulk;
	const struct form *form; /* of the page that publishes */
};

/* ---- what was sent */

static const char *
sent(struct ctx *c, const struct visit *v, const char *name)
{
	(void)c;
	return console_sent(v, name);
}

static const struct act *
act_of(const struct visit *v)
{
	for (size_t i = 0; i < ACTS; i++) {
		if (console_sent(v, acts[i].button) != NULL)
			return &acts[i];
	}
	return NULL;
}

/* Reads the chosen articles, each once. Returns a sentence if there are none, or too many. */
static const char *
read_chosen(struct ctx *c, const struct visit *v, struct bulk *b)
{
	const char **ids = arena_array(c->arena, BULK_MAX, sizeof(*ids));

	b->ids = ids;
	for (size_t i = 0; i < v->sent.count; i++) {
		const struct form_value *value = &v->sent.values[i];
		char uuid[UUID_TEXT];
		size_t at = 0;
		if (strcmp(value->name, "chosen") != 0 ||
		    strlen(value->text) != value->len ||
		    !uuid_parse(value->text, uuid))
			continue;
		while (at < b->count && strcmp(ids[at], uuid) != 0)
			at++;
		if (at == BULK_MAX)
			return tr("At most 200 articles can be chosen at once.");
		if (at == b->count)
			ids[b->count++] = arena_text(c->arena, uuid);
	}
	return b->count > 0 ? NULL : tr("Choose articles first: tick the boxes before"
					" their titles.");
}

/* ---- pages */

static void
write_back(struct hwrite *w, const struct many *m)
{
	hwrite_open(w, H_P);
	screen_button_link(w, console_path(m->c, m->list->v, "%s",
	    articles_path(m->list)), tr("Back to the list"), false);
	hwrite_close(w, H_P);
}

/* Writes the articles that are (or are not) left, with what is to be said of each. */
static void
write_ones(struct hwrite *w, const struct many *m, bool left, const char *title)
{
	bool begun = false;

	for (size_t i = 0; i < m->bulk.count; i++) {
		const struct bulk_one *one = &m->bulk.ones[i];
		if ((one->why != NULL) != left)
			continue;
		if (!begun) {
			hwrite_element(w, H_H2, title);
			hwrite_open(w, H_UL);
		}
		begun = true;
		hwrite_open(w, H_LI);
		screen_data(w, one->title != NULL ? one->title : m->bulk.ids[i]);
		if (left) {
			hwrite_text(w, " \u2013 ");
			hwrite_text(w, one->why);
		} else if (one->failing_count > 0) {
			hwrite_open(w, H_UL);
			for (size_t k = 0; k < one->failing_count; k++)
				hwrite_element(w, H_LI, one->failing[k]);
			hwrite_close(w, H_UL);
		}
		hwrite_close(w, H_LI);
	}
	if (begun)
		hwrite_close(w, H_UL);
}

/* The page before "Publish": what fails, and what is left. */
static void
write_look(struct hwrite *w, const void *data)
{
	const struct many *m = data;
	const struct form *f = m->form;
	bool any = false;

	form_write_summary(w, f);
	write_ones(w, m, false, tr("Will be published, with the checks that fail"));
	write_ones(w, m, true, tr("Will be left"));
	for (size_t i = 0; i < m->bulk.count; i++)
		any = any || m->bulk.ones[i].why == NULL;
	if (any) {
		console_form_begin(m->c, m->list->v, w, f, arena_printf(m->c->arena,
		    "/%s/articles", m->list->v->workspace->uuid));
		for (size_t i = 0; f->fields[i].kind == FIELD_HIDDEN; i++)
			form_write_field(w, f, f->fields[i].name);
		for (size_t i = 0; i < m->bulk.count; i++) {
			hwrite_open(w, H_INPUT);
			hwrite_attr(w, A_TYPE, "hidden");
			hwrite_attr(w, A_NAME, "chosen");
			hwrite_attr(w, A_VALUE, m->bulk.ids[i]);
		}
		hwrite_open(w, H_DIV);
		hwrite_attr(w, A_CLASS, "buttons");
		form_write_field(w, f, "publish");
		hwrite_close(w, H_DIV);
		form_write_end(w);
	}
	write_back(w, m);
}

/* The page after an act of which something was left. */
static void
write_done(struct hwrite *w, const void *data)
{
	const struct many *m = data;

	screen_notice(w, m->bulk.done > 0 ? SCREEN_WARNING : SCREEN_BAD, "%s",
	    arena_printf(m->c->arena, tr_count("%zu article was changed; not all could"
	    " be.", "%zu articles were changed; not all could be.",
	    (int64_t)m->bulk.done), m->bulk.done));
	write_ones(w, m, true, tr("Not done"));
	write_ones(w, m, false, tr("Done"));
	write_back(w, m);
}

/* ---- the acts */

/* Shows what publishing would do; `why` is a sentence, or NULL. */
static void
look(struct many *m, struct reply *reply, const char *why)
{
	struct form *f = arena_alloc(m->c->arena, sizeof(*f));

	bulk_look(m->c, &m->bulk);
	form_init(f, "publish", publish_fields);
	articles_fill(f, m->list);
	form_fill(f, "seen", m->bulk.shown);
	if (why != NULL)
		form_refuse(f, NULL, why);
	m->form = f;
	console_page(m->c, m->list->v, reply, tr("Publish"), NULL, write_look, m);
}

static void
tell(struct many *m, struct reply *reply)
{
	const struct bulk *b = &m->bulk;
	bool all = true;

	for (size_t i = 0; i < b->count; i++) {
		all = all && b->ones[i].why == NULL;
		if (b->ones[i].why == NULL)
			console_journal(m->c, m->list->v, "article %s %s",
			    m->act->journal, b->ids[i]);
	}
	if (all)
		console_go(m->c, m->list->v, reply, articles_path(m->list),
		    m->act->done);
	else
		console_page(m->c, m->list->v, reply, NULL, NULL, write_done, m);
}

/* The list says that all was done. What was left is said once, on a page; sent again, the form
 * leads to the list, which then says nothing. */
static const char *
will_go(struct ctx *c, const void *arg)
{
	const struct many *m = arg;
	struct buf answer;

	buf_init(&answer, c->arena, (size_t)64 * 1024);
	buf_add_text(&answer, articles_path(m->list));
	if (m->bulk.done == m->bulk.count)
		screen_address_add(&answer, "notice", m->act->done);
	return buf_done(&answer);
}

static struct err *
run(struct many *m, struct visit *v, struct reply *reply)
{
	struct ctx *c = m->c;
	struct err *err;

	m->bulk.workspace = v->workspace;
	m->bulk.act = m->act->act;
	m->bulk.seen = console_sent(v, "seen");
	if (m->act->act == BULK_PUBLISH && m->bulk.seen == NULL) {
		look(m, reply, NULL);
		return NULL;
	}
	console_will_tell(v, will_go, m);
	err = bulk_run(c, &m->bulk);
	if (err != NULL && err->code == ERR_CONFLICT && !v->repeated &&
	    m->act->act == BULK_PUBLISH) {
		reply->status = 409;
		look(m, reply, err->message);
		return NULL;
	}
	if (err != NULL)
		return err;
	if (m->act->act == BULK_DESTROY)
		bulk_pictures(c, &m->bulk);
	tell(m, reply);
	return NULL;
}

/* Shows the list again, with what is wrong. */
static struct err *
again(struct many *m, const struct visit *v, struct reply *reply, struct form *f)
{
	console_refused(v, reply);
	m->list->form = f;
	articles_page(m->list, reply);
	return NULL;
}

static struct err *
act(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct many *m = arena_alloc(c->arena, sizeof(*m));
	const char *why;
	struct form *f;
	struct err *err;

	m->c = c;
	m->act = act_of(v);
	m->list = arena_alloc(c->arena, sizeof(*m->list));
	articles_asked(c, v, sent, m->list);
	err = console_need(c, v, m->act != NULL ? m->act->need : RIGHT_PUBLISH);
	if (err != NULL)
		return err;
	if (m->act != NULL && m->act->act == BULK_DESTROY &&
	    !console_step_up(c, v, reply))
		return NULL;
	f = articles_form(c, m->list);
	if (f == NULL)
		return refuse(c, ERR_FORBIDDEN, "%s",
		    tr("Your role here does not allow this. Ask somebody who manages this"
		       " place."));
	why = read_chosen(c, v, &m->bulk);
	if (!console_read(c, v, f) || why != NULL || m->act == NULL) {
		if (why != NULL && f->error == NULL)
			form_refuse(f, NULL, why);
		return again(m, v, reply, f);
	}
	return run(m, v, reply);
}

const struct console_row articles_many_screens[] = {
	{ .method = "POST", .pattern = "/W/articles", .title = tr_mark("Articles"),
	    .handler = act },
	{ .method = NULL },
};
