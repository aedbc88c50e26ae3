/* galley article purge */
#include <stdbool.h>
#include <stddef.h>

#include "article/article.h"
#include "article/purge.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "command/ask.h"
#include "command/call.h"
#include "command/workspace/chosen.h"
#include "command/command-list.h"
#include "command/pick.h"
#include "command/when.h"
#include "store/db.h"
#include "terminal/note.h"

/* What is to be purged: articles as they were when it was asked for. */
struct purging {
	struct ctx *c;
	struct call *call;
	int64_t before; /* came into the trash before */
	const struct article **articles;
	const char **names; /* "Compost (3f2a…)" */
	size_t count, room;
	size_t pictures; /* that were destroyed */
};

static void
add(struct purging *p, const struct article *a)
{
	struct arena *arena = p->c->arena;
	struct article *kept = arena_alloc(arena, sizeof(*kept));

	if (p->count == p->room) {
		size_t room = p->room == 0 ? 16 : 2 * p->room;
		p->articles = arena_grow(arena, p->articles,
		    p->room * sizeof(*p->articles),
		    room * sizeof(*p->articles));
		p->names = arena_grow(arena, p->names,
		    p->room * sizeof(*p->names), room * sizeof(*p->names));
		p->room = room;
	}
	*kept = *a;
	p->names[p->count] = arena_printf(arena, "%s (%s)", a->title, a->uuid);
	p->articles[p->count++] = kept;
}

static void
add_old(void *arg, const struct article *a)
{
	struct purging *p = arg;

	if (a->updated_at < p->before)
		add(p, a);
}

static void
add_workspace(void *arg, const struct workspace *w)
{
	struct purging *p = arg;

	article_list(p->c, w->id, ARTICLE_DELETED, INT64_MAX, add_old, p);
}

/* What was long in the trash, of one workspace or of all. */
static struct err *
find_old(struct purging *p, const char *age)
{
	struct ctx *c = p->c;
	const char *name = call_option(p->call, "workspace");
	struct err *err = NULL;
	struct workspace *w = NULL;
	int64_t span;

	if (!when_span(age, &span))
		return err_param(c, "older-than", "%s is no time: write 30d"
		    " for thirty days, 12h for twelve hours.", age);
	db_begin_read(c);
	p->before = c->now - span;
	/* What was chosen bounds what is destroyed. */
	if (name == NULL && chosen_workspace(c, p->call, NULL) == NULL)
		workspace_list(c, add_workspace, p);
	else
		err = pick_workspace(c, p->call, name, &w);
	if (w != NULL && err == NULL)
		add_workspace(p, w);
	db_commit(c);
	return err;
}

static struct err *
find_ids(struct purging *p)
{
	struct err *err = NULL;
	struct article *a;

	db_begin_read(p->c);
	for (size_t i = 0; i < p->call->operand_count; i++) {
		err = pick_article(p->c, p->call, i, &a);
		if (err != NULL)
			break;
		add(p, a);
	}
	db_commit(p->c);
	return err;
}

static struct err *
find(struct purging *p)
{
	const char *age = call_option(p->call, "older-than");

	bool named = p->call->operand_count > 0 || p->call->ids_given;

	if ((age != NULL) == named)
		return call_usage(p->c, "Name the articles, or say"
		    " --older-than 30d%s.", named ? "; not both" : "");
	return age != NULL ? find_old(p, age) : find_ids(p);
}

/* One of its workspace's transaction; what is refused is told. */
static bool
purge_one(struct purging *p, struct workspace *w, const struct article *old,
    struct purge_media *media)
{
	struct article *a;
	struct err *err = find_article_id(p->c, old->uuid, &a);

	if (err == NULL)
		err = purge_article(p->c, w, a, media);
	if (err == NULL)
		return true;
	note_say("galley: %s", err->message);
	p->call->status = 1;
	return false;
}

static void
tell(struct call *call, const struct article *a)
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

/* One transaction for the articles of a workspace, so that all articles are
 * looked through once for their pictures. */
static struct err *
purge_of(struct purging *p, int64_t workspace_id)
{
	struct ctx *c = p->c;
	bool *done = arena_array(c->arena, p->count + 1, sizeof(*done));
	struct purge_media media;
	struct workspace *w;
	struct err *err;

	purge_media_init(&media, c);
	db_begin_read(c);
	w = workspace_of(c, workspace_id);
	db_commit(c);
	err = workspace_begin(c, w, &w);
	if (err != NULL)
		return err;
	for (size_t i = 0; i < p->count; i++)
		done[i] = p->articles[i]->workspace_id == workspace_id &&
		    purge_one(p, w, p->articles[i], &media);
	purge_rows(c, &media);
	db_commit(c);
	for (size_t i = 0; i < p->count; i++) {
		if (done[i])
			tell(p->call, p->articles[i]);
	}
	p->pictures += purge_files(c, &media);
	return NULL;
}

/* Whether the article is the first of its workspace. */
static bool
is_first(const struct purging *p, size_t at)
{
	for (size_t i = 0; i < at; i++) {
		if (p->articles[i]->workspace_id ==
		    p->articles[at]->workspace_id)
			return false;
	}
	return true;
}

static struct err *
purge_all(struct purging *p)
{
	struct err *err = NULL;

	for (size_t i = 0; i < p->count && err == NULL; i++) {
		if (is_first(p, i))
			err = purge_of(p, p->articles[i]->workspace_id);
	}
	return err;
}

static struct err *
purge(struct ctx *c, struct call *call)
{
	struct purging p = { .c = c, .call = call };
	struct err *err = find(&p);

	if (err == NULL)
		err = ask_about(c, call, "destroyed for good", p.names,
		    p.count);
	if (err != NULL)
		return err;
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_array(&call->json, "purged");
	}
	err = purge_all(&p);
	if (err != NULL)
		return err;
	if (call->as_json) {
		jwrite_array_end(&call->json);
		jwrite_member_int(&call->json, "pictures", (int64_t)p.pictures);
		jwrite_object_end(&call->json);
	}
	/* cron mails what is said. */
	if (p.count == 0 && call_option(call, "older-than") == NULL)
		call_say(call, "There is nothing to purge.");
	if (p.pictures > 0)
		call_say(call, "Destroyed with it: %zu picture%s that nothing"
		    " else names.", p.pictures, p.pictures == 1 ? "" : "s");
	return NULL;
}

static const struct command_option purge_options[] = {
	{ .name = "older-than", .value = "TIME",
	    .help = "all that came into the trash before: 30d" },
	{ .name = "workspace", .value = "ID",
	    .help = "of this one only; else of all" },
	{ .name = "yes", .help = "ask nothing" },
	{ .name = NULL },
};

const struct command command_article_purge[] = {
	{ .noun = "article", .verb = "purge", .operands = "[ID…]",
	    .operands_max = -1, .options = purge_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_IDS, .run = purge,
	    .summary = "destroy articles of the trash, for good",
	    .text = "Working copy, editions, and the pictures that nothing"
		    " else names; only a backup has them\nafter that. Slugs"
		    " are free then, and importing the file or export again"
		    " makes the article\nanew. For cron: galley article purge"
		    " --older-than 30d\n\n"
		    "--json: {purged: [{id, slug, title}], pictures}." },
	{ .verb = NULL },
};
