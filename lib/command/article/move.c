/* galley article publish | unpublish | delete | undelete */
#include <stdbool.h>
#include <stddef.h>

#include "article/article.h"
#include "article/edition.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "command/article/article-checks.h"
#include "command/ask.h"
#include "command/call.h"
#include "command/command-list.h"
#include "command/pick.h"
#include "command/article/unfinished.h"
#include "store/db.h"
#include "terminal/note.h"

/* *moved: whether anything changed; true when the move does not say. */
typedef struct err *move(struct ctx *c, const struct call *call,
    struct workspace *w, struct article *a, bool *moved);

/* Whether publishing would make the edition again that is shown. */
static bool
is_published_already(struct ctx *c, const struct article *a)
{
	struct edition shown;

	return a->status == ARTICLE_PUBLISHED && !article_has_changes(a) &&
	    edition_find(c, a, a->version, &shown) &&
	    edition_is_current(c, a, &shown);
}

static struct err *
publish_now(struct ctx *c, const struct call *call, struct workspace *w,
    struct article *a, bool *moved)
{
	struct err *err = NULL;

	if (a->status != ARTICLE_DELETED && !call_has(call, "unfinished"))
		err = unfinished_check(c, a);
	if (err != NULL)
		return err;
	*moved = call_has(call, "again") || !is_published_already(c, a);
	return *moved ? article_publish(c, w, a, 0, 0) : NULL;
}

static struct err *
unpublish_now(struct ctx *c, const struct call *call, struct workspace *w,
    struct article *a, bool *moved)
{
	(void)call;
	(void)moved;
	return article_unpublish(c, w, a);
}

static struct err *
delete_now(struct ctx *c, const struct call *call, struct workspace *w,
    struct article *a, bool *moved)
{
	(void)call;
	(void)moved;
	return article_delete(c, w, a);
}

static struct err *
undelete_now(struct ctx *c, const struct call *call, struct workspace *w,
    struct article *a, bool *moved)
{
	(void)call;
	(void)moved;
	return article_undelete(c, w, a);
}

/* What each command does, and says. */
struct movement {
	move *run;
	const char *action; /* in results; the sentence's verb */
	bool checks;        /* names the publishing checks that fail */
	bool asks;          /* on a terminal, before more than one */
	const char *after;  /* what people should know, or NULL */
};

/* When sites follow is what clients/ and the documentation's samples do. */
#define SITES_FOLLOW                                                           \
	"Copies on customers' sites stay until their next sync. With Galley's" \
	" clients, run every\nten minutes, they are gone within ten minutes;"   \
	" within an hour on a site that has more\nthan 1,000 articles."

static const struct movement publishing = { publish_now, "published", true,
	false, NULL };
static const struct movement unpublishing = { unpublish_now,
	"unpublished", false, true,
	SITES_FOLLOW };
static const struct movement deleting = { delete_now, "deleted", false, true,
	SITES_FOLLOW "\ngalley article undelete brings it back." };
static const struct movement undeleting = { undelete_now, "undeleted",
	false, false, "It is a draft now; galley article publish shows it again." };

/* The checks that fail, with their reasons; in the arena. */
static const char **
failing_checks(struct ctx *c, const struct workspace *w,
    const struct article *a, size_t *count)
{
	const char **lines = arena_array(c->arena, EXPORT_CHECKS,
	    sizeof(*lines));
	struct export_check checks[EXPORT_CHECKS];

	*count = article_checks_failing(c, stored_source(c, w, a, false),
	    checks);
	for (size_t i = 0; i < *count; i++)
		lines[i] = article_checks_line(c, &checks[i]);
	return lines;
}

static void
tell(struct call *call, const struct movement *m, const struct article *a,
    bool moved, const char **notes, size_t count)
{
	struct jwrite *j = &call->json;

	if (call->as_json) {
		jwrite_object(j);
		jwrite_member_text(j, "id", a->uuid);
		jwrite_member_text(j, "slug", a->slug);
		jwrite_member_text(j, "status",
		    article_status_name(a->status));
		jwrite_member_int(j, "version", a->version);
		jwrite_member_text(j, "action",
		    moved ? m->action : "unchanged");
		jwrite_member_array(j, "notes");
		for (size_t i = 0; i < count; i++)
			jwrite_text(j, notes[i]);
		jwrite_array_end(j);
		jwrite_object_end(j);
		return;
	}
	if (moved)
		call_say(call, "%s is %s (%s).", a->title, m->action, a->uuid);
	else
		call_say(call, "%s is published as it is already (%s): nothing"
		    " is announced. --again publishes it once more.", a->title,
		    a->uuid);
	if (count > 0)
		call_say(call, "Checks that fail:");
	for (size_t i = 0; i < count; i++)
		call_say(call, "  - %s", notes[i]);
}

static struct err *
move_one(struct ctx *c, struct call *call, const char *id,
    const struct movement *m, bool *moved)
{
	const char **notes = NULL;
	struct workspace *w;
	struct article *a;
	size_t count = 0;
	struct err *err;

	db_begin_read(c);
	err = find_article_id(c, id, &a);
	if (err != NULL)
		return err;
	w = workspace_of(c, a->workspace_id);
	db_commit(c);
	err = workspace_begin(c, w, &w);
	if (err == NULL)
		err = find_article_id(c, id, &a);
	*moved = true;
	if (err == NULL)
		err = m->run(c, call, w, a, moved);
	if (err != NULL)
		return err;
	if (m->checks)
		notes = failing_checks(c, w, a, &count);
	db_commit(c);
	if (*moved)
		call_changed(call, a->uuid);
	tell(call, m, a, *moved, notes, count);
	return NULL;
}

/* Ids that are none are refused before anything is changed; on a terminal it is
 * asked whether all of them are meant. */
static struct err *
check_ids(struct ctx *c, struct call *call, const struct movement *m)
{
	const char **names = arena_array(c->arena, call->operand_count + 1,
	    sizeof(*names));
	struct article *a;
	struct err *err;

	db_begin_read(c);
	for (size_t i = 0; i < call->operand_count; i++) {
		err = pick_article(c, call, i, &a);
		if (err != NULL)
			return err;
		names[i] = arena_printf(c->arena, "%s (%s)", a->title, a->uuid);
	}
	db_commit(c);
	if (!m->asks)
		return NULL;
	return ask_about(c, call, m->action, names, call->operand_count);
}

/* One transaction for each article: what succeeded stays. */
static struct err *
move_all(struct ctx *c, struct call *call, const struct movement *m)
{
	struct err *err = check_ids(c, call, m);
	size_t count = 0;
	bool moved;

	if (err != NULL)
		return err;
	if (call->as_json)
		jwrite_array(&call->json);
	for (size_t i = 0; i < call->operand_count; i++) {
		err = move_one(c, call, call->operands[i], m, &moved);
		if (err == NULL) {
			count += moved;
			continue;
		}
		db_rollback(c);
		note_say("galley: %s", err->message);
		call->status = 1;
	}
	if (call->as_json)
		jwrite_array_end(&call->json);
	if (call->operand_count == 0)
		call_say(call, "There is nothing to do.");
	if (count > 0 && m->after != NULL)
		call_say(call, "%s", m->after);
	return NULL;
}

static struct err *
publish(struct ctx *c, struct call *call)
{
	return move_all(c, call, &publishing);
}

static struct err *
unpublish(struct ctx *c, struct call *call)
{
	return move_all(c, call, &unpublishing);
}

static struct err *
delete(struct ctx *c, struct call *call)
{
	return move_all(c, call, &deleting);
}

static struct err *
undelete(struct ctx *c, struct call *call)
{
	return move_all(c, call, &undeleting);
}

#define ARTICLES                                                               \
	.noun = "article", .operands = "ID…", .operands_min = 1,               \
	.operands_max = -1,                                                    \
	.flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_IDS

#define RESULT                                                                 \
	"ID - reads ids from standard input.\n\n"                              \
	"--json: [{id, slug, status, version, action, notes}]."

static const struct command_option publish_options[] = {
	{ .name = "unfinished",
	    .help = "also what has places that are left to write" },
	{ .name = "again", .help = "also what is published as it is already" },
	{ .name = NULL },
};

static const struct command_option yes_options[] = {
	{ .name = "yes", .help = "ask nothing" },
	{ .name = NULL },
};

const struct command command_article_move[] = {
	{ ARTICLES, .verb = "publish", .run = publish,
	    .options = publish_options,
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
		    " published finished. " RESULT },
	{ ARTICLES, .verb = "unpublish", .run = unpublish,
	    .options = yes_options,
	    .summary = "make a published article a draft",
	    .text = "On a terminal it is asked before more than one.\n\n"
		    SITES_FOLLOW "\n\n" RESULT },
	{ ARTICLES, .verb = "delete", .run = delete, .options = yes_options,
	    .summary = "put an article into the trash",
	    .text = "It keeps its slug there until galley article purge. On a"
		    " terminal it is asked before\nmore than one. " RESULT },
	{ ARTICLES, .verb = "undelete", .run = undelete,
	    .summary = "take it out of the trash, as a draft",
	    .text = RESULT },
	{ .verb = NULL },
};
