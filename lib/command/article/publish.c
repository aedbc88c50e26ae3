/* galley article publish | unpublish | delete | undelete */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "action/action.h"
#include "action/article/state.h"
#include "action/dates/later.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "terminal/terminal.h"

/* What each command does, and what it prints. */
struct movement {
	struct err *(*run)(struct ctx *c, struct state *s);
	const char *action; /* the word in results, and the verb of sentences */
	bool asks; /* whether it asks on a terminal before more than one article */
	const char *after; /* what people must know afterwards, or NULL */
};

/* The delay after which sites follow is that of clients/ and of the
 * documentation's samples. */
#define SITES_FOLLOW                                                                               \
	"Copies on customers' sites stay until their next sync. With Galley's"                     \
	" clients, run every\nten minutes, they are gone within ten minutes;"                      \
	" within an hour on a site that has more\nthan 1,000 articles."

static const struct movement publishing = { state_publish, "published", false, NULL };
static const struct movement unpublishing = { state_unpublish, "unpublished", true, SITES_FOLLOW };
static const struct movement deleting = { state_delete, "deleted", true,
	SITES_FOLLOW "\ngalley article undelete brings it back." };
static const struct movement undeleting = { state_undelete, "undeleted", false,
	"It is a draft now; galley article publish shows it again." };

static void
tell(struct call *call, const struct movement *m, const struct state *s)
{
	const struct article *a = s->article;
	struct jwrite *j = &call->json;

	if (call->as_json) {
		jwrite_object(j);
		jwrite_member_text(j, "id", a->uuid);
		jwrite_member_text(j, "slug", a->slug);
		jwrite_member_text(j, "status", article_status_name(a->status));
		jwrite_member_int(j, "version", a->version);
		jwrite_member_text(j, "action", s->changed ? m->action : "unchanged");
		jwrite_member_array(j, "notes");
		for (size_t i = 0; i < s->failing_count; i++)
			jwrite_text(j, s->failing[i]);
		jwrite_array_end(j);
		jwrite_object_end(j);
		return;
	}
	if (s->changed)
		call_say(call, "%s is %s (%s).", a->title, m->action, a->uuid);
	else
		call_say(call,
		    "%s is published as it is already (%s): nothing is announced. --again publishes it once more.",
		    a->title, a->uuid);
	if (s->failing_count > 0)
		call_say(call, "Checks that fail:");
	for (size_t i = 0; i < s->failing_count; i++)
		call_say(call, "  - %s", s->failing[i]);
}

/* Refuses a wrong name before anything changes. Asks on a terminal whether all of
 * the articles are meant. */
static struct err *
check_names(struct ctx *c, struct call *call, const struct movement *m)
{
	struct find_place place = pick_place(c, call, NULL);
	size_t count = call->operand_count;
	struct article **found = arena_array(c->arena, count + 1, sizeof(*found));
	const char **names = arena_array(c->arena, count + 1, sizeof(*names));
	struct err *err;

	err = read_articles(c, &place, call->operands, count, found);
	if (err != NULL)
		return err;
	for (size_t i = 0; i < count; i++) {
		call->operands[i] = found[i]->uuid;
		names[i] = arena_printf(c->arena, "%s (%s)", found[i]->title, found[i]->uuid);
	}
	return m->asks ? ask_about(c, call, m->action, names, count) : NULL;
}

/* Returns whether the article was changed. A refusal is told. */
static bool
move_one(struct ctx *c, struct call *call, const char *id, const struct movement *m)
{
	bool publishes = m == &publishing;
	struct state s = { .id = id,
		.unfinished = publishes && call_has(call, "unfinished"),
		.again = publishes && call_has(call, "again") };
	struct err *err = m->run(c, &s);

	if (err != NULL) {
		note_say("galley: %s", err->message);
		call->status = 1;
		return false;
	}
	if (s.changed)
		call_changed(call, s.article->uuid);
	tell(call, m, &s);
	return s.changed;
}

/* Moves each article in its own transaction: what succeeded stays. */
static struct err *
move_all(struct ctx *c, struct call *call, const struct movement *m)
{
	struct err *err = check_names(c, call, m);
	size_t count = 0;

	if (err != NULL)
		return err;
	if (call->as_json)
		jwrite_array(&call->json);
	for (size_t i = 0; i < call->operand_count; i++)
		count += move_one(c, call, call->operands[i], m);
	if (call->as_json)
		jwrite_array_end(&call->json);
	if (call->operand_count == 0)
		call_say(call, "There is nothing to do.");
	if (count > 0 && m->after != NULL)
		call_say(call, "%s", m->after);
	return NULL;
}

/* ---- publishing at a date */

static void
tell_later(struct call *call, const struct later *l, bool cancel)
{
	const struct article *a = l->article;
	struct jwrite *j = &call->json;
	const char *at = when_text(call->out.arena, l->at);

	if (!call->as_json && !cancel)
		call_say(call, "%s is published at %s, as it is now (%s).", a->title, at, a->uuid);
	if (!call->as_json && cancel)
		call_say(call,
		    l->changed ? "%s has no date any more (%s)." : "%s had no date (%s).", a->title,
		    a->uuid);
	if (!call->as_json)
		return;
	jwrite_object(j);
	jwrite_member_text(j, "id", a->uuid);
	jwrite_member_text(j, "slug", a->slug);
	jwrite_member_text(j, "status", article_status_name(a->status));
	jwrite_member_int(j, "version", a->version);
	jwrite_member_text(j, "action",
	    !cancel	 ? "scheduled"
	    : l->changed ? "cancelled"
			 : "unchanged");
	if (cancel)
		jwrite_member_text(j, "publish_at", NULL);
	else
		jwrite_member_time(j, "publish_at", l->at);
	jwrite_object_end(j);
}

/* Sets or ends the date of one article. A refusal is told. */
static void
date_one(struct ctx *c, struct call *call, const char *id, int64_t at)
{
	struct later l = { .id = id, .at = at, .unfinished = call_has(call, "unfinished") };
	struct err *err = at == 0 ? later_cancel(c, &l) : later_set(c, &l);

	if (err != NULL) {
		note_say("galley: %s", err->message);
		call->status = 1;
		return;
	}
	if (at != 0 || l.changed)
		call_changed(call, l.article->uuid);
	tell_later(call, &l, at == 0);
}

static struct err *
publish_at(struct ctx *c, struct call *call, const char *word)
{
	int64_t at = 0;
	struct err *err = NULL;

	if (strcmp(word, "never") != 0)
		err = later_read(c, word, &at);
	if (err == NULL)
		err = check_names(c, call, &publishing);
	if (err != NULL)
		return err;
	if (call->as_json)
		jwrite_array(&call->json);
	for (size_t i = 0; i < call->operand_count; i++)
		date_one(c, call, call->operands[i], at);
	if (call->as_json)
		jwrite_array_end(&call->json);
	return NULL;
}

static struct err *
publish(struct ctx *c, struct call *call)
{
	const char *at = call_option(call, "at");

	return at != NULL ? publish_at(c, call, at) : move_all(c, call, &publishing);
}

static struct err *
unpublish(struct ctx *c, struct call *call)
{
	return move_all(c, call, &unpublishing);
}

static struct err *delete (struct ctx *c, struct call *call)
{
	return move_all(c, call, &deleting);
}

static struct err *
undelete(struct ctx *c, struct call *call)
{
	return move_all(c, call, &undeleting);
}

#define ARTICLES                                                                                   \
	.noun = "article", .operands = "ID…", .operands_min = 1, .operands_max = -1,               \
	.flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_IDS

#define RESULT                                                                                     \
	"ID - reads ids from standard input.\n\n"                                                  \
	"--json: [{id, slug, status, version, action, notes}]."

static const struct command_option publish_options[] = {
	{ .name = "unfinished", .help = "also what has places that are left to write" },
	{ .name = "again", .help = "also what is published as it is already" },
	{ .name = "at",
	    .value = "TIME",
	    .help = "at this time, 2026-12-24T08:00:00Z; never: cancel the date" },
	{ .name = NULL },
};

static const struct command_option yes_options[] = {
	{ .name = "yes", .help = "ask nothing" },
	{ .name = NULL },
};

const struct command command_article_publish[] = {
	{ ARTICLES, .verb = "publish", .run = publish, .options = publish_options,
	    .summary = "show the working copy from the next request on",
	    .text = "Makes an edition of the working copy and announces it."
		    " What is published as it is already\nis left alone, and"
		    " action is unchanged; --again publishes it once more."
		    " Names the publishing\nchecks that fail, and publishes all"
		    " the same.\n\n"
		    "An article whose working copy has callouts of kind todo is"
		    " not finished: it is refused, and\neach place named."
		    " --unfinished publishes it without them; its page tells"
		    " search engines\n(robots) not to list it until it is"
		    " published finished.\n\n"
		    "--at freezes the working copy: what is saved later is not"
		    " published then. The task runner,\nwhich cron starts,"
		    " publishes it at the time; over a day late it suspends the"
		    " date instead.\nPublishing, unpublishing or deleting the"
		    " article ends the date, and so does --at never. " RESULT
		    " With --at: publish_at instead of\nnotes; action is"
		    " scheduled, cancelled or unchanged." },
	{ ARTICLES, .verb = "unpublish", .run = unpublish, .options = yes_options,
	    .summary = "make a published article a draft",
	    .text = "On a terminal it is asked before more than "
		    "one.\n\n" SITES_FOLLOW "\n\n" RESULT },
	{ ARTICLES, .verb = "delete", .run = delete, .options = yes_options,
	    .summary = "put an article into the trash",
	    .text = "It keeps its slug there until galley article purge. On a"
		    " terminal it is asked before\nmore than one. " RESULT },
	{ ARTICLES, .verb = "undelete", .run = undelete,
	    .summary = "take it out of the trash, as a draft", .text = RESULT },
	{ .verb = NULL },
};
