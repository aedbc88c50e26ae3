/* Who sees an article: galley article publish | unpublish | delete | undelete | share | unshare |
 * purge. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "action/action.h"
#include "action/article/article-actions.h"
#include "action/article/preview-links.h"
#include "action/article/publish-actions.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "terminal/terminal.h"

/* ---- galley article publish | unpublish | delete | undelete */

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
tell_moved(struct call *call, const struct movement *m, const struct state *s)
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

	TRY(read_articles(c, &place, call->operands, count, found));
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
	tell_moved(call, m, &s);
	return s.changed;
}

/* Moves each article in its own transaction: what succeeded stays. */
static struct err *
move_all(struct ctx *c, struct call *call, const struct movement *m)
{
	size_t count = 0;

	TRY(check_names(c, call, m));
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

/* ---- galley article publish --at */

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

	if (strcmp(word, "never") != 0)
		TRY(later_read(c, word, &at));
	TRY(check_names(c, call, &publishing));
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

/* ---- galley article share | unshare: links by which a stranger reads a working copy */

static void
list_share(void *arg, const struct share *s)
{
	struct call_list *l = arg;
	struct jwrite *j = &l->call->json;

	if (l->call->as_json) {
		jwrite_object(j);
		jwrite_member_text(j, "id", s->uuid);
		jwrite_member_text(j, "article", s->article);
		jwrite_member_text(j, "title", s->title);
		jwrite_member_text(j, "person", s->person);
		jwrite_member_time(j, "created_at", s->created_at);
		jwrite_member_time(j, "expires_at", s->expires_at);
		jwrite_object_end(j);
		return;
	}
	grid_row(&l->grid, (const char *[]) { s->uuid, when_text(l->c->arena, s->created_at),
			       when_text(l->c->arena, s->expires_at), s->title });
}

static struct err *
list_shares(struct ctx *c, struct call *call)
{
	struct find_place place = pick_place(c, call, call_option(call, "workspace"));
	struct call_list l;

	call_list_begin(
	    &l, c, call, (const char *[]) { "ID", "CREATED", "EXPIRES", "ARTICLE", NULL });
	TRY(sharing_list(c, &place, list_share, &l));
	call_list_end(&l, "Nothing of this workspace is shared.");
	return NULL;
}

static void
tell_shared(struct ctx *c, struct call *call, struct sharing_made *made)
{
	const struct share *s = &made->share;

	call_changed(call, s->uuid);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "id", s->uuid);
		jwrite_member_text(&call->json, "article", s->article);
		jwrite_member_text(&call->json, "link", made->link);
		jwrite_member_time(&call->json, "expires_at", s->expires_at);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%s", made->link);
	call_say(call,
	    "Who has this link reads the working copy of %s until %s. It is shown this once only; galley article unshare %s ends it.",
	    s->title, when_text(c->arena, s->expires_at), s->uuid);
	explicit_bzero(made->text, sizeof(made->text));
}

static struct err *
share(struct ctx *c, struct call *call)
{
	struct sharing_order order = { .days = SHARE_DAYS };
	const char *days = call_option(call, "days");
	struct sharing_made made;
	struct article *a;

	if (call_has(call, "list")) {
		if (call->operand_count > 0 || days != NULL)
			return call_usage(c, "--list takes no article and no --days.");
		return list_shares(c, call);
	}
	if (call->operand_count == 0)
		return call_usage(c, "Which article? --list shows the links that are open.");
	if (days != NULL)
		TRY(number_read(c, days, "number of days", &order.days));
	TRY(pick_one_article(c, call, 0, &a));
	order.article = a->uuid;
	TRY(sharing_make(c, &order, &made));
	tell_shared(c, call, &made);
	return NULL;
}

/* Ends all links of an article. */
static struct err *
unshare_article(struct ctx *c, struct call *call)
{
	struct article *a;
	int64_t count;

	TRY(pick_one_article(c, call, 0, &a));
	TRY(sharing_end_article(c, a->uuid, &count));
	call_changed(call, a->uuid);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "article", a->uuid);
		jwrite_member_int(&call->json, "ended", count);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%" PRId64 " link%s of %s ended.", count, count == 1 ? "" : "s", a->title);
	return NULL;
}

static struct err *
unshare(struct ctx *c, struct call *call)
{
	char id[UUID_TEXT];
	struct share s;
	struct err *err;

	if (!uuid_parse(call->operands[0], id))
		return unshare_article(c, call);
	err = sharing_end(c, NULL, id, &s);
	if (err != NULL && err->code == ERR_NOT_FOUND)
		return unshare_article(c, call);
	if (err != NULL)
		return err;
	call_changed(call, s.uuid);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "article", s.article);
		jwrite_member_int(&call->json, "ended", s.revoked_at == 0);
		jwrite_object_end(&call->json);
	}
	call_say(call, "The link of %s ended.", s.title);
	return NULL;
}

/* ---- galley article purge */

/* Finds the articles that have been in the trash for long. */
static struct err *
find_old(struct ctx *c, const struct call *call, const char *age, struct destroy *d)
{
	struct find_place place = pick_place(c, call, call_option(call, "workspace"));
	int64_t span;

	if (!when_span(age, &span))
		return err_param(c, "older-than",
		    "%s is not a time: write 30d for thirty days, 12h for twelve hours.", age);
	return destroy_find_old(c, &place, span, d);
}

/* Finds the articles that the operands name. */
static struct err *
find_named(struct ctx *c, struct call *call, struct destroy *d)
{
	struct find_place place = pick_place(c, call, NULL);
	size_t count = call->operand_count;
	struct article **found = arena_array(c->arena, count + 1, sizeof(*found));

	TRY(read_articles(c, &place, call->operands, count, found));
	for (size_t i = 0; i < count; i++) {
		call->operands[i] = found[i]->uuid;
		destroy_add(c, d, found[i]);
	}
	return NULL;
}

static struct err *
find_purged(struct ctx *c, struct call *call, struct destroy *d)
{
	const char *age = call_option(call, "older-than");
	bool named = call->operand_count > 0 || call->ids_given;

	if ((age != NULL) == named)
		return call_usage(
		    c, "Name the articles, or say --older-than 30d%s.", named ? "; not both" : "");
	return age != NULL ? find_old(c, call, age, d) : find_named(c, call, d);
}

static struct err *
ask_first(struct ctx *c, struct call *call, const struct destroy *d)
{
	const char **names = arena_array(c->arena, d->count + 1, sizeof(*names));

	for (size_t i = 0; i < d->count; i++)
		names[i] =
		    arena_printf(c->arena, "%s (%s)", d->articles[i]->title, d->articles[i]->uuid);
	return ask_about(c, call, "destroyed for good", names, d->count);
}

static void
tell_purged(struct call *call, const struct article *a)
{
	struct jwrite *j = &call->json;

	call_changed(call, a->uuid);
	call_say(call, "%s is purged (%s).", a->title, a->uuid);
	if (!call->as_json)
		return;
	jwrite_object(j);
	jwrite_member_text(j, "id", a->uuid);
	jwrite_member_text(j, "slug", a->slug);
	jwrite_member_text(j, "title", a->title);
	jwrite_object_end(j);
}

/* Purges the articles of one workspace. A refused article is told. */
static struct err *
purge_of(struct ctx *c, struct call *call, struct destroy *d, int64_t workspace, size_t *pictures)
{
	struct err *err = destroy_workspace(c, d, workspace);

	for (size_t i = 0; err == NULL && i < d->count; i++) {
		if (d->done[i])
			tell_purged(call, d->articles[i]);
		if (d->refused[i] == NULL)
			continue;
		note_say("galley: %s", d->refused[i]->message);
		call->status = 1;
	}
	if (err == NULL)
		*pictures += destroy_pictures(c, d);
	return err;
}

/* Returns whether the article is the first of its workspace. */
static bool
is_first(const struct destroy *d, size_t at)
{
	for (size_t i = 0; i < at; i++) {
		if (d->articles[i]->workspace_id == d->articles[at]->workspace_id)
			return false;
	}
	return true;
}

static struct err *
purge_all(struct ctx *c, struct call *call, struct destroy *d, size_t *pictures)
{
	for (size_t i = 0; i < d->count; i++) {
		if (is_first(d, i))
			TRY(purge_of(c, call, d, d->articles[i]->workspace_id, pictures));
	}
	return NULL;
}

static struct err *
purge(struct ctx *c, struct call *call)
{
	struct destroy d = { .count = 0 };
	size_t pictures = 0;

	TRY(find_purged(c, call, &d));
	TRY(ask_first(c, call, &d));
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_array(&call->json, "purged");
	}
	TRY(purge_all(c, call, &d, &pictures));
	if (call->as_json) {
		jwrite_array_end(&call->json);
		jwrite_member_int(&call->json, "pictures", (int64_t)pictures);
		jwrite_object_end(&call->json);
	}
	/* cron sends by mail what is printed. */
	if (d.count == 0 && call_option(call, "older-than") == NULL)
		call_say(call, "There is nothing to purge.");
	if (pictures > 0)
		call_say(call, "Destroyed with it: %zu picture%s that nothing else names.",
		    pictures, pictures == 1 ? "" : "s");
	return NULL;
}

/* ---- the rows */

#define ARTICLES                                                                                   \
	.noun = "article", .operands = "ID…", .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_IDS
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

static const struct command_option share_options[] = {
	{ .name = "days", .value = "N", .help = "how long it is open: 1 to 30, else 7" },
	{ .name = "list", .help = "show the links that are open" },
	{ .name = "workspace", .value = "ID", .help = "with --list: of which workspace" },
	{ .name = NULL },
};

static const struct command_option purge_options[] = {
	{ .name = "older-than",
	    .value = "TIME",
	    .help = "all that came into the trash before: 30d" },
	{ .name = "workspace", .value = "ID", .help = "of this one only; else of all" },
	{ .name = "yes", .help = "ask nothing" },
	{ .name = NULL },
};

const struct command command_article_state[] = {
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
	{ .noun = "article",
	    .verb = "share",
	    .operands = "[ID]",
	    .options = share_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = share,
	    .summary = "make a link by which anybody reads the working copy",
	    .text =
		"The link shows the working copy as it is when it is opened, and nothing else of the workspace.\n"
		"It is printed once. It ends after its days, with article unshare, with the trash, with the workspace,\n"
		"and when a backup is restored; a workspace has 30 open links at most.\n\n"
		"--json: {id, article, link, expires_at}; with --list [{id, article, title, person, created_at, expires_at}]." },
	{ .noun = "article",
	    .verb = "unshare",
	    .operands = "SHARE|ARTICLE",
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = unshare,
	    .summary = "end a link of article share, or all of an article",
	    .text = "SHARE is the id that article share --list shows.\n\n"
		    "--json: {article, ended}." },
	{ .noun = "article",
	    .verb = "purge",
	    .operands = "[ID…]",
	    .options = purge_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_IDS,
	    .run = purge,
	    .summary = "destroy articles of the trash, for good",
	    .text =
		"Working copy, editions, and the pictures that nothing else names; only a backup has them\n"
		"after that. Slugs are free then, and importing the file or export again makes the article\n"
		"again. For cron: galley article purge --older-than 30d\n\n"
		"--json: {purged: [{id, slug, title}], pictures}." },
	{ .verb = NULL },
};
