/* The editor, without script (docs/console.md §5): one form, whose buttons save first. */
#include <string.h>

#include "action/action.h"
#include "action/article/destroy.h"
#include "action/article/ready.h"
#include "action/article/state.h"
#include "action/article/write.h"
#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "editor.h"
#include "screen/tr.h"

#define TEXT_BYTES ((size_t)8 * 1024 * 1024)

static const struct field fields[] = {
	{ .name = "base", .kind = FIELD_HIDDEN },
	{ .name = "was-address", .kind = FIELD_HIDDEN, .max = 8000 },
	{ .name = "was-date", .kind = FIELD_HIDDEN },
	{ .name = "title", .label = tr_mark("Title"), .kind = FIELD_TEXT, .max = 4000,
	    .required = true },
	{ .name = "text", .label = tr_mark("Text"), .kind = FIELD_AREA,
	    .max = TEXT_BYTES, .rows = 24, .hint = tr_mark("Markdown: ## begins a"
	    " section, an empty line a paragraph.") },
	{ .name = "slug", .label = tr_mark("Slug"), .kind = FIELD_TEXT, .dir = "ltr",
	    .hint = tr_mark("The end of its address. Left empty, it is made of the"
	    " title.") },
	{ .name = "description", .label = tr_mark("Description"), .kind = FIELD_TEXT,
	    .max = 8000,
	    .hint = tr_mark("One or two sentences for search engines.") },
	{ .name = "language", .label = tr_mark("Language"), .kind = FIELD_TEXT,
	    .dir = "ltr", .hint = tr_mark("A language tag. Examples: en, pt-BR") },
	{ .name = "tags", .label = tr_mark("Tags"), .kind = FIELD_TEXT, .max = 50000,
	    .hint = tr_mark("With commas between them.") },
	{ .name = "section", .label = tr_mark("Section"), .kind = FIELD_TEXT },
	{ .name = "author", .label = tr_mark("Author"), .kind = FIELD_TEXT },
	{ .name = "author-address", .label = tr_mark("Author's address"),
	    .kind = FIELD_TEXT, .max = 8000, .dir = "ltr", .inputmode = "url" },
	{ .name = "published-address", .label = tr_mark("Published address"),
	    .kind = FIELD_TEXT, .max = 8000, .dir = "ltr", .inputmode = "url",
	    .hint = tr_mark("Where the site shows it. It counts at once.") },
	{ .name = "noindex", .label = tr_mark("Hide from search engines"),
	    .kind = FIELD_CHECKBOX },
	{ .name = "date", .label = tr_mark("Date"), .kind = FIELD_DATE,
	    .hint = tr_mark("It orders the list of articles, and counts at once.") },
	{ .name = "save", .label = tr_mark("Save"), .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = "check", .label = tr_mark("Check"), .kind = FIELD_SUBMIT },
	{ .name = "publish", .label = tr_mark("Publish"), .kind = FIELD_SUBMIT },
	{ .name = "unpublish", .label = tr_mark("Unpublish"), .kind = FIELD_SUBMIT },
	{ .name = "trash", .label = tr_mark("Move to trash"), .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

const char *const editor_names[WRITE_FIELDS] = { "title", "slug", "description",
	"language", "tags", "section", "author", "author-address", "noindex",
	"published-address", "date" };

/* ---- the form */

/* A writer may not change what acts at once (docs/console.md §2.1). */
static bool
is_readonly(const struct visit *v, const struct article *a, const char *name)
{
	if (!console_may(v, RIGHT_WRITE))
		return true;
	if (console_may(v, RIGHT_PUBLISH))
		return false;
	return strcmp(name, "published-address") == 0 || strcmp(name, "date") == 0 ||
	    (strcmp(name, "slug") == 0 && a != NULL && a->version > 0);
}

static bool
has_button(const struct visit *v, const struct article *a, const char *name)
{
	if (strcmp(name, "save") == 0 || strcmp(name, "check") == 0)
		return console_may(v, RIGHT_WRITE);
	if (!console_may(v, RIGHT_PUBLISH) || (a == NULL && strcmp(name, "publish") != 0))
		return false;
	return strcmp(name, "unpublish") != 0 || a->status == ARTICLE_PUBLISHED;
}

/* Makes the table of fields that this person has here. `a` NULL: a new article. */
static void
begin_form(struct ctx *c, const struct visit *v, const struct article *a,
    struct form *f)
{
	size_t count = sizeof(fields) / sizeof(fields[0]), n = 0;
	struct field *own = arena_array(c->arena, count, sizeof(*own));

	for (size_t i = 0; fields[i].name != NULL; i++) {
		if (fields[i].kind == FIELD_SUBMIT && !has_button(v, a, fields[i].name))
			continue;
		own[n] = fields[i];
		if (fields[i].kind != FIELD_SUBMIT && fields[i].kind != FIELD_HIDDEN)
			own[n].readonly = is_readonly(v, a, fields[i].name);
		n++;
	}
	form_init(f, "article", own);
}

static void
fill(struct form *f, const struct write_view *view)
{
	for (size_t i = 0; i < WRITE_FIELDS; i++) {
		if (i == WRITE_NOINDEX)
			form_tick(f, editor_names[i], view->values[i][0] != '\0');
		else
			form_fill(f, editor_names[i], view->values[i]);
	}
	form_fill(f, "text", view->text);
	form_fill(f, "base", view->base);
	form_fill(f, "was-address", view->values[WRITE_PUBLISHED_URL]);
	form_fill(f, "was-date", view->values[WRITE_CREATED_AT]);
}

static bool
is_in(const struct form *f, const char *name)
{
	for (size_t i = 0; f->fields[i].name != NULL; i++) {
		if (strcmp(f->fields[i].name, name) == 0)
			return true;
	}
	return false;
}

static bool
pressed(const struct form *f, const char *name)
{
	return is_in(f, name) && form_is_on(f, name);
}

/* ---- the page */

struct editing {
	struct ctx *c;
	const struct visit *v;
	const struct article *article; /* NULL: a new one */
	const struct form *form;
	const struct ready *ready; /* "Check": what it found, or NULL */
	const char *action;
};

static void
write_list(struct hwrite *w, const char *title, const char *const *lines,
    size_t count)
{
	if (count == 0)
		return;
	hwrite_element(w, H_H2, title);
	hwrite_open(w, H_UL);
	for (size_t i = 0; i < count; i++) {
		hwrite_open(w, H_LI);
		screen_data(w, lines[i]);
		hwrite_close(w, H_LI);
	}
	hwrite_close(w, H_UL);
}

void
editor_write_ready(struct ctx *c, struct hwrite *w, const struct ready *r)
{
	const char *lines[EXPORT_CHECKS];

	for (size_t i = 0; i < r->failing_count; i++)
		lines[i] = r->failing[i].reason == NULL ? r->failing[i].label
		    : arena_printf(c->arena, "%s: %s", r->failing[i].label,
			r->failing[i].reason);
	if (r->failing_count + r->todo_count == 0)
		screen_notice(w, SCREEN_GOOD, "%s",
		    tr("It passes every check, and nothing is left to write."));
	write_list(w, tr("Failed checks"), lines, r->failing_count);
	write_list(w, tr("Left to write"), r->todos, r->todo_count);
}

static void
write_state(struct hwrite *w, const struct article *a)
{
	hwrite_open(w, H_P);
	if (a->status == ARTICLE_DELETED)
		screen_state(w, SCREEN_BAD, tr("In the trash"));
	else if (a->status == ARTICLE_DRAFT)
		screen_state(w, SCREEN_NOTE, tr("Draft"));
	else if (article_has_changes(a))
		screen_state(w, SCREEN_WARNING, tr("Published, with changes"));
	else
		screen_state(w, SCREEN_GOOD, tr("Published"));
	hwrite_close(w, H_P);
}

/* An article in the trash has two buttons, each with its own right. */
static void
write_trash(struct hwrite *w, const struct editing *e)
{
	static const struct field restore[] = {
		{ .name = "restore", .label = tr_mark("Restore"),
		    .kind = FIELD_SUBMIT, .tone = FIELD_PRIMARY }, { .name = NULL } };
	static const struct field destroy[] = {
		{ .name = "destroy", .label = tr_mark("Delete for good"),
		    .kind = FIELD_SUBMIT, .tone = FIELD_DANGER }, { .name = NULL } };
	struct form f;

	hwrite_element(w, H_P, tr("This article is in the trash. Nobody sees it, and it"
				  " keeps its slug."));
	if (console_may(e->v, RIGHT_PUBLISH)) {
		form_init(&f, "restore", restore);
		console_form(e->c, e->v, w, &f,
		    arena_printf(e->c->arena, "%s/restore", e->action));
	}
	if (console_may(e->v, RIGHT_MANAGE)) {
		form_init(&f, "destroy", destroy);
		console_form(e->c, e->v, w, &f,
		    arena_printf(e->c->arena, "%s/destroy", e->action));
	}
}

static void
write_editor(struct hwrite *w, const void *data)
{
	const struct editing *e = data;

	if (e->article != NULL)
		write_state(w, e->article);
	if (e->ready != NULL)
		editor_write_ready(e->c, w, e->ready);
	if (e->article != NULL) {
		hwrite_open(w, H_P);
		hwrite_open(w, H_A);
		hwrite_address(w, A_HREF, console_path(e->c, e->v, "%s/history",
		    e->action));
		hwrite_text(w, tr("History"));
		hwrite_close(w, H_A);
		hwrite_close(w, H_P);
	}
	if (e->article != NULL && e->article->status == ARTICLE_DELETED)
		write_trash(w, e);
	else
		console_form(e->c, e->v, w, e->form, e->action);
}

static const char *
address(struct ctx *c, const struct visit *v, const char *id)
{
	return arena_printf(c->arena, "/%s/articles/%s", v->workspace->uuid, id);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct editing e = { .c = c, .v = v, .action = address(c, v, v->id) };
	struct write_view view;
	struct ready ready;
	struct form f;
	struct err *err = write_look(c, v->workspace, v->id, &e.article, &view);

	if (err == NULL && console_query(c, v, "check") != NULL) {
		err = ready_look(c, v->workspace, v->id, &ready);
		e.ready = &ready;
	}
	if (err != NULL)
		return err;
	begin_form(c, v, e.article, &f);
	fill(&f, &view);
	e.form = &f;
	console_page(c, v, reply, e.article->title, NULL, write_editor, &e);
	return NULL;
}

static struct err *
begin(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct editing e = { .c = c, .v = v,
		.action = arena_printf(c->arena, "/%s/articles/new",
		    v->workspace->uuid) };
	struct form f;

	begin_form(c, v, NULL, &f);
	form_fill(&f, "language", v->workspace->settings.language);
	e.form = &f;
	console_page(c, v, reply, NULL, NULL, write_editor, &e);
	return NULL;
}

/* ---- what was sent */

/* Refuses a field that is shown read-only and was sent with another content. */
static struct err *
check_readonly(struct ctx *c, const struct visit *v, const struct form *f)
{
	for (size_t i = 0; f->fields[i].name != NULL; i++) {
		const char *sent = console_sent(v, f->fields[i].name);
		const char *shown = f->entry[i].text != NULL ? f->entry[i].text : "";
		if (!f->fields[i].readonly || sent == NULL ||
		    f->fields[i].kind == FIELD_AREA ||
		    (f->fields[i].kind == FIELD_CHECKBOX ? f->entry[i].on
							  : strcmp(sent, shown) == 0))
			continue;
		return refuse(c, ERR_FORBIDDEN,
		    "Your role here does not allow to change %s, so nothing was saved.",
		    tr(f->fields[i].label));
	}
	return NULL;
}

static const char *
value_of(const struct form *f, size_t i)
{
	const char *text;

	if (i == WRITE_NOINDEX)
		return form_is_on(f, editor_names[i]) ? "true" : "";
	text = form_text(f, editor_names[i]);
	return text != NULL ? text : "";
}

static const char *
text_or_empty(const char *text)
{
	return text != NULL ? text : "";
}

/* Takes what the form says; what is read-only stays as it is. */
static void
take(const struct visit *v, const struct form *f, const struct article *a,
    struct write *w)
{
	for (size_t i = 0; i < WRITE_FIELDS; i++) {
		if (!is_readonly(v, a, editor_names[i]))
			w->values[i] = value_of(f, i);
	}
	if (w->values[WRITE_CREATED_AT] != NULL && w->values[WRITE_CREATED_AT][0] == '\0')
		w->values[WRITE_CREATED_AT] = NULL;
	/* An empty slug is made of the title, of a new article only. */
	if (a != NULL && w->values[WRITE_SLUG] != NULL && w->values[WRITE_SLUG][0] == '\0')
		w->values[WRITE_SLUG] = NULL;
	if (console_may(v, RIGHT_WRITE))
		w->text = text_or_empty(form_text(f, "text"));
	w->base = text_or_empty(form_text(f, "base"));
	w->was[WRITE_PUBLISHED_URL] = text_or_empty(form_text(f, "was-address"));
	w->was[WRITE_CREATED_AT] = text_or_empty(form_text(f, "was-date"));
}

/* Reads which button was pressed, and asks for its right. Enter in a field is "Save". */
static struct err *
read_button(struct ctx *c, struct visit *v, const struct form *f, struct write *w)
{
	struct err *err = NULL;

	w->then = console_sent(v, "publish") != NULL ? WRITE_PUBLISH
	    : console_sent(v, "unpublish") != NULL ? WRITE_UNPUBLISH
	    : console_sent(v, "trash") != NULL ? WRITE_TRASH : WRITE_SAVE;
	(void)f;
	if (w->then != WRITE_SAVE)
		err = console_need(c, v, RIGHT_PUBLISH);
	if (err == NULL && (w->then == WRITE_SAVE || console_may(v, RIGHT_WRITE)))
		err = console_need(c, v, RIGHT_WRITE);
	return err;
}

/* Names the form's field in the place of the action's. A sentence that begins with the
 * action's name begins with "This" beside the field. */
static void
name_field(struct ctx *c, struct err *err)
{
	for (size_t i = 0; i < WRITE_FIELDS && err->param != NULL; i++) {
		size_t len = strlen(write_fields[i]);
		if (strcmp(err->param, write_fields[i]) != 0)
			continue;
		if (strncmp(err->message, write_fields[i], len) == 0 &&
		    err->message[len] == ' ')
			err->message = arena_printf(c->arena, "This%s",
			    err->message + len);
		err->param = editor_names[i];
		return;
	}
}

static void
go(struct ctx *c, const struct visit *v, struct reply *reply, const struct write *w,
    const char *path, bool check)
{
	const char *notice = w->merged ? "merged" : w->saved ? "saved" : "unchanged";

	if (w->then == WRITE_PUBLISH && !w->published) {
		console_go(c, v, reply, arena_printf(c->arena, "%s/publish", path), NULL);
		return;
	}
	if (w->then == WRITE_PUBLISH)
		notice = "published";
	else if (w->then == WRITE_UNPUBLISH)
		notice = "unpublished";
	else if (w->then == WRITE_TRASH)
		notice = "trashed";
	if (w->then == WRITE_TRASH)
		path = arena_printf(c->arena, "/%s/articles", v->workspace->uuid);
	else if (check)
		path = arena_printf(c->arena, "%s?check=1", path);
	console_go(c, v, reply, path, notice);
}

/* Writes a line of the journal for what was done. */
static void
tell(struct ctx *c, const struct visit *v, const struct write *w)
{
	static const char *const acts[] = { [WRITE_SAVE] = "save",
		[WRITE_PUBLISH] = "publish", [WRITE_UNPUBLISH] = "unpublish",
		[WRITE_TRASH] = "delete" };

	if (w->saved || w->then != WRITE_SAVE)
		console_journal(c, v, "article %s %s", acts[w->then], w->id);
}

static struct err *
run(struct ctx *c, struct visit *v, struct reply *reply, struct editing *e,
    struct form *f, struct write *w)
{
	bool good, check;
	struct err *err = check_readonly(c, v, f);

	if (err == NULL)
		err = read_button(c, v, f, w);
	if (err != NULL)
		return err;
	good = console_read(c, v, f);
	check = pressed(f, "check");
	reply->status = v->number_state == FORMNUMBER_GOOD ? 422 : 409;
	if (good) {
		take(v, f, e->article, w);
		clash_read(v, w);
		console_will_go(v, w->then == WRITE_PUBLISH
		    ? arena_printf(c->arena, "%s/publish", e->action)
		    : w->then == WRITE_TRASH
		    ? arena_printf(c->arena, "/%s/articles", v->workspace->uuid)
		    : address(c, v, w->id));
		err = write_article(c, w);
		if (err == NULL && w->clashed) {
			clash_show(c, v, reply, f, w, e->action);
			return NULL;
		}
		if (err == NULL) {
			reply->status = 200;
			tell(c, v, w);
			go(c, v, reply, w, address(c, v, w->id), check);
			return NULL;
		}
		name_field(c, err);
		err = console_wrong(c, v, reply, f, err);
		if (err != NULL)
			return err;
	}
	e->form = f;
	console_page(c, v, reply, e->article != NULL ? e->article->title : NULL, NULL,
	    write_editor, e);
	return NULL;
}

static struct err *
save(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct editing e = { .c = c, .v = v, .action = address(c, v, v->id) };
	struct write *w = arena_alloc(c->arena, sizeof(*w));
	struct write_view view;
	struct form f;
	struct err *err = write_look(c, v->workspace, v->id, &e.article, &view);

	if (err != NULL)
		return err;
	begin_form(c, v, e.article, &f);
	fill(&f, &view);
	w->id = v->id;
	w->person = v->person->uuid;
	return run(c, v, reply, &e, &f, w);
}

static struct err *
create(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct editing e = { .c = c, .v = v,
		.action = arena_printf(c->arena, "/%s/articles/new",
		    v->workspace->uuid) };
	struct write *w = arena_alloc(c->arena, sizeof(*w));
	char *id = arena_alloc(c->arena, UUID_TEXT);
	struct form f;

	uuid_random(id);
	begin_form(c, v, NULL, &f);
	*w = (struct write){ .workspace = v->workspace, .id = id, .is_new = true,
		.person = v->person->uuid };
	return run(c, v, reply, &e, &f, w);
}

/* ---- the trash */

/* Looks whether a form without fields is one of ours, for an article of this place. */
static struct err *
check_bare(struct ctx *c, struct visit *v)
{
	static const struct field none[] = { { .name = NULL } };
	struct article *a;
	struct form f;
	struct err *err = console_article(c, v, &a);

	form_init(&f, "bare", none);
	if (err == NULL && !console_read(c, v, &f))
		err = refuse(c, ERR_CONFLICT, "%s", f.error);
	return err;
}

static struct err *
restore(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct state s = { .id = v->id };
	struct err *err = check_bare(c, v);

	console_will_go(v, address(c, v, v->id));
	if (err == NULL)
		err = state_undelete(c, &s);
	if (err != NULL)
		return err;
	console_journal(c, v, "article undelete %s", v->id);
	console_go(c, v, reply, address(c, v, v->id), "restored");
	return NULL;
}

/* An article that is not there any more may be one that this form destroyed before: the
 * gate knows. */
static struct err *
missing(struct ctx *c, struct visit *v, struct err *err)
{
	struct workspace *w;
	struct err *again = workspace_begin(c, v->workspace, &w);

	return action_end(c, again != NULL ? again : err);
}

static struct err *
destroy(struct ctx *c, struct visit *v, struct reply *reply)
{
	const char *path = arena_printf(c->arena, "/%s/articles?status=trash",
	    v->workspace->uuid);
	struct destroy d = { 0 };
	struct article *a;
	struct err *err = check_bare(c, v);

	console_will_go(v, path);
	if (err == NULL)
		err = console_article(c, v, &a);
	if (err != NULL && err->code == ERR_NOT_FOUND)
		err = missing(c, v, err);
	if (err != NULL)
		return err;
	destroy_add(c, &d, a);
	err = destroy_workspace(c, &d, v->workspace->id);
	if (err == NULL)
		err = d.refused[0];
	if (err != NULL)
		return err;
	console_journal(c, v, "article purge %s", v->id);
	(void)destroy_pictures(c, &d);
	console_go(c, v, reply, path, "deleted");
	return NULL;
}

const struct console_row editor_screens[] = {
	{ .method = "GET", .pattern = "/W/articles/new", .need = RIGHT_WRITE,
	    .title = tr_mark("New article"), .editor = true, .handler = begin },
	{ .method = "POST", .pattern = "/W/articles/new", .need = RIGHT_WRITE,
	    .title = tr_mark("New article"), .editor = true, .handler = create },
	{ .method = "GET", .pattern = "/W/articles/ID", .title = tr_mark("Article"),
	    .editor = true, .handler = show },
	{ .method = "POST", .pattern = "/W/articles/ID", .title = tr_mark("Article"),
	    .editor = true, .handler = save },
	{ .method = "POST", .pattern = "/W/articles/ID/restore", .need = RIGHT_PUBLISH,
	    .title = tr_mark("Restore"), .handler = restore },
	{ .method = "POST", .pattern = "/W/articles/ID/destroy", .need = RIGHT_MANAGE,
	    .title = tr_mark("Delete for good"), .step_up = true, .handler = destroy },
	{ .method = NULL },
};
