/* galley article revert | check | set | create | edit: the working copy. */
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "action/action.h"
#include "action/article/article-actions.h"
#include "action/article/article-history.h"
#include "action/article/publish-actions.h"
#include "article/content-state.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "terminal/editor.h"
#include "terminal/grid.h"
#include "terminal/terminal.h"

/* ---- what a saved working copy is told with */

static void
write_moved(struct jwrite *j, const struct saved *s)
{
	if (!s->moves) {
		jwrite_member_null(j, "moved");
		return;
	}
	jwrite_member_object(j, "moved");
	jwrite_member_text(j, "from", s->from);
	jwrite_member_text(j, "to", s->to);
	jwrite_object_end(j);
}

/*
 * Prints what a command that saved the working copy ends with. For people: whether
 * there are changes to publish, and from where to where the article will move then.
 * With --json: the members of article/content-state.h and `moved`, {from, to} or
 * null.
 */
static void
tell_saved(struct call *call, const struct saved *s)
{
	const struct article *a = s->article;

	if (call->as_json) {
		jwrite_object(&call->json);
		article_state_members(&call->json, a, s->unfinished);
		write_moved(&call->json, s);
		jwrite_object_end(&call->json);
		return;
	}
	if (a->status == ARTICLE_PUBLISHED && article_has_changes(a))
		call_say(call, "galley article publish %s shows the changes.", a->uuid);
	if (s->moves)
		call_say(call,
		    "Then it moves from %s\n"
		    "             to %s; galley article addresses tells others.",
		    s->from, s->to);
}

/* ---- galley article revert */

/* Asks on a terminal: changes that were never published are not in any edition. */
static struct err *
ask_about_changes(struct ctx *c, const struct call *call, const struct article *a)
{
	if (!article_has_changes(a) || call_has(call, "yes") || !ask_can())
		return NULL;
	note_say(
	    "The working copy of %s has changes that were never published, and would lose them.",
	    a->title);
	if (ask("Go on?", false))
		return NULL;
	return refuse(c, ERR_CONFLICT, "Nothing was changed.");
}

static void
tell_reverted(struct call *call, const struct revert *r, const struct edition *e)
{
	const struct article *a = r->saved.article;

	call_changed(call, a->uuid);
	if (e->unfinished > 0)
		note_say("Edition %" PRId64 " was published unfinished: its"
			 " notes of what is left to write are in no edition.",
		    e->version);
	call_say(
	    call, "The working copy of %s is edition %" PRId64 " again.", a->title, e->version);
	if (strcmp(a->slug, e->slug) != 0)
		call_say(call, "Its slug stays %s; it was %s. --move takes that back too.", a->slug,
		    e->slug);
	tell_saved(call, &r->saved);
}

static struct err *
revert(struct ctx *c, struct call *call)
{
	struct revert r = { .move = call_has(call, "move") };
	struct edition e;
	struct article *a;
	int64_t version;

	TRY(pick_one_article(c, call, 0, &a));
	TRY(pick_version(c, call, &version));
	TRY(read_edition(c, a, version, &e));
	TRY(ask_about_changes(c, call, a));
	r.id = a->uuid;
	r.version = e.version;
	TRY(revert_article(c, &r));
	tell_reverted(call, &r, &e);
	return NULL;
}

/* ---- galley article check */

/* Draws the progress. */
static void
check_step(void *arg, int64_t done, int64_t total)
{
	struct progress *progress = arg;

	if (done == 0)
		progress_begin(progress, "Checking", WORK_PIECES, total);
	else
		progress_step(progress, 1);
}

static void
check_to_json(struct jwrite *j, const struct check *k)
{
	jwrite_object(j);
	jwrite_member_int(j, "articles", k->articles);
	jwrite_member_int(j, "passed", k->articles - (int64_t)k->count);
	jwrite_member_array(j, "checks");
	for (size_t i = 0; i < k->label_count; i++) {
		jwrite_object(j);
		jwrite_member_text(j, "label", k->labels[i].text);
		jwrite_member_int(j, "failed", k->labels[i].failed);
		jwrite_object_end(j);
	}
	jwrite_array_end(j);
	jwrite_member_array(j, "failing");
	for (size_t i = 0; i < k->count; i++) {
		const struct check_failing *f = &k->failing[i];
		jwrite_object(j);
		jwrite_member_text(j, "id", f->article->uuid);
		jwrite_member_text(j, "title", f->article->title);
		jwrite_member_text(j, "status", article_status_name(f->article->status));
		jwrite_member_int(j, "unfinished", f->unfinished);
		jwrite_member_array(j, "checks");
		for (size_t n = 0; n < f->count; n++) {
			jwrite_object(j);
			jwrite_member_text(j, "label", f->checks[n].label);
			jwrite_member_text(j, "reason", f->checks[n].reason);
			jwrite_object_end(j);
		}
		jwrite_array_end(j);
		jwrite_object_end(j);
	}
	jwrite_array_end(j);
	jwrite_object_end(j);
}

static void
tell_check(struct ctx *c, struct call *call, const struct check *k)
{
	struct grid grid;

	call_say(call,
	    "%" PRId64 " of %" PRId64 " article%s pass%s all %d"
	    " checks.",
	    k->articles - (int64_t)k->count, k->articles, k->articles == 1 ? "" : "s",
	    k->articles == 1 ? "es" : "", EXPORT_CHECKS);
	if (k->count == 0)
		return;
	call_say(call, "%s", "");
	grid_init(&grid, c->arena, (const char *[]) { "FAILED", "CHECK", NULL });
	for (size_t i = 0; i < k->label_count; i++)
		grid_row(&grid,
		    (const char *[]) { arena_printf(c->arena, "%" PRId64, k->labels[i].failed),
			k->labels[i].text });
	grid_print(&grid, "", &call->out);
	for (size_t i = 0; i < k->count; i++) {
		const struct check_failing *f = &k->failing[i];
		call_say(call, "\n%s (%s, %s)", f->article->title,
		    article_status_name(f->article->status), f->article->uuid);
		if (f->unfinished > 0)
			call_say(call, "  %s.", unfinished_sentence(c, f->unfinished));
		for (size_t n = 0; n < f->count; n++)
			call_say(call, "  - %s", failing_line(c, &f->checks[n]));
	}
}

static struct err *
check(struct ctx *c, struct call *call)
{
	struct progress progress;
	struct check k = {
		.drafts = !call_has(call, "published"), .step = check_step, .arg = &progress
	};

	k.place = pick_place(c, call, call_option(call, "workspace"));
	TRY(check_articles(c, &k));
	progress_end(&progress);
	if (call->as_json)
		check_to_json(&call->json, &k);
	else
		tell_check(c, call, &k);
	if (call_has(call, "strict") && k.count > 0)
		call->status = 1;
	return NULL;
}

/* ---- galley article set */

static struct err *
read_fields(struct ctx *c, const struct call *call, struct set *set)
{
	const char *field, *value;
	struct err *err = NULL;

	for (size_t i = 1; i < call->operand_count && err == NULL; i++) {
		err = call_field(c, call->operands[i], &field, &value);
		if (err == NULL)
			err = set_field(c, set, field, value);
		if (err == NULL && set->doubt != NULL)
			note_say("%s", set->doubt);
	}
	return err;
}

static struct err *
set(struct ctx *c, struct call *call)
{
	struct find_place place = pick_place(c, call, NULL);
	struct set set = { .move = call_has(call, "move") };

	TRY(set_read(c, &place, call->operands[0], &set));
	call->operands[0] = set.read->uuid;
	TRY(read_fields(c, call, &set));
	TRY(set_write(c, &set));
	call_changed(call, set.saved.article->uuid);
	call_say(call, "%s is saved.", set.saved.article->title);
	tell_saved(call, &set.saved);
	return NULL;
}

/* ---- galley article create */

static struct err *
create(struct ctx *c, struct call *call)
{
	struct find_place place = pick_place(c, call, call_option(call, "workspace"));
	const struct article *a;
	struct workspace *w;

	TRY(read_workspace(c, &place, &w));
	TRY(create_draft(c, w, call_option(call, "title"), &a));
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

/* ---- galley article edit */

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

	TRY(edit_open(c, &place, call->operands[0], &e->edit));
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
		TRY(editor_run(&e->editor, line));
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

	TRY(open_text(c, call, &e));
	call->death_arg = &e;
	call->on_death = on_death;
	err = edit_text(c, &e, &same);
	call->on_death = NULL;
	if (err != NULL)
		return err;
	editor_close(&e.editor);
	if (!same)
		call_changed(call, e.edit.article->uuid);
	TRY(edit_end(c, &e.edit));
	a = e.edit.article;
	if (call->as_json)
		article_state_write(&call->json, a, e.edit.unfinished);
	call_say(call, same ? "%s is as it was." : "%s is saved.", a->title);
	for (size_t i = 0; !same && i < e.result.note_count; i++)
		call_say(call, "  - %s", e.result.notes[i]);
	return NULL;
}

/* ---- the rows */

static const struct command_option revert_options[] = {
	{ .name = "edition",
	    .value = "N",
	    .needed = true,
	    .help = "which one; galley article history lists them" },
	{ .name = "move", .help = "take its slug too, if that is another" },
	{ .name = "yes", .help = "ask nothing" },
	{ .name = NULL },
};

static const struct command_option check_options[] = {
	{ .name = "workspace", .value = "ID", .help = "whose articles" },
	{ .name = "published", .help = "leave drafts out" },
	{ .name = "strict", .help = "exit 1 when anything fails" },
	{ .name = NULL },
};

static const struct command_option set_options[] = {
	{ .name = "move", .help = "also the slug of a published article" },
	{ .name = NULL },
};

static const struct command_option create_options[] = {
	{ .name = "workspace", .value = "ID", .help = "where" },
	{ .name = "title",
	    .value = "T",
	    .needed = true,
	    .help = "of the article; the slug is made of it" },
	{ .name = NULL },
};

static const struct command_option edit_options[] = {
	{ .name = "move", .help = "also the slug of a published article" },
	{ .name = NULL },
};

const struct command command_article_edit[] = {
	{ .noun = "article",
	    .operands = "ID",
	    .verb = "revert",
	    .options = revert_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID,
	    .run = revert,
	    .summary = "make an edition the working copy again",
	    .text =
		"What is published stays until galley article publish. Changes that were never published\n"
		"are lost; on a terminal that is asked first.\n\n"
		"--json: the article, as galley article show prints it, and moved, as galley article set." },
	{ .noun = "article",
	    .verb = "check",
	    .operands = "",
	    .options = check_options,
	    .flags = COMMAND_DB,
	    .run = check,
	    .summary = "which publishing checks fail, and where",
	    .text =
		"Of published articles what is published is looked at, of drafts the working copy. The\n"
		"checks are advice: without --strict a failing one is exit 0.\n\n"
		"--json: {articles, passed, checks: [{label, failed}], failing: [{id, title, status,\n"
		"unfinished, checks: [{label, reason}]}]}; unfinished counts the places that are left to\n"
		"write, or were when it was published." },
	{ .noun = "article",
	    .verb = "set",
	    .operands = "ID FIELD=VALUE…",
	    .options = set_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID,
	    .run = set,
	    .summary = "change fields of the working copy",
	    .text =
		"An empty VALUE clears a field. Fields:\n\n"
		"  title, slug, language, section\n"
		"  author_name, author_url  instead of the workspace's\n"
		"  noindex                  true or false\n"
		"  meta_title, meta_description\n"
		"  tags                     separated by commas\n"
		"  image                    a file (stored as media) or an https address\n"
		"  image_alt, image_caption\n"
		"  published_url            instead of the address made of the settings; acts at once\n"
		"  created_at               the place in lists; acts at once\n\n"
		"Another slug is another address: of a published article it is changed with --move only,\n"
		"which says from where to where. galley article addresses remembers the old one.\n\n"
		"--json: the article, as galley article show prints it, and moved: {from, to} or null." },
	{ .noun = "article",
	    .verb = "create",
	    .operands = "",
	    .options = create_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = create,
	    .summary = "make an empty draft" },
	{ .noun = "article",
	    .verb = "edit",
	    .operands = "ID",
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
