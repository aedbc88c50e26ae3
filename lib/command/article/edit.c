/* galley article create | edit */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "article/article-state.h"
#include "article/article.h"
#include "article/token.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "import/markdown/markdown.h"
#include "command/ask.h"
#include "command/call.h"
#include "command/command-list.h"
#include "terminal/editor.h"
#include "command/pick.h"
#include "content/slug.h"
#include "export/export.h"
#include "import/import.h"
#include "store/db.h"
#include "terminal/note.h"

static struct err *
create(struct ctx *c, struct call *call)
{
	struct article_new how = { .slug_is_derived = true };
	struct snapshot s = { .title = call_option(call, "title") };
	struct workspace *w;
	struct article *a;
	struct err *err;

	db_begin_read(c);
	err = pick_workspace(c, call, call_option(call, "workspace"), &w);
	if (err != NULL)
		return err;
	db_commit(c);
	err = workspace_begin(c, w, &w);
	if (err != NULL)
		return err;
	s.slug = slug_make(c->arena, s.title);
	s.language = w->settings.language;
	content_init(&s.content, s.language);
	err = article_insert(c, w, &s, &how, &a);
	if (err != NULL)
		return err;
	db_commit(c);
	call_changed(call, a->uuid);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "id", a->uuid);
		jwrite_object_end(&call->json);
	}
	call_say(call, "The draft %s was created: %s.", a->title, a->uuid);
	call_say(call, "galley article edit %s opens it.", a->uuid);
	return NULL;
}

/* What one `article edit` works on. */
struct edit {
	struct workspace *workspace;
	struct article *article;
	bool move; /* --move */
	char base[TOKEN_TEXT];
	struct editor editor;
	struct import_result result;
};

/* Reads the article and opens the editor's file on it. */
static struct err *
open_text(struct ctx *c, struct call *call, struct edit *e)
{
	struct err *err;
	struct buf text;

	db_begin_read(c);
	err = pick_article(c, call, 0, &e->article);
	if (err != NULL)
		return err;
	e->workspace = workspace_of(c, e->article->workspace_id);
	token_base(e->article, e->base);
	buf_init(&text, c->arena, 4 * EXPORT_BYTES_MAX);
	markdown_write_article(c, e->article, article_working_copy(c, e->article),
	    &text);
	db_commit(c);
	return editor_open(&e->editor, c, e->article->slug, buf_done(&text),
	    text.len);
}

/* The line that a refusal names ("… line 12 …"), 0 for none. */
static unsigned
line_of(const struct err *err)
{
	const char *at = strstr(err->message, "line ");

	if (at == NULL)
		at = strstr(err->message, "Line ");
	return at != NULL ? (unsigned)strtoul(at + 5, NULL, 10) : 0;
}

/* On a terminal, whether the person wants to edit again. */
static bool
again(const struct err *err)
{
	if (!ask_can())
		return false;
	note_say("galley: %s", err->message);
	return ask("Edit again?", true);
}

/* When the command dies of the machine while it saves. */
static void
on_death(struct call *call)
{
	struct edit *e = call->death_arg;

	note_say("Your text is kept in %s for %d days.", e->editor.path,
	    UNSAVED_DAYS);
	unsaved_keep(&e->editor.file);
}

/* Edits until the text is taken, or given up. *same: nothing was edited. */
static struct err *
edit_text(struct ctx *c, struct edit *e, bool *same)
{
	const struct import_options options = { .id = e->article->uuid,
		.base = e->base, .move = e->move };
	const char *before = e->editor.text;
	size_t before_len = e->editor.len;
	unsigned line = 0;
	struct err *err;

	for (;;) {
		err = editor_run(&e->editor, line);
		if (err != NULL)
			return err;
		*same = e->editor.len == before_len &&
		    memcmp(e->editor.text, before, before_len) == 0;
		if (*same)
			return NULL;
		err = import_text(c, e->workspace, e->editor.text,
		    e->editor.len, &options, &e->result);
		if (err == NULL)
			return NULL;
		/* What changed meanwhile is not mended by editing again. */
		if (err->code == ERR_CONFLICT || !again(err))
			return editor_keep(&e->editor, err);
		line = line_of(err);
	}
}

static struct err *
edit(struct ctx *c, struct call *call)
{
	struct edit e = { .move = call_has(call, "move") };
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
	db_begin_read(c);
	e.article = article_find(c, 0, e.article->uuid);
	if (call->as_json)
		article_state_write(c, &call->json, e.article);
	db_commit(c);
	if (!same)
		call_changed(call, e.article->uuid);
	call_say(call, same ? "%s is as it was." : "%s is saved.",
	    e.article->title);
	for (size_t i = 0; !same && i < e.result.note_count; i++)
		call_say(call, "  - %s", e.result.notes[i]);
	return NULL;
}

static const struct command_option create_options[] = {
	{ .name = "workspace", .value = "ID", .help = "where" },
	{ .name = "title", .value = "T", .needed = true,
	    .help = "of the article; the slug is made of it" },
	{ .name = NULL },
};

static const struct command_option edit_options[] = {
	{ .name = "move", .help = "also the slug of a published article" },
	{ .name = NULL },
};

const struct command command_article_edit[] = {
	{ .noun = "article", .verb = "create", .operands = "",
	    .options = create_options, .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = create, .summary = "make an empty draft" },
	{ .noun = "article", .verb = "edit", .operands = "ID",
	    .operands_min = 1, .operands_max = 1, .options = edit_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID, .run = edit,
	    .summary = "open the working copy in $EDITOR, as Markdown",
	    .text = "What is published stays until galley article publish. A"
		    " text with an error is opened\nagain; one that cannot be"
		    " saved is kept for 30 days, and its place named, by the"
		    " next\nedit of the article too." },
	{ .verb = NULL },
};
