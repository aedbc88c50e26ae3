#include "action/find.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "export/facts.h"
#include "system/near.h"

enum {
	NAMED_MAX = 20, /* articles that a refusal lists */
	TITLE_MAX = 60 /* code points of each title there */
};

/* A refusal with this param makes find_is_unnamed() true. */
static const char unnamed_mark[] = "workspace";

bool
find_is_unnamed(const struct err *err)
{
	return err->param == unnamed_mark;
}

static void
try_account(void *arg, const struct account *a)
{
	near_try(arg, a->name);
}

static void
try_workspace(void *arg, const struct workspace *w)
{
	near_try(arg, w->settings.name);
}

struct err *
find_account(struct ctx *c, const char *name, struct account **out)
{
	struct near near = near_to(name);
	bool many;

	*out = account_find(c, name, &many);
	if (many)
		return err_hint(c,
		    refuse(c, ERR_CONFLICT,
			tr_mark("More than one account is called %s: use an id."), name),
		    HINT_ACCOUNTS, NULL);
	if (*out != NULL)
		return NULL;
	account_list(c, try_account, &near);
	if (near.best != NULL)
		return refuse(c, ERR_NOT_FOUND, tr_mark("There is no account %s; did you mean %s?"),
		    name, near.best);
	return err_hint(c, refuse(c, ERR_NOT_FOUND, tr_mark("There is no account %s."), name),
	    HINT_ACCOUNTS, NULL);
}

struct only {
	struct ctx *c;
	struct workspace *first;
	int count;
};

static void
count_workspace(void *arg, const struct workspace *w)
{
	struct only *only = arg;

	if (only->count++ > 0)
		return;
	only->first = arena_alloc(only->c->arena, sizeof(*w));
	*only->first = *w;
}

static struct err *
only_workspace(struct ctx *c, struct workspace **out)
{
	struct only only = { .c = c };
	struct err *err;

	workspace_list(c, count_workspace, &only);
	if (only.count == 0)
		return err_hint(c, refuse(c, ERR_NOT_FOUND, tr_mark("There is no workspace yet.")),
		    HINT_WORKSPACE_CREATE, NULL);
	if (only.count > 1) {
		err = err_hint(c,
		    refuse(
			c, ERR_INVALID, tr_mark("There are %d workspaces: name one."), only.count),
		    HINT_WORKSPACE_CHOOSE, NULL);
		err->param = unnamed_mark;
		return err;
	}
	*out = only.first;
	return NULL;
}

struct err *
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
	workspace_list(c, try_workspace, &near);
	if (near.best != NULL)
		return refuse(c, ERR_NOT_FOUND,
		    tr_mark("There is no workspace %s; did you mean %s?"), name, near.best);
	return err_hint(c, refuse(c, ERR_NOT_FOUND, tr_mark("There is no workspace %s."), name),
	    HINT_WORKSPACES, NULL);
}

struct err *
find_key(struct ctx *c, const char *id, struct apikey **out)
{
	bool whole = apikey_is_whole(id);

	*out = whole ? apikey_find_whole(c, id) : apikey_find(c, id);
	if (*out != NULL)
		return NULL;
	if (whole)
		return refuse(c, ERR_NOT_FOUND,
		    tr_mark("%s is whole, and no key of this instance."), apikey_display(c, id));
	if (strncmp(id, APIKEY_PREFIX, strlen(APIKEY_PREFIX)) == 0)
		return err_hint(c,
		    refuse(c, ERR_NOT_FOUND, tr_mark("%s is not a whole key: name it by its id."),
			apikey_display(c, id)),
		    HINT_KEY_FIND, NULL);
	return err_hint(c, refuse(c, ERR_NOT_FOUND, tr_mark("There is no key with the id %s."), id),
	    HINT_KEYS, NULL);
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
	struct err *err = find_chosen(c, place, &w);
	size_t count;

	if (err != NULL)
		return err;
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

struct err *
find_job(struct ctx *c, const char *id, struct job **out)
{
	*out = job_find(c, 0, id);
	if (*out != NULL)
		return NULL;
	return err_hint(
	    c, refuse(c, ERR_NOT_FOUND, tr_mark("There is no job %s."), id), HINT_JOBS, NULL);
}
