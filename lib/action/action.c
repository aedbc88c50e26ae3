#include "action/action.h"

#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/uuid.h"
#include "export/facts.h"
#include "people/secret.h"
#include "system/disk.h"
#include "system/instance.h"
#include "system/near.h"

#define SPARED ((int64_t)16 << 20) /* bytes that a save leaves on the disk */
#define RETRY_AFTER_S 60

struct err *
action_begin(struct ctx *c, const struct action_scope *scope)
{
	db_begin_write(c, DB_CONTENT, scope->change, scope->workspace_id, scope->account_id);
	return gate_pass(c);
}

static struct err *
find_people(struct ctx *c)
{
	if (secret_exists(c))
		return NULL;
	return err_hint(c,
	    refuse(c, ERR_UNAVAILABLE, tr_mark("%s/people is not there yet."), c->instance->home),
	    HINT_MIGRATE, NULL);
}

struct err *
action_begin_console(struct ctx *c)
{
	TRY(find_people(c));
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	return gate_pass(c);
}

struct err *
action_read_console(struct ctx *c)
{
	TRY(find_people(c));
	db_begin_read(c, DB_CONSOLE);
	return NULL;
}

struct err *
action_room(struct ctx *c)
{
	int64_t left = disk_free(fileio_folder(c->arena, c->instance->db));
	struct err *err;

	if (left < 0 || left >= SPARED)
		return NULL;
	err = refuse(c, ERR_UNAVAILABLE, "%s",
	    tr_mark(
		"The disk of this instance is full, or nearly so, and nothing was saved. Your text is below: copy it, tell the operator, and send it again when there is space."));
	err->retry_after_s = RETRY_AFTER_S;
	return err;
}

struct err *
action_commit(struct ctx *c)
{
	db_commit(c);
	return NULL;
}

struct err *
action_reading(struct ctx *c, enum db_store store)
{
	db_begin_read(c, store);
	return NULL;
}

struct err *
action_read(struct ctx *c, struct err *(*look)(void *arg), void *arg)
{
	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(look(arg));
	return action_commit(c);
}

enum {
	NAMED_MAX = 20, /* articles that a refusal lists */
	TITLE_MAX = 60 /* code points of each title there */
};

/* ---- finding what a person names */

/* A refusal with this param makes find_is_unnamed() true. */
static const char unnamed_mark[] = "workspace";

bool
find_is_unnamed(const struct err *err)
{
	return err->param == unnamed_mark;
}

struct err *
find_account(struct ctx *c, const char *name, struct account **out)
{
	struct near near = near_to(name);
	const struct account *a;
	bool many;

	*out = account_find(c, name, &many);
	if (many)
		return err_hint(c,
		    refuse(c, ERR_CONFLICT,
			tr_mark("More than one account is called %s: use an id."), name),
		    HINT_ACCOUNTS, NULL);
	if (*out != NULL)
		return NULL;
	for (struct stmt *q = account_list(c); (a = account_next(c, q)) != NULL;)
		near_try(&near, a->name);
	if (near.best != NULL)
		return refuse(c, ERR_NOT_FOUND, tr_mark("There is no account %s; did you mean %s?"),
		    name, near.best);
	return err_hint(c, refuse(c, ERR_NOT_FOUND, tr_mark("There is no account %s."), name),
	    HINT_ACCOUNTS, NULL);
}

static struct err *
only_workspace(struct ctx *c, struct workspace **out)
{
	struct workspace *w, *first = NULL;
	struct err *err;
	int count = 0;

	for (struct stmt *q = workspace_list(c); (w = workspace_next(c, q)) != NULL;)
		if (count++ == 0)
			first = w;
	if (count == 0)
		return err_hint(c, refuse(c, ERR_NOT_FOUND, tr_mark("There is no workspace yet.")),
		    HINT_WORKSPACE_CREATE, NULL);
	if (count > 1) {
		err = err_hint(c,
		    refuse(c, ERR_INVALID, tr_mark("There are %d workspaces: name one."), count),
		    HINT_WORKSPACE_CHOOSE, NULL);
		err->param = unnamed_mark;
		return err;
	}
	*out = first;
	return NULL;
}

/* Finds the chosen workspace of `place`; *out is NULL if none was chosen. */
static struct err *
find_chosen(struct ctx *c, const struct find_place *place, struct workspace **out)
{
	const char *name = place->chosen;
	bool many = false;

	*out = name != NULL ? workspace_find(c, name, &many) : NULL;
	if (name == NULL || *out != NULL)
		return NULL;
	return err_hint(c,
	    refuse(c, ERR_NOT_FOUND,
		many ? tr_mark("%s chose the workspace %s, and more than one has this name.")
		     : tr_mark("%s chose the workspace %s, which is not there."),
		place->chosen_by, name),
	    HINT_WORKSPACES, NULL);
}

struct err *
find_workspace(struct ctx *c, const struct find_place *place, struct workspace **out)
{
	const char *name = place->name;
	const struct workspace *w;
	struct err *err;
	struct near near;
	bool many;

	if (name == NULL) {
		err = find_chosen(c, place, out);
		return err != NULL || *out != NULL ? err : only_workspace(c, out);
	}
	*out = workspace_find(c, name, &many);
	if (many)
		return err_hint(c,
		    refuse(c, ERR_CONFLICT,
			tr_mark("More than one workspace is called %s: use an id."), name),
		    HINT_WORKSPACES, NULL);
	if (*out != NULL)
		return NULL;
	near = near_to(name);
	for (struct stmt *q = workspace_list(c); (w = workspace_next(c, q)) != NULL;)
		near_try(&near, w->settings.name);
	if (near.best != NULL)
		return refuse(c, ERR_NOT_FOUND,
		    tr_mark("There is no workspace %s; did you mean %s?"), name, near.best);
	return err_hint(c, refuse(c, ERR_NOT_FOUND, tr_mark("There is no workspace %s."), name),
	    HINT_WORKSPACES, NULL);
}

struct err *
find_article_id(struct ctx *c, const char *id, struct article **out)
{
	*out = article_find(c, 0, id);
	if (*out == NULL)
		return err_hint(c,
		    refuse(c, ERR_NOT_FOUND, tr_mark("There is no article with the id %s."), id),
		    HINT_ARTICLES, NULL);
	return NULL;
}

struct err *
find_article_in(struct ctx *c, const struct workspace *w, const char *id, struct article **out)
{
	TRY(find_article_id(c, id, out));
	if ((*out)->workspace_id != w->id)
		return refuse(c, ERR_NOT_FOUND, tr_mark("There is no such article."));
	return NULL;
}

/* Refuses with a list of all articles that the name may mean; a person chooses
 * one. */
static struct err *
refuse_many(struct ctx *c, const char *name, const struct article *list, size_t count)
{
	struct buf lines;

	buf_init(&lines, c->arena, (size_t)64 * 1024);
	for (size_t i = 0; i < count && i < NAMED_MAX; i++)
		buf_printf(&lines, "\n  %s  %s  %s  %s (%s)", list[i].uuid,
		    article_status_name(list[i].status), list[i].slug,
		    facts_cut(c, list[i].title, TITLE_MAX),
		    workspace_of(c, list[i].workspace_id)->settings.name);
	if (count > NAMED_MAX)
		buf_lit(&lines, "\n  …");
	return refuse(c, ERR_CONFLICT,
	    tr_mark("%s may mean more than one article; name it by its id:%s"), name,
	    buf_done(&lines));
}

static struct err *
find_named(struct ctx *c, const struct find_place *place, const char *name, struct article **out)
{
	struct article *list = arena_array(c->arena, NAMED_MAX + 1, sizeof(*list));
	struct workspace *w;
	size_t count;

	TRY(find_chosen(c, place, &w));
	count = article_find_named(c, w == NULL ? 0 : w->id, name, list, NAMED_MAX + 1);
	if (count > 1)
		return refuse_many(c, name, list, count);
	*out = list;
	if (count == 1)
		return NULL;
	return err_hint(c,
	    refuse(c, ERR_NOT_FOUND,
		tr_mark(
		    "There is no article %s%s%s: an article is named by its id, six digits of its beginning or more, its slug\n"
		    "or its title."),
		name, w == NULL ? "" : " in the workspace ", w == NULL ? "" : w->settings.name),
	    HINT_ARTICLES, NULL);
}

struct err *
find_article(struct ctx *c, const struct find_place *place, const char *name, struct article **out)
{
	char canonical[UUID_TEXT];

	if (uuid_parse(name, canonical))
		return find_article_id(c, name, out);
	return find_named(c, place, name, out);
}

struct err *
find_edition(struct ctx *c, const struct article *a, int64_t version, struct edition *out)
{
	if (a->version == 0)
		return refuse(c, ERR_NOT_FOUND,
		    tr_mark("%s was never published: it has no edition."), a->title);
	if (version == FIND_NEWEST)
		version = a->version;
	if (!edition_find(c, a, version, out))
		return err_hint(c,
		    refuse(c, ERR_NOT_FOUND, tr_mark("%s has no edition %lld."), a->title,
			(long long)version),
		    HINT_EDITIONS, a->uuid);
	return NULL;
}

/* ---- the same in a transaction of its own */

struct err *
read_workspace(struct ctx *c, const struct find_place *place, struct workspace **out)
{
	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_workspace(c, place, out));
	return action_commit(c);
}

struct err *
read_article(struct ctx *c, const struct find_place *place, const char *name, struct article **out)
{
	return read_articles(c, place, &name, 1, out);
}

struct err *
read_articles(struct ctx *c, const struct find_place *place, const char *const *names, size_t count,
    struct article **out)
{
	ACTION(c, action_reading(c, DB_CONTENT));
	for (size_t i = 0; i < count; i++)
		TRY(find_article(c, place, names[i], &out[i]));
	return action_commit(c);
}

struct err *
read_edition(struct ctx *c, const struct article *a, int64_t version, struct edition *out)
{
	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_edition(c, a, version, out));
	return action_commit(c);
}

/* ---- beginning with an article */

/* Reads which workspace the article is in. This must be known before the
 * transaction that changes the workspace begins. */
static struct err *
read_workspace_of(struct ctx *c, const char *id, struct workspace **w)
{
	struct article *a;

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_article_id(c, id, &a));
	*w = workspace_of(c, a->workspace_id);
	return action_commit(c);
}

struct err *
begin_article(struct ctx *c, const char *id, struct workspace **w, struct article **a)
{
	TRY(read_workspace_of(c, id, w));
	TRY(workspace_begin(c, *w, w));
	return find_article_id(c, id, a);
}

struct err *
twin_refuse(struct ctx *c, const struct twin *twin)
{
	if (twin->many)
		return err_hint(c,
		    refuse(c, ERR_CONFLICT, "More than one %s is called %s already.", twin->noun,
			twin->name),
		    HINT_ANOTHER, NULL);
	return err_hint(c,
	    refuse(c, ERR_CONFLICT, "There is %s %s %s already: %s, %s. Nothing was made.",
		twin->article, twin->noun, twin->name, twin->uuid, twin->about),
	    HINT_ANOTHER, NULL);
}
