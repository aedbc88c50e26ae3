#include "action/workspace.h"

#include <stddef.h>

#include "access/account.h"
#include "access/scope.h"
#include "action/action.h"
#include "action/twin.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "system/conf.h"

static const struct action_scope scope = { .change = DB_CHANGES_ALL };

static struct err *
check_name(struct ctx *c, const char *name)
{
	bool many;
	const struct workspace *w = workspace_find(c, name, &many);
	struct twin twin = { .article = "a", .noun = "workspace", .name = name,
		.many = many };

	if (many)
		return twin_refuse(c, &twin);
	if (w == NULL)
		return NULL;
	twin.uuid = w->uuid;
	twin.about = arena_printf(c->arena, "of the account %s",
	    account_of(c, w->account_id)->name);
	return twin_refuse(c, &twin);
}

struct err *
workspace_create(
    struct ctx *c, const struct workspace_order *order, struct workspace **out)
{
	struct account *a;
	struct err *err;

	err = action_begin(c, &scope);
	if (err == NULL)
		err = find_account(c, order->account, &a);
	if (err == NULL && !order->another)
		err = check_name(c, order->name);
	if (err == NULL)
		err = workspace_insert(
		    c, a->id, order->name, order->language, out);
	if (err == NULL)
		workspace_take_public_url(c, c->conf->public_url);
	return action_end(c, err);
}

struct err *
workspace_show(struct ctx *c, const struct find_place *place,
    void (*show)(void *arg, const struct workspace *workspace), void *arg)
{
	struct workspace *w;
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_workspace(c, place, &w);
	if (err == NULL)
		show(arg, w);
	return action_end(c, err);
}

void
workspace_show_all(struct ctx *c,
    void (*each)(void *arg, const struct workspace *workspace), void *arg)
{
	db_begin_read(c, DB_CONTENT);
	workspace_list(c, each, arg);
	db_commit(c);
}

static struct err *
set_website(struct ctx *c, const struct first_site *site, struct workspace *w)
{
	if (site->website == NULL)
		return NULL;
	return workspace_set(c, w, "website", site->website);
}

struct err *
workspace_check_site(struct ctx *c, const struct first_site *site)
{
	struct workspace w = { .id = 0 };
	struct err *err = workspace_set(c, &w, "name", site->name);

	if (err == NULL)
		err = workspace_set(c, &w, "language", site->language);
	return err != NULL ? err : set_website(c, site, &w);
}

static struct err *
create_site(struct ctx *c, struct first_site *s)
{
	struct err *err = account_insert(c, s->name, true, &s->account);

	if (err == NULL)
		err = workspace_insert(
		    c, s->account->id, s->name, s->language, &s->workspace);
	if (err == NULL)
		err = set_website(c, s, s->workspace);
	if (err != NULL)
		return err;
	workspace_update(c, s->workspace);
	workspace_take_public_url(c, c->conf->public_url);
	return apikey_insert(
	    c, s->workspace->id, SCOPE_READ, s->label, 0, s->key, &s->apikey);
}

struct err *
workspace_create_site(struct ctx *c, struct first_site *site)
{
	struct err *err = action_begin(c, &scope);

	if (err == NULL)
		err = create_site(c, site);
	return action_end(c, err);
}
