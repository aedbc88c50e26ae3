#include "action/article/preview-links.h"

#include <string.h>

#include "action/action.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "system/conf.h"

/* Nothing that GET answers. */
static const struct action_scope scope = { .change = DB_CHANGES_NOTHING };

/* Finds where strangers read. */
static struct err *
find_address(struct ctx *c, const char **out)
{
	*out = pages_address(c);
	if (*out != NULL)
		return NULL;
	return refuse(c, ERR_CONFLICT,
	    tr_mark(
		"This instance has no address yet, so there is nothing to share. The operator sets public_url."));
}

static void
count_one(void *arg, const struct share *s)
{
	int *count = arg;

	(void)s;
	++*count;
}

static struct err *
find(struct ctx *c, const char *within, const char *id, struct article **out)
{
	TRY(find_article_id(c, id, out));
	if (within != NULL && strcmp(workspace_of(c, (*out)->workspace_id)->uuid, within) != 0)
		return refuse(c, ERR_NOT_FOUND, tr_mark("There is no such article."));
	return NULL;
}

static struct err *
make(struct ctx *c, const struct sharing_order *order, struct sharing_made *out)
{
	struct article *a;
	int alive = 0;

	TRY(find(c, order->within, order->article, &a));
	if (a->status == ARTICLE_DELETED)
		return refuse(c, ERR_CONFLICT,
		    tr_mark(
			"This article is in the trash, so nobody can read it. Restore it first."));
	share_list(c, a->workspace_id, count_one, &alive);
	out->full = alive >= SHARE_MAX;
	if (out->full)
		return refuse(c, ERR_CONFLICT,
		    tr_mark(
			"%d links of this workspace are open, and there are never more. Revoke one of them first."),
		    SHARE_MAX);
	share_insert(c, a, order->person, (int)order->days, out->text, &out->share);
	return NULL;
}

struct err *
sharing_make(struct ctx *c, const struct sharing_order *order, struct sharing_made *out)
{
	const char *address;

	*out = (struct sharing_made) { .link = NULL };
	TRY(find_address(c, &address));
	if (order->days < 1 || order->days > SHARE_DAYS_MAX)
		return err_param(
		    c, "days", tr_mark("A link is open for 1 to %d days."), SHARE_DAYS_MAX);
	ACTION(c, action_begin(c, &scope));
	TRY(make(c, order, out));
	action_commit(c);
	out->link = arena_printf(c->arena, "%s/share/%s", address, out->text);
	return NULL;
}

struct err *
sharing_list(struct ctx *c, const struct find_place *place, share_seen *each, void *arg)
{
	struct workspace *w;

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_workspace(c, place, &w));
	share_list(c, w->id, each, arg);
	return action_commit(c);
}

struct err *
sharing_list_article(struct ctx *c, const char *article, share_seen *each, void *arg)
{
	struct article *a;

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_article_id(c, article, &a));
	share_list_article(c, a->id, each, arg);
	return action_commit(c);
}

static struct err *
get(struct ctx *c, const char *within, const char *id, struct share *out)
{
	if (share_find_uuid(c, id, out) &&
	    (within == NULL || strcmp(workspace_of(c, out->workspace_id)->uuid, within) == 0))
		return NULL;
	return refuse(c, ERR_NOT_FOUND, tr_mark("There is no share %s."), id);
}

struct err *
sharing_look(struct ctx *c, const char *within, const char *id, struct share *out)
{
	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(get(c, within, id, out));
	return action_commit(c);
}

struct err *
sharing_end(struct ctx *c, const char *within, const char *id, struct share *out)
{
	ACTION(c, action_begin(c, &scope));
	TRY(get(c, within, id, out));
	(void)share_end(c, out->id);
	return action_commit(c);
}

struct err *
sharing_end_article(struct ctx *c, const char *article, int64_t *count)
{
	struct article *a;

	ACTION(c, action_begin(c, &scope));
	TRY(find_article_id(c, article, &a));
	*count = share_end_article(c, a->id);
	return action_commit(c);
}
