/* galley article edit */
#include "action/article/edit.h"

#include <stdlib.h>
#include <string.h>

#include "article/content-state.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "terminal/editor.h"
#include "terminal/terminal.h"

/* The state of one `article edit`. */
struct editing {
	struct edit edit;
	struct editor editor;
	struct import_result result;
};

/* Reads the article and opens the editor's file on it. */
static struct err *
open_text(struct ctx *c, struct call *call, struct editing *e)
{
	struct find_place place = pick_place(c, call, NULL);
	struct err *err = edit_open(c, &place, call->operands[0], &e->edit);

	if (err != NULL)
		return err;
	call->operands[0] = e->edit.article->uuid;
	return editor_open(&e->editor, c, e->edit.article->slug, e->edit.text, e->edit.len);
}

/* Returns the line that a refusal names ("… line 12 …"), or 0. */
static unsigned
line_of(const struct err *err)
{
	const char *at = strstr(err->message, "line ");

	if (at == NULL)
		at = strstr(err->message, "Line ");
	return at != NULL ? (unsigned)strtoul(at + 5, NULL, 10) : 0;
}

/* Asks on a terminal whether the person wants to edit again. */
static bool
again(const struct err *err)
{
	if (!ask_can())
		return false;
	note_say("galley: %s", err->message);
	return ask("Edit again?", true);
}

/* Keeps the text if the machine fails while the command saves. */
static void
on_death(struct call *call)
{
	struct editing *e = call->death_arg;

	note_say("Your text is kept in %s for %d days.", e->editor.path, UNSAVED_DAYS);
	unsaved_keep(&e->editor.file);
}

/* Edits until the text is saved or the person gives up. *same: the text was not
 * edited. */
static struct err *
edit_text(struct ctx *c, struct editing *e, bool *same)
{
	const char *before = e->editor.text;
	size_t before_len = e->editor.len;
	unsigned line = 0;
	struct err *err;

	for (;;) {
		err = editor_run(&e->editor, line);
		if (err != NULL)
			return err;
		*same =
		    e->editor.len == before_len && memcmp(e->editor.text, before, before_len) == 0;
		if (*same)
			return NULL;
		err = edit_save(c, &e->edit, e->editor.text, e->editor.len, &e->result);
		if (err == NULL)
			return NULL;
		/* If the article has changed, editing again does not help. */
		if (err->code == ERR_CONFLICT || !again(err))
			return editor_keep(&e->editor, err);
		line = line_of(err);
	}
}

static struct err *
edit(struct ctx *c, struct call *call)
{
	struct editing e = { .edit = { .move = call_has(call, "move") } };
	const struct article *a;
	struct err *err;
	bool same;

	err = open_text(c, call, &e);
	if (err != NULL)
		return err;
	call->death_arg = &e;
	call->on_death = on_death;
	err = edit_text(c, &e, &same);
	call->on_death = NULL;
	if (err != NULL)
		return err;
	editor_close(&e.editor);
	if (!same)
		call_changed(call, e.edit.article->uuid);
	err = edit_end(c, &e.edit);
	if (err != NULL)
		return err;
	a = e.edit.article;
	if (call->as_json)
		article_state_write(&call->json, a, e.edit.unfinished);
	call_say(call, same ? "%s is as it was." : "%s is saved.", a->title);
	for (size_t i = 0; !same && i < e.result.note_count; i++)
		call_say(call, "  - %s", e.result.notes[i]);
	return NULL;
}

static const struct command_option edit_options[] = {
	{ .name = "move", .help = "also the slug of a published article" },
	{ .name = NULL },
};

const struct command command_article_edit[] = {
	{ .noun = "article",
	    .verb = "edit",
	    .operands = "ID",
	    .operands_min = 1,
	    .operands_max = 1,
	    .options = edit_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID,
	    .run = edit,
	    .summary = "open the working copy in $EDITOR, as Markdown",
	    .text =
		"What is published stays until galley article publish. A text with an error is opened\n"
		"again; one that cannot be saved is kept for 30 days, and its place named, by the next\n"
		"edit of the article too." },
	{ .verb = NULL },
};
