/* The editor, without script (docs/console.md §5): one form, whose buttons save first; and what
 * clashes when two people changed the same of an article (§5.3): both wordings of each place, and
 * the person's choice. */
#include "editor-screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../all.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/log.h"
#include "base/utf8.h"
#include "base/uuid.h"
#include "console/page.h"
#include "import/losses.h"
#include "screen/tr.h"

/* ---- a clash */

struct clash {
	struct ctx *c;
	const struct visit *v;
	const struct form *sent;
	const struct write *write;
	const char *action;
};

static const struct {
	const char *value, *label;
	enum merge_choice choice;
} choices[] = {
	{ "theirs", tr_mark("Theirs"), MERGE_THEIRS },
	{ "mine", tr_mark("Yours"), MERGE_MINE },
	{ "both", tr_mark("Both"), MERGE_BOTH },
};

#define CHOICES (sizeof(choices) / sizeof(choices[0]))

static enum merge_choice
read_choice(const struct visit *v, const char *name, size_t count)
{
	const char *sent = console_sent(v, name);

	for (size_t i = 0; sent != NULL && i < count; i++) {
		if (strcmp(sent, choices[i].value) == 0)
			return choices[i].choice;
	}
	return MERGE_NONE;
}

/* Reads the answers to a clash, if the form has them. */
static void
clash_read(const struct visit *v, struct write *w)
{
	char name[64];

	w->over = console_sent(v, "over");
	for (size_t i = 0; w->over != NULL && i < WRITE_FIELDS; i++) {
		(void)snprintf(name, sizeof(name), "field-%s", editor_names[i]);
		w->field_choices[i] = read_choice(v, name, CHOICES - 1);
	}
	for (size_t i = 0; w->over != NULL && i < WRITE_CHOICES; i++) {
		(void)snprintf(name, sizeof(name), "place-%zu", i + 1);
		w->choices[i] = read_choice(v, name, CHOICES);
	}
}

/* ---- the page of a clash */

/* Writes what was sent, so that it is sent again. */
static void
write_sent(struct hwrite *w, const struct clash *k)
{
	static const char *const buttons[] = { [WRITE_SAVE] = "save",
		[WRITE_PUBLISH] = "publish",
		[WRITE_UNPUBLISH] = "unpublish",
		[WRITE_TRASH] = "trash",
		[WRITE_HAND_IN] = "hand-in",
		[WRITE_HAND_BACK] = "hand-back",
		[WRITE_TAKE_BACK] = "take-back" };
	const struct form *f = k->sent;

	for (size_t i = 0; f->fields[i].name != NULL; i++) {
		if (f->fields[i].kind == FIELD_SUBMIT || f->fields[i].readonly)
			continue;
		if (f->fields[i].kind != FIELD_CHECKBOX)
			hwrite_hidden(
			    w, f->fields[i].name, f->entry[i].text != NULL ? f->entry[i].text : "");
		else if (f->entry[i].on)
			hwrite_hidden(w, f->fields[i].name, "1");
	}
	hwrite_hidden(w, "over", k->write->theirs);
	if (k->write->then != WRITE_SAVE)
		hwrite_hidden(w, buttons[k->write->then], "1");
	else if (editor_pressed(f, "trash"))
		hwrite_hidden(w, "trash", "1");
}

static void
write_wording(struct hwrite *w, const char *label, const char *text)
{
	@ <h2>{=label}</h2>
	if (text[0] == '\0')
		@ <p>Nothing: it was removed in this version.</p>
	else
		@ <pre class="wording" dir="auto" tabindex="0">{=text}</pre>
}

static void
write_choice(struct hwrite *w, const char *name, const char *legend, const char *theirs,
    const char *mine, size_t count)
{
	@ <fieldset class="field"><legend>{=legend}</legend>
	write_wording(w, tr("Theirs"), theirs);
	write_wording(w, tr("Yours"), mine);
	for (size_t i = 0; i < count; i++) {
		const char *id = arena_printf(w->out->arena, "%s-%s", name, choices[i].value);
		@ <div class="tick">
		@ <input type="radio" id={id} name={name} value={choices[i].value} required>
		@ <label for={id}>{=tr(choices[i].label)}</label></div>
	}
	@ </fieldset>
}

static const char *
label_of(const struct form *f, const char *name)
{
	size_t i = 0;

	while (strcmp(f->fields[i].name, name) != 0)
		i++;
	return tr(f->fields[i].label);
}

static void
write_clash(struct hwrite *w, const void *data)
{
	const struct clash *k = data;
	const struct write *write = k->write;
	struct arena *a = k->c->arena;
	struct form f;
	size_t n = 0;

	screen_notice(w, SCREEN_WARNING, "%s",
	    tr("Somebody else saved this article since you opened it, and changed the same places. Nothing of yours is saved yet: choose a wording for each place."));
	if (write->upload != NULL)
		screen_notice(w, SCREEN_WARNING, "%s",
		    tr("The file that you chose is not kept: choose it again when this is saved."));
	form_init(&f, "clash", PAGE_BUTTON("save", tr_mark("Save"), FIELD_PRIMARY));
	console_form_begin(k->c, k->v, w, &f, k->action);
	write_sent(w, k);
	for (size_t i = 0; i < WRITE_FIELDS; i++) {
		if (write->field_clashes[i])
			write_choice(w, arena_printf(a, "field-%s", editor_names[i]),
			    label_of(k->sent, editor_names[i]), write->field_theirs[i],
			    write->values[i], CHOICES - 1);
	}
	for (size_t i = 0; i < write->merge.count; i++) {
		const struct merge_piece *p = &write->merge.pieces[i];
		if (!p->clash)
			continue;
		n++;
		write_choice(w, arena_printf(a, "place-%zu", n),
		    arena_printf(a, tr("Place %zu of the text"), n), p->theirs, p->mine, CHOICES);
	}
	form_write_field(w, &f, "save");
	form_write_end(w);
}

/* Answers 409 with what clashes; its form sends everything again to `action`. */
static void
clash_show(struct ctx *c, const struct visit *v, struct reply *reply, const struct form *f,
    const struct write *w, const char *action)
{
	const struct clash k = { .c = c, .v = v, .sent = f, .write = w, .action = action };

	reply->status = 409;
	console_page(c, v, reply, tr("Two wordings"), NULL, write_clash, &k);
}

/* ---- the editor */

#define TITLE_MADE 70 /* characters of a title that is made of the text */

const char *
editor_address(struct ctx *c, const struct visit *v, const char *id)
{
	return arena_printf(c->arena, "/%s/articles/%s", v->workspace->uuid, id);
}

/* Finds who saved last, as the console knows them now. */
static void
read_last(struct editing *e, const struct write_view *view)
{
	const struct person *p;

	e->saved_at = view->saved_at;
	if (view->saved_by == NULL)
		return;
	if (strcmp(view->saved_by, e->v->person->uuid) == 0) {
		e->saved_by = "";
		return;
	}
	db_begin_read(e->c, DB_CONSOLE);
	p = person_find(e->c, view->saved_by);
	e->saved_by = p != NULL ? p->name : tr("somebody who was removed");
	db_rollback(e->c);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct editing e = { .c = c, .v = v, .action = editor_address(c, v, v->id) };
	struct write_view view;
	struct losses losses;
	struct ready ready;
	struct form f;
	struct err *err = write_look(c, v->workspace, v->id, &e.article, &view);

	if (err == NULL && console_query(c, v, "check") != NULL) {
		err = ready_look(c, v->workspace, v->id, &ready);
		e.ready = &ready;
		if (err == NULL)
			err = editor_find_spots(c, v, &ready, &e.spots);
	}
	if (err != NULL)
		return err;
	err = review_read(c, v, v->id, &e.reviewed);
	if (err != NULL)
		return err;
	e.unpublished = unpublished_is(c, v, e.article);
	editor_form(c, v, e.article, &view.handed, &f);
	editor_fill(c, &f, &view);
	editor_cover_offer(c, v, &f, view.values[WRITE_IMAGE]);
	editor_suggest(c, v, &f);
	e.content = &view.snapshot->content;
	read_last(&e, &view);
	editor_find_losses(c, v, &view, &losses);
	e.losses = &losses;
	e.form = &f;
	editor_page(&e, reply);
	return NULL;
}

static struct err *
begin(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct editing e = { .c = c,
		.v = v,
		.action = arena_printf(c->arena, "/%s/articles/new", v->workspace->uuid) };
	struct form f;

	editor_form(c, v, NULL, NULL, &f);
	editor_cover_offer(c, v, &f, NULL);
	editor_suggest(c, v, &f);
	form_fill(&f, "language", v->workspace->settings.language);
	e.form = &f;
	editor_page(&e, reply);
	return NULL;
}

/* ---- what was sent */

/* What a button does, and the right that it needs besides a save's. */
static const struct act {
	const char *button;
	enum write_then then;
	enum right need;
	const char *journal, *notice;
} acts[] = {
	{ "publish", WRITE_PUBLISH, RIGHT_PUBLISH, "publish", "published" },
	{ "unpublish", WRITE_UNPUBLISH, RIGHT_PUBLISH, "unpublish", "unpublished" },
	{ "trash", WRITE_TRASH, RIGHT_PUBLISH, "delete", "trashed" },
	{ "hand-in", WRITE_HAND_IN, RIGHT_WRITE, "hand-in", "handed-in" },
	{ "hand-back", WRITE_HAND_BACK, RIGHT_PUBLISH, "hand-back", "handed-back" },
	{ "take-back", WRITE_TAKE_BACK, RIGHT_WRITE, "take-back", "taken-back" },
	{ "say", WRITE_SAVE, RIGHT_READ, "save", NULL },
	{ "save", WRITE_SAVE, RIGHT_WRITE, "save", NULL }, /* the last one */
};

#define ACTS (sizeof(acts) / sizeof(acts[0]))

/* Returns the act of the button that was pressed. Enter in a field is "Save". */
static const struct act *
act_of(const struct visit *v)
{
	size_t i = 0;

	while (i < ACTS - 1 && console_sent(v, acts[i].button) == NULL)
		i++;
	return &acts[i];
}

/* Reads which button was pressed, and asks for its right. */
static struct err *
read_button(struct ctx *c, struct visit *v, struct write *w)
{
	const struct act *act = act_of(v);
	struct err *err = console_need(c, v, act->need);

	w->then = act->then;
	if (err == NULL && console_may(v, RIGHT_WRITE))
		err = console_need(c, v, RIGHT_WRITE);
	/* The fields were read with this right, so it must be there under the lock, too. */
	if (err == NULL && console_may(v, RIGHT_PUBLISH))
		err = console_need(c, v, RIGHT_PUBLISH);
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
		if (strncmp(err->message, write_fields[i], len) == 0 && err->message[len] == ' ')
			err->message = arena_printf(c->arena, "This%s", err->message + len);
		err->param = editor_names[i];
		return;
	}
}

/* Where a button leads after it saved, after the article's address. */
static const struct {
	const char *name, *path;
} leads[] = {
	{ "preview", "/preview" }, { "check", "?check=1" },
	{ "publish", "/publish" }, /* if somebody must look first */
	{ "trash", "/trash" }, /* the same */
};

/* Returns where the browser goes, and the sentence that is said there (NULL: none). */
static const char *
next_of(struct ctx *c, const struct visit *v, const struct form *f, const struct write *w,
    const char **notice)
{
	const char *path = editor_address(c, v, w->id);
	const struct act *act = act_of(v);
	const char *part = console_sent(v, "part");

	*notice = w->merged	       ? "merged"
		  : w->saved	       ? "saved"
		  : w->comment != NULL ? "commented"
				       : "unchanged";
	if (act->notice != NULL && w->then == act->then &&
	    (w->then != WRITE_PUBLISH || w->published))
		*notice = act->notice;
	if (w->then == WRITE_TRASH)
		return arena_printf(c->arena, "/%s/articles", v->workspace->uuid);
	if (w->published) {
		*notice = NULL;
		return arena_printf(c->arena, "%s/published", path);
	}
	if (strcmp(*notice, "saved") == 0 && editor_has_file(v))
		*notice = "from-file";
	part = part != NULL ? piece_way(c, part) : NULL;
	if (part != NULL) {
		*notice = NULL;
		return arena_printf(c->arena, "%s%s", path, part);
	}
	for (size_t i = 0; i < sizeof(leads) / sizeof(leads[0]); i++) {
		if (editor_pressed(f, leads[i].name)) {
			/* Somebody pressed for a page, not for a save. */
			if (act->notice != NULL || strcmp(*notice, "unchanged") == 0)
				*notice = NULL;
			return arena_printf(c->arena, "%s%s", path, leads[i].path);
		}
	}
	return path;
}

struct going {
	const struct visit *v;
	const struct form *form;
	const struct write *write;
};

/* Names where the browser goes, when everything is done but the commit. */
static const char *
will_go(struct ctx *c, const void *arg)
{
	const struct going *g = arg;
	const char *notice, *path = next_of(c, g->v, g->form, g->write, &notice);
	struct buf answer;

	buf_init(&answer, c->arena, (size_t)16 * 1024);
	buf_add_text(&answer, path);
	screen_address_add(&answer, "notice", notice);
	return buf_done(&answer);
}

/* Writes a line of the journal for what was done. */
static void
tell(struct ctx *c, const struct visit *v, const struct write *w)
{
	/* Automatic saves have a line a minute. */
	if ((w->saved && !w->replaced) || w->then != WRITE_SAVE)
		console_journal(c, v, "article %s %s",
		    w->then == WRITE_SAVE ? "save" : act_of(v)->journal, w->id);
	else if (w->comment != NULL)
		console_journal(c, v, "article comment %s", w->id);
}

/* Returns when the base of the form was shown. A form that comes back has a new number, but the
 * base that it had. */
static int64_t
shown_at(struct ctx *c, const struct visit *v, struct form *f)
{
	const char *text = form_text(f, "shown");
	int64_t at = v->number.made_at, was = text != NULL ? strtoll(text, NULL, 10) : 0;

	if (was > 0 && (at == 0 || was < at))
		at = was;
	form_fill(f, "shown", arena_printf(c->arena, "%lld", (long long)at));
	return at;
}

/* Returns a title for a text without one: its first line that shows something, without the marks
 * before it; "" if there is none. */
static const char *
title_of(struct ctx *c, const char *text)
{
	size_t len;

	text += strspn(text, "#>*+-=_`~|![ \t\r\n");
	len = strcspn(text, "\r\n");
	text = arena_text_n(c->arena, text, len);
	len = utf8_prefix(text, TITLE_MADE);
	while (len > 0 && text[len - 1] == ' ')
		len--;
	return arena_text_n(c->arena, text, len);
}

/* Returns the id in the address of an article. */
static const char *
id_in(struct ctx *c, const char *address)
{
	const char *at = strstr(address, "/articles/");

	if (at != NULL) {
		at += strlen("/articles/");
		return arena_text_n(c->arena, at, strcspn(at, "?/"));
	}
	BUG("the answer of an article is %s", address);
}

/* Makes a title where the script sends a text alone. False: there is nothing to make it of. */
static bool
has_title(struct ctx *c, const struct visit *v, struct form *f, struct write *w)
{
	if (!w->is_new || !v->by_script || w->values[WRITE_TITLE][0] != '\0')
		return true;
	w->values[WRITE_TITLE] = title_of(c, w->text);
	if (w->values[WRITE_TITLE][0] == '\0')
		form_refuse(f, "title", tr("This must be filled in."));
	return w->values[WRITE_TITLE][0] != '\0';
}

/* Answers the script. */
static struct err *
answer_script(const struct script *s, const struct form *f, struct write *w)
{
	const char *title = form_text(f, "title");

	/* It is told of a title that was made. */
	if (w->is_new)
		w->values[WRITE_TITLE] = title != NULL ? title : "";
	return script_saved(s);
}

static struct err *
run(struct ctx *c, struct visit *v, struct reply *reply, struct editing *e, struct form *f,
    struct write *w)
{
	const struct script script = { .c = c, .v = v, .reply = reply, .write = w };
	const struct going going = { .v = v, .form = f, .write = w };
	const char *notice, *path;
	bool good;
	struct err *file, *err = editor_check_readonly(c, v, f);

	if (err == NULL)
		err = read_button(c, v, w);
	if (err != NULL)
		return err;
	file = editor_take_file(c, v);
	good = console_read(c, v, f);
	if (file != NULL) {
		form_refuse(f, "text", file->message);
		good = false;
	}
	reply->status = v->number_state == FORMNUMBER_GOOD ? 422 : 409;
	w->made_at = shown_at(c, v, f);
	w->automatic = v->by_script && console_sent(v, "save") == NULL;
	if (good)
		editor_take(v, f, e->article, w);
	good = good && has_title(c, v, f, w);
	good = good && editor_cover_begin(c, v, reply, f, e->view, w);
	if (good) {
		clash_read(v, w);
		console_will_tell(v, will_go, &going);
		err = write_article(c, w);
		editor_cover_end(c, v, w, err == NULL && !w->clashed);
		if (err == NULL && w->clashed) {
			if (v->by_script)
				script_clashed(&script);
			else
				clash_show(c, v, reply, f, w, e->action);
			return NULL;
		}
		if (err == NULL) {
			reply->status = 200;
			tell(c, v, w);
			if (v->by_script)
				return answer_script(&script, f, w);
			path = next_of(c, v, f, w, &notice);
			console_go(c, v, reply, path, notice);
			return NULL;
		}
		if (w->is_new && v->by_script && v->repeated) {
			v->repeated = false;
			w->id = id_in(c, v->answer);
			return answer_script(&script, f, w);
		}
		name_field(c, err);
		err = console_wrong(c, v, reply, f, err);
		if (err != NULL)
			return err;
	}
	if (v->by_script) {
		script_refused(&script, f);
		return NULL;
	}
	editor_cover_again(v, f);
	e->form = f;
	editor_page(e, reply);
	return NULL;
}

static struct err *
save(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct editing e = { .c = c, .v = v, .action = editor_address(c, v, v->id) };
	struct write *w = arena_alloc(c->arena, sizeof(*w));
	struct write_view view;
	struct form f;
	struct err *err = write_look(c, v->workspace, v->id, &e.article, &view);

	if (err != NULL)
		return err;
	err = review_read(c, v, v->id, &e.reviewed);
	if (err != NULL)
		return err;
	editor_form(c, v, e.article, &view.handed, &f);
	editor_fill(c, &f, &view);
	editor_cover_offer(c, v, &f, view.values[WRITE_IMAGE]);
	e.content = &view.snapshot->content;
	e.view = &view;
	w->id = v->id;
	w->person = v->person->uuid;
	return run(c, v, reply, &e, &f, w);
}

static struct err *
create(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct editing e = { .c = c,
		.v = v,
		.action = arena_printf(c->arena, "/%s/articles/new", v->workspace->uuid) };
	struct write *w = arena_alloc(c->arena, sizeof(*w));
	char *id = arena_alloc(c->arena, UUID_TEXT);
	struct form f;

	uuid_random(id);
	editor_form(c, v, NULL, NULL, &f);
	editor_cover_offer(c, v, &f, NULL);
	*w = (struct write) {
		.workspace = v->workspace, .id = id, .is_new = true, .person = v->person->uuid
	};
	return run(c, v, reply, &e, &f, w);
}

SCREEN(editor) = {
	{ "GET", "/W/articles/new", .need = RIGHT_WRITE, .title = tr_mark("New article"),
	    .editor = true, .script = SCREEN_EDITS, .handler = begin },
	{ "POST", "/W/articles/new", .need = RIGHT_WRITE, .title = tr_mark("New article"),
	    .editor = true, .holds = true, .files = true, .script = SCREEN_EDITS,
	    .handler = create },
	{ "GET", "/W/articles/ID", .title = tr_mark("Article"), .editor = true,
	    .script = SCREEN_EDITS, .handler = show },
	{ "POST", "/W/articles/ID", .title = tr_mark("Article"), .editor = true, .holds = true,
	    .files = true, .script = SCREEN_EDITS, .handler = save },
	{ .method = NULL },
};
