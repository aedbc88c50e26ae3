/* Acts on articles (docs/console.md §4.3): on many of the list at once, what the pages say
 * before, with the question, and afterwards, with the way back; and "Move to trash", "Delete for
 * good" and "Restore" of one. */
#include <string.h>

#include "../all.h"
#include "action/article/article-bulk.h"
#include "action/article/publish-actions.h"
#include "articles-screen.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "console/page.h"
#include "editor-screen.h"
#include "screen/tr.h"

/* What a button does. */
static const struct act {
	const char *button;
	enum bulk_act act;
	enum right need;
	enum field_tone tone; /* of the button that says yes */
} acts[] = {
	{ "publish", BULK_PUBLISH, RIGHT_PUBLISH, FIELD_PRIMARY },
	{ "unpublish", BULK_UNPUBLISH, RIGHT_PUBLISH, FIELD_DANGER },
	{ "trash", BULK_TRASH, RIGHT_PUBLISH, FIELD_DANGER },
	{ "restore", BULK_RESTORE, RIGHT_PUBLISH, FIELD_SECONDARY },
	{ "destroy", BULK_DESTROY, RIGHT_MANAGE, FIELD_DANGER },
	{ "undo", BULK_BACK, RIGHT_PUBLISH, FIELD_SECONDARY },
};

#define ACTS (sizeof(acts) / sizeof(acts[0]))

struct many {
	struct ctx *c;
	struct articles *list;
	const struct act *act;
	struct bulk bulk;
	const char *done; /* the address that tells what was done */
	const struct form *form; /* of the page that asks */
	const char *back; /* where it leads who says no, or NULL: to the list */
};

#define ASKED_MAX 20 /* articles that a question names */
#define TOLD_MAX 5 /* and an answer */

/* ---- the question */

/* Returns how many the act is done with, and (or NULL) how many of them readers have now. */
static size_t
count(const struct bulk *b, size_t *published)
{
	size_t n = 0, shown = 0;

	for (size_t i = 0; i < b->count; i++) {
		n += b->ones[i].why == NULL;
		shown += b->ones[i].why == NULL && b->ones[i].was == ARTICLE_PUBLISHED;
	}
	if (published != NULL)
		*published = shown;
	return n;
}

/* The page that asks before an act on many, and its button. */
static const char *
articles_question(struct ctx *c, const struct bulk *b)
{
	size_t n = count(b, NULL);

	if (n == 0)
		return tr("Nothing of this can be done");
	switch (b->act) {
	case BULK_PUBLISH:
		return arena_printf(c->arena,
		    tr_count("Publish %zu article?", "Publish %zu articles?", (int64_t)n), n);
	case BULK_UNPUBLISH:
		return arena_printf(c->arena,
		    tr_count("Unpublish %zu article?", "Unpublish %zu articles?", (int64_t)n), n);
	case BULK_TRASH:
		return arena_printf(c->arena,
		    tr_count("Move %zu article to the trash?", "Move %zu articles to the trash?",
			(int64_t)n),
		    n);
	default:
		return arena_printf(c->arena,
		    tr_count("Delete %zu article for good?", "Delete %zu articles for good?",
			(int64_t)n),
		    n);
	}
}

static const char *
articles_yes(struct ctx *c, const struct bulk *b)
{
	size_t n = count(b, NULL);

	switch (b->act) {
	case BULK_PUBLISH:
		return arena_printf(c->arena,
		    tr_count("Publish %zu article", "Publish %zu articles", (int64_t)n), n);
	case BULK_UNPUBLISH:
		return arena_printf(c->arena,
		    tr_count("Unpublish %zu article", "Unpublish %zu articles", (int64_t)n), n);
	case BULK_TRASH:
		return arena_printf(c->arena,
		    tr_count("Move %zu article to the trash", "Move %zu articles to the trash",
			(int64_t)n),
		    n);
	default:
		return arena_printf(c->arena,
		    tr_count(
			"Delete %zu article for good", "Delete %zu articles for good", (int64_t)n),
		    n);
	}
}

/* What readers will see, what is lost, and what not. */
static void
write_says(struct hwrite *w, const struct bulk *b)
{
	size_t published;
	bool one = count(b, &published) == 1;

	if (b->act == BULK_PUBLISH)
		@ <p>Readers can open them at once.</p>
	else if (b->act == BULK_UNPUBLISH)
		@ <p>Readers cannot open them any more: pages say that they are gone, and websites
		@ take them away when they ask next. They become drafts, and nothing of the text is
		@ lost. You can undo it afterwards.</p>
	else if (b->act == BULK_TRASH && one && published == 1)
		@ <p>It is published: readers cannot open it any more.</p>
	else if (b->act == BULK_TRASH && published > 0)
		@ <p>{#published: %d of them is published: readers cannot open it any more.|%d of
		@ them are published: readers cannot open these any more.}</p>
	if (b->act == BULK_TRASH && one)
		@ <p>In the trash it keeps its text and its slug. Its date of publishing and the
		@ links to its preview end. You can undo it afterwards.</p>
	else if (b->act == BULK_TRASH)
		@ <p>In the trash they keep their text and their slugs. Dates of publishing and
		@ links to previews end. You can undo it afterwards.</p>
	else if (b->act == BULK_DESTROY && one)
		@ <p>Its text, its editions and its History are destroyed. This cannot be undone:
		@ only a backup still has them.</p>
	else if (b->act == BULK_DESTROY)
		@ <p>Their text, their editions and their History are destroyed. This cannot be
		@ undone: a backup alone still holds them.</p>
}

/* ---- articles by name */

static const char *
name_of(const struct bulk *b, size_t i)
{
	return b->ones[i].title != NULL ? b->ones[i].title : b->ids[i];
}

/* Writes the first `max` of those that the act is done with, and how many others there are. */
static void
write_names(struct hwrite *w, const struct bulk *b, const char *class, size_t max)
{
	size_t n = count(b, NULL), written = 0;

	@ <ul class={class}>
	for (size_t i = 0; i < b->count && written < max; i++) {
		const struct bulk_one *one = &b->ones[i];
		if (one->why != NULL)
			continue;
		written++;
		@ <li><span class="what">{name_of(b, i)}
		for (size_t k = 0; k < one->failing_count; k++)
			@ <small>{=one->failing[k]}</small>
		@ </span></li>
	}
	@ </ul>
	if (n > written)
		@ <p>{#n - written: and %d other|and %d others}</p>
}

/* Writes those that are left, each with its reason. */
static void
write_left(struct hwrite *w, const struct bulk *b)
{
	@ <ul>
	for (size_t i = 0; i < b->count; i++) {
		if (b->ones[i].why != NULL)
			@ <li>{name_of(b, i)}{=" – "}{=b->ones[i].why}</li>
	}
	@ </ul>
}

/* Writes what the act will do: to readers and to the articles, these by name. */
static void
articles_write_effect(struct hwrite *w, const struct bulk *b)
{
	size_t n = count(b, NULL);

	if (n > 0) {
		write_says(w, b);
		/* The checks that fail are read one by one. */
		write_names(w, b, "rows", b->act == BULK_PUBLISH ? BULK_MAX : ASKED_MAX);
	}
	if (n < b->count) {
		@ <h2>{#b->count - n: %d will be left|%d will be left}</h2>
		write_left(w, b);
	}
}

/* ---- the answer */

static const char *
taken_back(struct ctx *c, enum bulk_act of, size_t n)
{
	switch (of) {
	case BULK_PUBLISH:
		return arena_printf(c->arena,
		    tr_count("%zu article is a draft again.", "%zu articles are drafts again.",
			(int64_t)n),
		    n);
	case BULK_UNPUBLISH:
		return arena_printf(c->arena,
		    tr_count("%zu article is published again.", "%zu articles are published again.",
			(int64_t)n),
		    n);
	case BULK_TRASH:
		return arena_printf(c->arena,
		    tr_count("%zu article is out of the trash again.",
			"%zu articles are out of the trash again.", (int64_t)n),
		    n);
	default:
		return arena_printf(c->arena,
		    tr_count("%zu article is in the trash again.",
			"%zu articles are in the trash again.", (int64_t)n),
		    n);
	}
}

static const char *
was_done(struct ctx *c, const struct bulk *b)
{
	size_t n = b->done;

	switch (b->act) {
	case BULK_PUBLISH:
		return arena_printf(c->arena,
		    tr_count(
			"%zu article was published.", "%zu articles were published.", (int64_t)n),
		    n);
	case BULK_UNPUBLISH:
		return arena_printf(c->arena,
		    tr_count("%zu article was unpublished.", "%zu articles were unpublished.",
			(int64_t)n),
		    n);
	case BULK_TRASH:
		return arena_printf(c->arena,
		    tr_count("%zu article was moved to the trash.",
			"%zu articles were moved to the trash.", (int64_t)n),
		    n);
	case BULK_RESTORE:
		return arena_printf(c->arena,
		    tr_count("%zu article was restored from the trash, as a draft.",
			"%zu articles were restored from the trash, as drafts.", (int64_t)n),
		    n);
	case BULK_DESTROY:
		return arena_printf(c->arena,
		    tr_count("%zu article was deleted for good.",
			"%zu articles were deleted for good.", (int64_t)n),
		    n);
	case BULK_BACK:
		break;
	}
	return taken_back(c, b->of, n);
}

/* The way back: a form that names the number of the first one. */
static void
write_undo(struct hwrite *w, const struct articles *l)
{
	static const struct field fields[] = {
		ARTICLES_ASKED,
		{ .name = "done", .kind = FIELD_HIDDEN },
		{ .name = "undo", .label = tr_mark("Undo"), .kind = FIELD_SUBMIT },
		{ .name = NULL },
	};
	const struct bulk *b = l->told;
	size_t n = 0;
	struct form f;

	for (size_t i = 0; i < b->count; i++)
		n += bulk_goes_back(b, i);
	if (b->act == BULK_PUBLISH && n < b->done)
		@ <p>{#b->done - n: %d was published before: its History has what readers saw.|
		@ %d were published before: their History has what readers saw.}</p>
	if (n == 0 || !console_may(l->p->v, RIGHT_PUBLISH))
		return;
	form_init(&f, "undo", fields);
	articles_fill(&f, l);
	form_fill(&f, "done", l->done);
	console_form_begin(l->p->c, l->p->v, w, &f,
	    arena_printf(l->p->c->arena, "/%s/articles", l->p->v->workspace->uuid));
	for (size_t i = 0; fields[i].name != NULL; i++)
		form_write_field(w, &f, fields[i].name);
	form_write_end(w);
}

void
articles_write_told(struct hwrite *w, const struct articles *l)
{
	const struct bulk *b = l->told;
	const struct page *p = l->p;
	size_t left = b->count - b->done;

	@ <notice {left == 0 ? SCREEN_GOOD : b->done > 0 ? SCREEN_WARNING : SCREEN_BAD}>
	@ <p>{=was_done(p->c, b)}</p>
	if (b->done > 0 && b->act != BULK_DESTROY)
		write_names(w, b, NULL, TOLD_MAX);
	if (left > 0) {
		@ <p>{#left: %zu was not:|%zu were not:}</p>
		write_left(w, b);
	}
	if (b->act == BULK_TRASH && b->done > 0)
		@ <p><a href="/W/articles?status=trash">Open the trash</a></p>
	write_undo(w, l);
	@ </notice>
}

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
		if (strcmp(value->name, "chosen") != 0 || strlen(value->text) != value->len ||
		    !uuid_parse(value->text, uuid))
			continue;
		while (at < b->count && strcmp(ids[at], uuid) != 0)
			at++;
		if (at == BULK_MAX)
			return tr("At most 200 articles can be chosen at once.");
		if (at == b->count)
			ids[b->count++] = arena_text(c->arena, uuid);
	}
	return b->count > 0 ? NULL
			    : tr("Choose articles first: tick the boxes before their titles.");
}

/* Reads what is to be undone. Returns a sentence if nobody knows it any more. */
static const char *
read_done(struct ctx *c, const struct visit *v, struct bulk *b)
{
	struct bulk *before = arena_alloc(c->arena, sizeof(*before));
	const char *told = console_told(c, v, console_sent(v, "done"));

	b->before = before;
	return told != NULL && bulk_recall(c, v->workspace, told, before)
		   ? NULL
		   : tr("This cannot be undone any more: it was done more than a day ago.");
}

/* ---- asking */

/* The page before what takes something from readers, or cannot be undone. */
static void
write_question(struct hwrite *w, const void *data)
{
	const struct many *m = data;
	const struct form *f = m->form;
	const char *back = console_path(
	    m->c, m->list->p->v, "%s", m->back != NULL ? m->back : articles_path(m->list));
	bool rests = console_rests(m->list->p->v);

	form_write_summary(w, f);
	@ <div class="box">
	if (!rests)
		articles_write_effect(w, &m->bulk);
	if (rests || count(&m->bulk, NULL) == 0) {
		@ <p><a class="button" href={back}>
		@ {=m->back != NULL ? tr("Back to the article") : tr("Back to the list")}</a></p>
	} else {
		console_form_begin(m->c, m->list->p->v, w, f,
		    arena_printf(m->c->arena, "/%s/articles", m->list->p->v->workspace->uuid));
		for (size_t i = 0; f->fields[i].kind == FIELD_HIDDEN; i++)
			form_write_field(w, f, f->fields[i].name);
		for (size_t i = 0; i < m->bulk.count; i++)
			hwrite_hidden(w, "chosen", m->bulk.ids[i]);
		@ <div class="buttons">
		form_write_field(w, f, m->act->button);
		@ <a class="button quiet" href={back}>
		@ {=m->bulk.count == 1 ? tr("Leave it as it is") : tr("Leave them")}</a></div>
		form_write_end(w);
	}
	@ </div>
}

/* Asks, after bulk_look(); `why` is a sentence, or NULL. */
static void
ask(struct many *m, struct reply *reply, const char *why)
{
	static const struct field asked[] = { ARTICLES_ASKED,
		{ .name = "seen", .kind = FIELD_HIDDEN } };
	const size_t count = sizeof(asked) / sizeof(asked[0]);
	struct field *fields = arena_array(m->c->arena, count + 2, sizeof(*fields));
	struct form *f = arena_alloc(m->c->arena, sizeof(*f));

	memcpy(fields, asked, sizeof(asked));
	fields[count] = (struct field) { .name = m->act->button,
		.kind = FIELD_SUBMIT,
		.label = articles_yes(m->c, &m->bulk),
		.tone = m->act->tone };
	form_init(f, "sure", fields);
	articles_fill(f, m->list);
	form_fill(f, "seen", m->bulk.shown);
	if (why != NULL)
		form_refuse(f, NULL, why);
	m->form = f;
	console_page(
	    m->c, m->list->p->v, reply, articles_question(m->c, &m->bulk), NULL, write_question, m);
}

/* ---- the acts */

/* Writes the lines of the journal for an article that was taken from one state to another. */
static void
journal(struct many *m, const char *id, enum article_status from, enum article_status to)
{
	const struct visit *v = m->list->p->v;

	if (m->act->act == BULK_DESTROY) {
		console_journal(m->c, v, "article purge %s", id);
		return;
	}
	if (to == ARTICLE_DELETED)
		console_journal(m->c, v, "article delete %s", id);
	else if (from == ARTICLE_DELETED)
		console_journal(m->c, v, "article undelete %s", id);
	if (to == ARTICLE_PUBLISHED)
		console_journal(m->c, v, "article publish %s", id);
	else if (to == ARTICLE_DRAFT && from == ARTICLE_PUBLISHED)
		console_journal(m->c, v, "article unpublish %s", id);
}

static void
tell(struct many *m, struct reply *reply)
{
	static const enum article_status to[] = { [BULK_PUBLISH] = ARTICLE_PUBLISHED,
		[BULK_UNPUBLISH] = ARTICLE_DRAFT,
		[BULK_TRASH] = ARTICLE_DELETED,
		[BULK_RESTORE] = ARTICLE_DRAFT,
		[BULK_DESTROY] = ARTICLE_DELETED };
	const struct bulk *b = &m->bulk;

	for (size_t i = 0; i < b->count; i++) {
		if (b->ones[i].why == NULL)
			journal(m, b->ids[i], b->ones[i].was,
			    b->act == BULK_BACK ? b->before->ones[i].was : to[b->act]);
	}
	console_go(m->c, m->list->p->v, reply, m->done, NULL);
}

/* The list tells what was done, and what was left: sent again, the form leads there again. */
static const char *
will_go(struct ctx *c, const void *arg)
{
	const struct many *m = arg;

	return arena_printf(c->arena, "%s\n%s", m->done, bulk_tell(c, &m->bulk));
}

/* Asks where that is needed. Returns whether it is to be done now: a person saw it, or need not. */
static bool
look(struct many *m, const struct visit *v, struct reply *reply)
{
	m->bulk.seen = console_sent(v, "seen");
	if (m->bulk.seen != NULL || m->act->act == BULK_BACK)
		return true;
	bulk_look(m->c, &m->bulk);
	if (bulk_asks(&m->bulk)) {
		ask(m, reply, NULL);
		return false;
	}
	m->bulk.seen = m->bulk.shown;
	return true;
}

static struct err *
run(struct many *m, struct visit *v, struct reply *reply)
{
	struct ctx *c = m->c;
	struct buf done;
	struct err *err;

	if (!look(m, v, reply))
		return NULL;
	buf_init(&done, c->arena, (size_t)64 * 1024);
	buf_add_text(&done, articles_path(m->list));
	screen_address_add(&done, "done", v->number.number);
	m->done = buf_done(&done);
	console_will_tell(v, will_go, m);
	err = bulk_run(c, &m->bulk);
	if (err != NULL && err->code == ERR_CONFLICT && !v->repeated && m->act->act != BULK_BACK) {
		reply->status = 409;
		bulk_look(c, &m->bulk);
		ask(m, reply, err->message);
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

	m->c = c;
	m->act = act_of(v);
	m->list = arena_alloc(c->arena, sizeof(*m->list));
	articles_asked(c, v, sent, m->list);
	TRY(console_need(c, v, m->act != NULL ? m->act->need : RIGHT_PUBLISH));
	if (m->act != NULL && m->act->act == BULK_DESTROY && !console_step_up(c, v, reply))
		return NULL;
	f = articles_form(c, m->list);
	if (f == NULL)
		return refuse(c, ERR_FORBIDDEN, "%s",
		    tr("Your role here does not allow this. Ask somebody who manages this place."));
	m->bulk.workspace = v->workspace;
	m->bulk.act = m->act != NULL ? m->act->act : BULK_PUBLISH;
	why = m->bulk.act == BULK_BACK ? read_done(c, v, &m->bulk) : read_chosen(c, v, &m->bulk);
	if (!console_read(c, v, f) || why != NULL || m->act == NULL) {
		if (why != NULL && f->error == NULL)
			form_refuse(f, NULL, why);
		return again(m, v, reply, f);
	}
	return run(m, v, reply);
}

/* ---- one article */

/* Asks about one article, which its own page leads to; the answer is the list's, with "Undo". */
static struct err *
ask_about_one(
    struct ctx *c, struct visit *v, struct reply *reply, enum bulk_act act, enum browsing_status in)
{
	struct many *m = arena_alloc(c->arena, sizeof(*m));
	const char **ids = arena_array(c->arena, 1, sizeof(*ids));
	struct article *a;

	TRY(console_article(c, v, &a));
	ids[0] = v->id;
	m->c = c;
	m->act = &acts[act];
	m->list = arena_alloc(c->arena, sizeof(*m->list));
	articles_asked(c, v, console_query, m->list);
	m->list->browsing.status = in;
	m->back = arena_printf(c->arena, "/%s/articles/%s", v->workspace->uuid, v->id);
	m->bulk = (struct bulk) { .workspace = v->workspace, .act = act, .ids = ids, .count = 1 };
	bulk_look(c, &m->bulk);
	ask(m, reply, NULL);
	return NULL;
}

static struct err *
ask_trash(struct ctx *c, struct visit *v, struct reply *reply)
{
	return ask_about_one(c, v, reply, BULK_TRASH, BROWSING_ALL);
}

static struct err *
ask_destroy(struct ctx *c, struct visit *v, struct reply *reply)
{
	return ask_about_one(c, v, reply, BULK_DESTROY, BROWSING_TRASH);
}

/* ---- "Restore" of one article in the trash */

static struct err *
check_article(struct page *p)
{
	struct article *a;

	return console_article(p->c, p->v, &a);
}

static struct err *
restore(struct page *p)
{
	struct state s = { .id = p->v->id };

	return state_undelete(p->c, &s);
}

static const struct field no_fields[] = { { .name = NULL } };

static const struct page_act restore_it = { .name = "restore",
	.fields = no_fields,
	.check = check_article,
	.act = restore,
	.go = "/W/articles/ID",
	.notice = "restored",
	.journal = "article undelete ID" };

SCREEN(articles_many) = {
	{ "GET", "/W/articles/ID/trash", .need = RIGHT_PUBLISH, .title = tr_mark("Move to trash"),
	    .handler = ask_trash },
	{ "GET", "/W/articles/ID/destroy", .need = RIGHT_MANAGE,
	    .title = tr_mark("Delete for good"), .handler = ask_destroy },
	{ "POST", "/W/articles", .title = tr_mark("Articles"), .handler = act },
	{ "POST", "/W/articles/ID/restore", .need = RIGHT_PUBLISH, .title = tr_mark("Restore"),
	    .act = &restore_it },
	{ .method = NULL },
};
