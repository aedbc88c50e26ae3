#include "console/page.h"

#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/log.h"
#include "screen/tr.h"
#include "web/reply.h"

/* ---- addresses */

#define PATH_MAX_BYTES ((size_t)16 * 1024)

static bool
is_unreserved(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '-' || c == '.' || c == '_' || c == '~';
}

/* Adds a text to an address as a part of one segment. "." and ".." would be other segments,
 * escaped as well: nothing is added. */
static void
add_escaped(struct buf *out, const char *text)
{
	if (strcmp(text, ".") == 0 || strcmp(text, "..") == 0)
		return;
	while (*text != '\0') {
		size_t len = 0;
		while (is_unreserved(text[len]))
			len++;
		buf_add(out, text, len);
		text += len;
		if (*text != '\0')
			buf_printf(out, "%%%02X", (unsigned)(unsigned char)*text++);
	}
}

/* Returns whether these bytes are a word of patterns; *is: what it names on this visit, or NULL. */
static bool
is_word(const struct visit *v, const char *segment, size_t len, const char **is)
{
	const char *workspace = v->workspace != NULL ? v->workspace->uuid : NULL;
	const char *account = v->account != NULL ? v->account->uuid : NULL;
	const struct {
		const char *word, *is;
	} words[] = { { "W", workspace }, { "A", account },
		{ "P", workspace != NULL ? workspace : account }, { "ID", v->id },
		{ "NAME", v->name } };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		*is = words[i].is;
		if (strlen(words[i].word) == len && memcmp(words[i].word, segment, len) == 0)
			return true;
	}
	return false;
}

static const char *
named(const struct visit *v, const char *pattern, const char *is)
{
	if (is == NULL)
		BUG("%s is not about all of %s", v->path, pattern);
	return is;
}

/* Returns the last word of a pattern that has a word. */
static const char *
last_word(const struct visit *v, const char *pattern)
{
	const char *last = NULL, *is;

	while ((pattern = strchr(pattern, '/')) != NULL) {
		pattern++;
		if (is_word(v, pattern, strcspn(pattern, "/"), &is))
			last = pattern;
	}
	return last;
}

/* Adds the address of a pattern, in which `last` (or NULL) names `id`. */
static void
add_path(struct buf *out, const struct page *p, const char *pattern, const char *last,
    const char *id, va_list *args)
{
	const char *whole = pattern, *is;
	bool query = false;
	size_t len;

	while (*pattern != '\0') {
		if (args != NULL && pattern[0] == '%' && pattern[1] == 's') {
			add_escaped(out, va_arg(*args, const char *));
			pattern += 2;
			continue;
		}
		if (*pattern == '%')
			BUG("the address %s has another hole than %%s", whole);
		query = query || *pattern == '?';
		len = *pattern == '/' && !query ? strcspn(pattern + 1, "/?#%") : 0;
		if (len > 0 && is_word(p->v, pattern + 1, len, &is)) {
			buf_add_char(out, '/');
			add_escaped(out, pattern + 1 == last ? id : named(p->v, whole, is));
		} else {
			len = strcspn(pattern + 1, query ? "%" : "/?%");
			buf_add(out, pattern, 1 + len);
		}
		pattern += 1 + len;
	}
}

const char *
page_path(const struct page *p, const char *pattern, ...)
{
	struct buf out;
	va_list args;

	va_start(args, pattern);
	buf_init(&out, p->c->arena, PATH_MAX_BYTES);
	buf_add_text(&out, p->v->place.root);
	add_path(&out, p, pattern, NULL, NULL, &args);
	va_end(args);
	return buf_done(&out);
}

/* Returns the address below the root to which the form of an act is sent. */
static const char *
action_of(const struct page *p, const struct page_act *act, const char *id)
{
	const char *pattern = "";
	struct buf out;

	for (size_t i = 0; console_screens[i] != NULL; i++) {
		for (const struct console_row *row = console_screens[i]; row->method != NULL;
		     row++) {
			bool of_workspace = strncmp(row->pattern, "/W/", 3) == 0;
			if (row->act != act || (of_workspace && p->v->workspace == NULL))
				continue;
			/* The first, or that of the workspace. */
			if (pattern[0] == '\0' || (of_workspace && strncmp(pattern, "/W/", 3) != 0))
				pattern = row->pattern;
		}
	}
	if (pattern[0] == '\0')
		BUG("no row has the act %s here", act->name);
	buf_init(&out, p->c->arena, PATH_MAX_BYTES);
	add_path(&out, p, pattern, id != NULL ? last_word(p->v, pattern) : NULL, id, NULL);
	return buf_done(&out);
}

/* ---- forms */

static struct form *
begin_form(struct page *p, const struct page_act *act, const char *id)
{
	struct form *f = arena_alloc(p->c->arena, sizeof(*f));

	form_init(f, id != NULL ? arena_printf(p->c->arena, "%s-%s", act->name, id) : act->name,
	    act->fields);
	if (act->fill != NULL)
		act->fill(p, f);
	return f;
}

/* Returns the form that this page was sent, or begins one. */
static struct form *
form_here(struct page *p, const struct page_act *act, const char *id)
{
	if (id != NULL || p->form == NULL || act != p->v->row->act)
		return begin_form(p, act, id);
	p->written = true;
	return p->form;
}

void
page_form(struct hwrite *w, struct page *p, const struct page_act *act, const char *id)
{
	console_form(p->c, p->v, w, form_here(p, act, id), action_of(p, act, id));
}

void
page_ask(struct hwrite *w, struct page *p, const struct page_act *act, struct page_question q)
{
	const struct form *f = form_here(p, act, NULL);
	const struct field *field = f->fields;
	const char *action = action_of(p, act, NULL);

	form_write_summary(w, f);
	hwrite_open(w, H_P);
	hwrite_open(w, H_STRONG);
	screen_data(w, q.about);
	hwrite_close(w, H_STRONG);
	hwrite_close(w, H_P);
	if (console_rests_at(p->c, p->v, action)) {
		screen_button_link(
		    w, console_path(p->c, p->v, "%s", q.back), tr("Back, and do nothing"), false);
		return;
	}
	for (size_t i = 0; i < sizeof(q.says) / sizeof(q.says[0]) && q.says[i] != NULL; i++)
		hwrite_element(w, H_P, q.says[i]);
	console_form_begin(p->c, p->v, w, f, action);
	for (; field->kind != FIELD_SUBMIT; field++)
		form_write_field(w, f, field->name);
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "buttons");
	form_write_field(w, f, field->name);
	screen_button_link(
	    w, console_path(p->c, p->v, "%s", q.back), tr("Leave it as it is"), false);
	hwrite_close(w, H_DIV);
	form_write_end(w);
}

/* Takes into a new form what was typed and what is wrong with it. What is hidden, and what may be
 * chosen, are those of the new look. */
static void
take_typed(struct form *f, const struct form *sent)
{
	if (sent->error != NULL)
		form_refuse(f, NULL, sent->error);
	for (size_t i = 0; sent->fields[i].name != NULL; i++) {
		const struct form_entry *was = &sent->entry[i];
		const struct field *field = f->fields;
		while (field->name != NULL && strcmp(field->name, sent->fields[i].name) != 0)
			field++;
		if (field->name != NULL) {
			struct form_entry *is = &f->entry[field - f->fields];
			const struct field_choice *choices = is->choices;
			if (field->kind == FIELD_HIDDEN && is->text != NULL)
				continue;
			*is = *was;
			is->choices = choices;
			is->error = NULL;
		}
		if (was->error != NULL)
			form_refuse(f, field->name, was->error);
	}
}

/* ---- the page */

struct writing {
	struct page *page;
	page_write *write;
};

/* Returns whether a page writes the form that was sent. */
static bool
writes_form(const struct writing *to)
{
	struct hwrite w;
	struct buf out;

	buf_init(&out, to->page->c->arena, to->page->reply->body.max);
	hwrite_init(&w, &out);
	to->page->written = false;
	to->write(&w, to->page);
	return to->page->written;
}

static void
write_main(struct hwrite *w, const void *data)
{
	const struct writing *to = data;
	const struct form *f = to->page->form;

	if (f != NULL && f->errors > 0 && !writes_form(to))
		form_write_summary(w, f);
	to->write(w, to->page);
}

static void
answer(struct page *p, const char *title, const char *under, page_write *write)
{
	const struct writing to = { .page = p, .write = write };

	console_page(p->c, p->v, p->reply, title, under, write_main, &to);
	p->answered = true;
}

void
page_answer(struct page *p, const char *title, const char *under, page_write *write)
{
	p->form = NULL;
	answer(p, title, under, write);
}

bool
page_step_up(struct page *p)
{
	p->answered = p->answered || !console_step_up(p->c, p->v, p->reply);
	return !p->answered;
}

void
page_will_go(struct page *p, const char *path, const char *notice)
{
	struct buf out;

	buf_init(&out, p->c->arena, PATH_MAX_BYTES);
	buf_add_text(&out, path);
	screen_address_add(&out, "notice", notice);
	console_will_go(p->v, buf_done(&out));
	p->go = path;
	p->notice = notice;
}

/* Looks at what the page is about, with new data. */
static struct err *
look(struct page *p, bool acting)
{
	const struct page_kind *kind = p->v->row->page;

	p->acting = acting;
	if (kind == NULL)
		return NULL;
	p->title = NULL;
	p->under = NULL;
	p->data = arena_alloc(p->c->arena, kind->size + 1);
	return kind->load != NULL ? kind->load(p) : NULL;
}

static struct err *
show(struct page *p)
{
	struct err *err = look(p, false);

	if (err == NULL && !p->answered)
		answer(p, p->title, p->under, p->v->row->page->write);
	return err;
}

/* ---- an act */

static void
note(const struct page *p, const char *journal)
{
	const char *is;
	struct buf out;
	size_t len;

	buf_init(&out, p->c->arena, PATH_MAX_BYTES);
	while (*journal != '\0') {
		len = strcspn(journal, " ");
		if (is_word(p->v, journal, len, &is))
			buf_add_text(&out, named(p->v, journal, is));
		else
			buf_add(&out, journal, len);
		journal += len;
		while (*journal == ' ')
			buf_add_char(&out, *journal++);
	}
	console_journal(p->c, p->v, "%s", buf_done(&out));
}

/* The change is made. */
static struct err *
done(struct page *p, const struct page_act *act)
{
	if (act->journal != NULL)
		note(p, act->journal);
	if (p->answered)
		return NULL;
	if (p->go != NULL)
		console_go(p->c, p->v, p->reply, p->go, p->notice);
	else
		answer(p, p->title, p->under, p->v->row->page->write);
	return NULL;
}

/* Refuses a form of a row without a page. */
static struct err *
refuse_alone(struct page *p, struct err *err)
{
	const struct form *f = p->form;
	const char *sentence = f->error;

	for (size_t i = 0; sentence == NULL && f->fields[i].name != NULL; i++)
		sentence = f->entry[i].error;
	return err != NULL ? err : refuse(p->c, ERR_CONFLICT, "%s", sentence);
}

/* Nothing was done: the form comes back. */
static struct err *
again(struct page *p, const struct page_act *act, bool good, struct err *err)
{
	const struct form *sent = p->form;

	if (p->v->row->page == NULL)
		return refuse_alone(p, err);
	if (err != NULL)
		err = console_wrong(p->c, p->v, p->reply, p->form, err);
	if (!good)
		console_refused(p->v, p->reply);
	if (err == NULL)
		err = look(p, false);
	if (err != NULL || p->answered)
		return err;
	p->form = begin_form(p, act, NULL);
	take_typed(p->form, sent);
	answer(p, p->title, p->under, p->v->row->page->write);
	return NULL;
}

/* Refuses what is not there, unless this very form has removed it: then its first answer is given
 * again. */
static struct err *
gone(struct ctx *c, enum db_store store, struct err *err)
{
	struct err *first;

	db_begin_write(c, store, DB_CHANGES_NOTHING, 0, 0);
	first = gate_pass(c);
	db_rollback(c);
	return first != NULL ? first : err;
}

static struct err *
press(struct page *p, const struct page_act *act)
{
	struct err *err = look(p, true);
	bool good;

	if (err != NULL)
		return err->code == ERR_NOT_FOUND ? gone(p->c, act->store, err) : err;
	if (act->go != NULL) {
		struct buf out;
		buf_init(&out, p->c->arena, PATH_MAX_BYTES);
		add_path(&out, p, act->go, NULL, NULL, NULL);
		page_will_go(p, buf_done(&out), act->notice);
	}
	p->form = begin_form(p, act, NULL);
	good = console_read(p->c, p->v, p->form);
	if (!p->answered && act->check != NULL)
		err = act->check(p);
	if (p->answered)
		return err;
	good = good && p->form->errors == 0;
	if (err == NULL && good)
		err = act->act(p);
	return err == NULL && good ? done(p, act) : again(p, act, good, err);
}

struct err *
page_run(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page p = { .c = c, .v = v, .reply = reply };

	return v->row->act != NULL ? press(&p, v->row->act) : show(&p);
}
