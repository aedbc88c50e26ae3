#include <stdio.h>
#include <string.h>

#include "../all.h"
#include "action/article/article-writing.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "content/lang.h"
#include "editor-screen.h"
#include "import/losses.h"
#include "screen/assets.h"
#include "screen/say.h"
#include "screen/tr.h"

/*
 * What the editor's script gets (docs/console.md §5.4): JSON, for the same POST as the form's.
 *
 * 200 {number, base, shown, saved_at, length, saved, merged, text, fields, losses: [{text, places:
 *     [{line, label}], more}]}, and `address` of a new article. `text` is null, or the text where
 *     others changed it; `fields` are those that others changed; `saved_at` is the clock's time in
 *     the workspace's zone ("9:05").
 * 409 {number, base, blocks: [{field, theirs, yours}]}: a clash
 * 409, 422 {number, shown, errors: [{field, line, text}]}: `shown` is when the form's base was
 *     shown first, in microseconds. Where characters were taken out of a field the error has
 *     `value`. Other refusals have `errors` and `request_id`.
 * 403 {sign_in}: the session has ended
 */

static void
begin(const struct script *s, struct jwrite *w, int status)
{
	const char *route = s->v->path;
	char number[FORMNUMBER_TEXT];

	console_json(s->reply);
	s->reply->status = status;
	jwrite_init(w, &s->reply->body);
	jwrite_object(w);
	if (status == 200 && s->write != NULL && s->write->is_new)
		route = editor_address(s->c, s->v, s->write->id);
	formnumber_draw(s->c, s->v->person->uuid, route, number);
	jwrite_member_text(w, "number", number);
}

static bool
is_same(const char *sent, const char *now)
{
	return sent == NULL || strcmp(sent, now) == 0;
}

/* Writes the fields that others changed: the script shows them, or the next save would bring
 * back what was there before. */
static void
write_fields_now(
    struct jwrite *w, const struct script *s, const struct article *a, const struct write_view *now)
{
	jwrite_member_object(w, "fields");
	for (size_t f = 0; f < WRITE_FIELDS; f++) {
		if (write_counts_at_once(a, f) || is_same(s->write->values[f], now->values[f]) ||
		    (f == WRITE_SLUG && s->write->is_new))
			continue;
		if (f == WRITE_NOINDEX)
			jwrite_member_bool(w, editor_names[f], now->values[f][0] != '\0');
		else
			jwrite_member_text(w, editor_names[f], now->values[f]);
	}
	jwrite_object_end(w);
}

struct err *
script_saved(const struct script *s)
{
	const struct article *a;
	struct editor_measure measure;
	struct write_view now;
	struct losses losses;
	struct jwrite w;
	struct err *err = write_look(s->c, s->v->workspace, s->write->id, &a, &now);

	if (err != NULL)
		return err;
	if (s->write->saved)
		console_used(s->c, s->v);
	begin(s, &w, 200);
	if (s->write->is_new)
		jwrite_member_text(&w, "address",
		    console_path(s->c, s->v, "%s", editor_address(s->c, s->v, s->write->id)));
	jwrite_member_text(&w, "base", now.base);
	jwrite_member_text(&w, "shown", arena_printf(s->c->arena, "%lld", (long long)now.shown_at));
	jwrite_member_text(&w, "saved_at", say_clock_text(s->c, s->c->now));
	editor_measure(s->c, s->v, a, &measure);
	jwrite_member_text(&w, "length", measure.length);
	jwrite_member_bool(&w, "saved", s->write->saved);
	jwrite_member_bool(&w, "merged", s->write->merged);
	if (is_same(s->write->text, now.text))
		jwrite_member_null(&w, "text");
	else
		jwrite_member_text(&w, "text", now.text);
	write_fields_now(&w, s, a, &now);
	editor_find_losses(s->c, s->v, &now, &losses);
	editor_losses_json(&w, s->c, now.text, &losses);
	jwrite_object_end(&w);
	return NULL;
}

void
script_clashed(const struct script *s)
{
	const struct write *write = s->write;
	struct jwrite w;

	begin(s, &w, 409);
	jwrite_member_text(&w, "base", write->theirs);
	jwrite_member_array(&w, "blocks");
	for (size_t f = 0; f < WRITE_FIELDS; f++) {
		if (!write->field_clashes[f])
			continue;
		jwrite_object(&w);
		jwrite_member_text(&w, "field", editor_names[f]);
		jwrite_member_text(&w, "theirs", write->field_theirs[f]);
		jwrite_member_text(&w, "yours", write->values[f]);
		jwrite_object_end(&w);
	}
	for (size_t i = 0; i < write->merge.count; i++) {
		if (!write->merge.pieces[i].clash)
			continue;
		jwrite_object(&w);
		jwrite_member_text(&w, "field", "text");
		jwrite_member_text(&w, "theirs", write->merge.pieces[i].theirs);
		jwrite_member_text(&w, "yours", write->merge.pieces[i].mine);
		jwrite_object_end(&w);
	}
	jwrite_array_end(&w);
	jwrite_object_end(&w);
}

void
script_stored(const struct script *s, const char *markdown)
{
	struct jwrite w;

	console_used(s->c, s->v);
	begin(s, &w, 200);
	jwrite_member_text(&w, "markdown", markdown);
	jwrite_object_end(&w);
}

/* Writes an error; a sentence of the Markdown reader begins with a word, the number of the line
 * and a colon. A `value` takes the place of what was sent. */
void
script_error(struct jwrite *w, const char *field, const char *text, const char *value)
{
	unsigned line = 0;
	char colon = '\0';

	jwrite_object(w);
	if (field != NULL)
		jwrite_member_text(w, "field", field);
	else
		jwrite_member_null(w, "field");
	if (sscanf(text, "%*[^0-9 ] %9u%c", &line, &colon) == 2 && colon == ':')
		jwrite_member_int(w, "line", line);
	else
		jwrite_member_null(w, "line");
	jwrite_member_text(w, "text", text);
	if (value != NULL)
		jwrite_member_text(w, "value", value);
	jwrite_object_end(w);
}

void
script_refused(const struct script *s, const struct form *f)
{
	struct jwrite w;

	begin(s, &w, s->reply->status);
	if (strcmp(f->id, "article") == 0)
		jwrite_member_text(&w, "shown", form_text(f, "shown"));
	jwrite_member_array(&w, "errors");
	if (f->error != NULL)
		script_error(&w, NULL, f->error, NULL);
	for (size_t i = 0; f->fields[i].name != NULL; i++) {
		const struct form_entry *entry = &f->entry[i];
		if (entry->error != NULL)
			script_error(&w, f->fields[i].name, entry->error,
			    !entry->taken_out	  ? NULL
			    : entry->text != NULL ? entry->text
						  : "");
	}
	jwrite_array_end(&w);
	jwrite_object_end(&w);
}

/* ---- what the script fills in its page: whether all is saved, the tools, the question about a
 * picture, and the preview. Without the script nothing of it is seen. */

static const struct editor_says says[] = {
	{ "waits", tr_mark("Not saved yet") },
	{ "sending", tr_mark("Saving…") },
	{ "saved", tr_mark("Saved at %s") },
	{ "merged", tr_mark("Saved at %s, with what somebody else wrote meanwhile") },
	{ "lost",
	    tr_mark(
		"No connection. What you type stays in this page and is sent when there is one.") },
	{ "signed-out", tr_mark("Your session has ended. What you typed is kept in this tab.") },
	{ "sign-in", tr_mark("Sign in") },
	{ "clash",
	    tr_mark(
		"Somebody else changed the same place, so this is not saved. Press Save to choose a wording.") },
	{ "refused", tr_mark("Not saved: %s") },
	{ "failed", tr_mark("Failed checks") },
	{ "left", tr_mark("Left to write") },
	{ "passed", tr_mark("Checks that are passed") },
	{ "passes", tr_mark("It passes every check, and nothing is left to write.") },
	{ "count", tr_mark("%s of 70 to 160 characters") },
	{ "plain", tr_mark("No connection, so it was pasted as plain text.") },
	{ "left-out",
	    tr_mark(
		"Pictures were left out: your browser did not get them. Save each as a file, then choose it with \"Picture\".") },
	{ "no-picture", tr_mark("Only pictures can be taken in: JPEG, PNG, WebP or GIF.") },
	{ "uploading", tr_mark("The picture is being uploaded…") },
	{ "not-uploaded",
	    tr_mark("No connection, so the picture was not uploaded. Try it again.") },
	{ NULL, NULL },
};

static void
write_says(struct hwrite *w, const struct editor_says *s)
{
	for (; s->name != NULL; s++)
		@ <span data-say={s->name} hidden>{=tr(s->sentence)}</span>
}

/* "saving-copy" is what is in this tab and was never saved. */
void
editor_write_saving(struct hwrite *w, const struct editing *e)
{
	const char *language =
	    e->article != NULL ? e->article->language : e->v->workspace->settings.language;
	const char *parts =
	    arena_printf(e->c->arena, "%s\n%s\n%s", lang_label(language, LANG_TAKEAWAYS),
		lang_label(language, LANG_FAQS), lang_label(language, LANG_REFERENCES));

	@ <div id="saving" data-person={e->v->person->uuid}
	@     data-paste={console_path(e->c, e->v, "/%s/articles/paste", e->v->workspace->uuid)}
	@     data-parts={parts}
	@     data-visual={asset_address(e->c->arena, e->v->place.root, ASSET_VISUAL)}>
	@ <div id="saving-copy" class="notice warning" hidden>
	@ <p>You typed something here before that was not saved.</p>
	@ <p><button type="button" id="saving-take" class="button">Take it back</button>{=" "}
	@ <button type="button" id="saving-drop" class="button">Discard it</button>{=" "}
	@ </p></div><p id="saving-heard" class="heard" role="status"></p>
	write_says(w, says);
	write_says(w, editor_view_says);
	@ </div>
}

/* ---- the tools */

/* Writes what a picture that was dropped or pasted shows; its files follow one by one. The script
 * makes the field: it is none of the form. */
void
editor_write_questions(struct hwrite *w, const struct editing *e)
{
	const char *to = arena_printf(e->c->arena, "/%s/pictures", e->v->workspace->uuid);
	char number[FORMNUMBER_TEXT];

	formnumber_draw(e->c, e->v->person->uuid, to, number);
	@ <div id="picture" class="notice" data-to={console_path(e->c, e->v, "%s", to)}
	@     data-number={number} hidden>
	@ <p id="picture-label">What does this picture show? <bdi id="picture-name"></bdi></p>
	@ <p class="hint" id="picture-hint">It is read to people who do not see it. Leave it empty
	@ if the picture only decorates.</p>
	@ <p class="error" id="picture-error" role="alert"></p>
	@ <p class="row">
	@ <button type="button" id="picture-add" class="button">Add the picture</button>{=" "}
	@ <button type="button" id="picture-cancel" class="button">Leave it out</button>{=" "}
	@ </p></div><p class="error" id="paste-error" role="alert"></p>
	@ <button type="button" id="way-back" class="button quiet" hidden>Back to the list</button>
}

/* Writes the formats as one stop of the key Tab: the script moves the focus among them. */
void
editor_write_tools(struct hwrite *w)
{
	static const struct {
		const char *name, *label, *path;
	} tools[] = {
		{ "bold", tr_mark("Bold"),
		    "M7 5h6a3.5 3.5 0 0 1 0 7H7zM7 12h7a3.5 3.5 0 0 1 0 7H7z" },
		{ "italic", tr_mark("Italic"), "M14.5 5h-4M13.5 19h-4M13.5 5l-3 14" },
		{ "link", tr_mark("Link"),
		    "M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7L11.7 6.6M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1.3-1.3" },
		{ "heading", tr_mark("Heading"), "M6 5v14M18 5v14M6 12h12" },
		{ "list", tr_mark("List"),
		    "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01" },
		{ "numbers", tr_mark("Numbered list"),
		    "M10 6h10M10 12h10M10 18h10M4 5l1.5-1v5M4 14.5c0-1.6 2.6-1.6 2.6 0 0 1-2.6 2-2.6 3.5h2.8" },
		{ "quote", tr_mark("Quote"), "M5 6v12M9.5 8H20M9.5 12H20M9.5 16h7" },
		{ "picture", tr_mark("Picture"),
		    "M4 5h16v14H4zM4 16l5-5 4 4 2.5-2.5L20 17M15.5 9.5h.01" },
	};

	@ <div id="tools" class="kit" role="toolbar" aria-label="Formats of the text"
	@     aria-controls="article-text" hidden>
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++)
		@ <button type="button" class="button" data-tool={tools[i].name}
		@     aria-label={tr(tools[i].label)} title={tr(tools[i].label)}>
		@ {!editor_write_icon(w, NULL, tools[i].path)}</button>
	@ </div>
}

/* ---- the preview */

void
editor_write_beside(struct hwrite *w, const struct editing *e)
{
	@ <dialog id="beside" class="beside" aria-label="The article as readers see it"
	@     data-src={console_path(e->c, e->v, "%s/preview/copy?beside=1&colours=", e->action)}
	@     data-title={e->article->title}><p class="row">
	@ <button type="button" id="beside-close" class="button">Close the preview</button>{=" "}
	@ <a class="button" href={console_path(e->c, e->v, "%s/preview", e->action)}>All previews</a>
	@ </p><div id="beside-frames"></div></dialog>
}
