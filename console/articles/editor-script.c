#include <stdio.h>
#include <string.h>

#include "../all.h"
#include "action/article/article-writing.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "editor-screen.h"
#include "import/losses.h"
#include "screen/say.h"

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
