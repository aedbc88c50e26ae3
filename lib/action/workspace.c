#include "action/workspace.h"

#include <stddef.h>
#include <string.h>

#include "access/account.h"
#include "access/scope.h"
#include "access/time-zone.h"
#include "action/action.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "system/conf.h"
#include "system/zone/zone.h"

static const struct action_scope scope = { .change = DB_CHANGES_ALL };

static struct err *
check_name(struct ctx *c, const char *name)
{
	bool many;
	const struct workspace *w = workspace_find(c, name, &many);
	struct twin twin = { .article = "a", .noun = "workspace", .name = name, .many = many };

	if (many)
		return twin_refuse(c, &twin);
	if (w == NULL)
		return NULL;
	twin.uuid = w->uuid;
	twin.about =
	    arena_printf(c->arena, "of the account %s", account_of(c, w->account_id)->name);
	return twin_refuse(c, &twin);
}

/* A name that is looked for among the workspaces of an account. */
struct own_name {
	int64_t account_id;
	const char *name;
	bool found;
};

static bool
compare_name(void *arg, const struct workspace_brief *w)
{
	struct own_name *own = arg;

	own->found = w->account_id == own->account_id && strlen(own->name) == w->name_len &&
		     memcmp(own->name, w->name, w->name_len) == 0;
	return !own->found;
}

static struct err *
check_own_name(struct ctx *c, const struct account *a, const char *name)
{
	struct own_name own = { .account_id = a->id, .name = name };

	workspace_walk(c, 0, compare_name, &own);
	return own.found ? refuse(c, ERR_CONFLICT,
			       tr_mark("This account has a workspace of this name already."))
			 : NULL;
}

static struct err *
set_website(struct ctx *c, const char *website, struct workspace *w)
{
	if (website == NULL || website[0] == '\0')
		return NULL;
	return workspace_set(c, w, "website", website);
}

static struct err *
check_time_zone(struct ctx *c, const char *name)
{
	struct zone zone;

	return name == NULL || zone_load(c, name, &zone)
		   ? NULL
		   : err_param(c, "time-zone", tr_mark("Choose one of these."));
}

static struct err *
insert(struct ctx *c, const struct workspace_order *order, const struct account *a,
    struct workspace **out)
{
	struct err *err = workspace_insert(c, a->id, order->name, order->language, out);

	if (err == NULL)
		err = set_website(c, order->website, *out);
	if (err != NULL)
		return err;
	if (order->website != NULL)
		workspace_update(c, *out);
	if (order->time_zone != NULL)
		time_zone_set(c, (*out)->id, order->time_zone);
	workspace_take_public_url(c, c->conf->public_url);
	return NULL;
}

struct err *
workspace_create(struct ctx *c, const struct workspace_order *order, struct workspace **out)
{
	struct account *a;
	struct err *err = check_time_zone(c, order->time_zone);

	if (err == NULL)
		err = action_begin(c, &scope);
	if (err == NULL)
		err = find_account(c, order->account, &a);
	if (err == NULL && !order->another)
		err =
		    order->within ? check_own_name(c, a, order->name) : check_name(c, order->name);
	if (err == NULL)
		err = insert(c, order, a, out);
	if (err == NULL)
		gate_leave(c);
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
workspace_show_all(
    struct ctx *c, void (*each)(void *arg, const struct workspace *workspace), void *arg)
{
	db_begin_read(c, DB_CONTENT);
	workspace_list(c, each, arg);
	db_commit(c);
}

struct err *
workspace_check_site(struct ctx *c, const struct first_site *site)
{
	struct workspace w = { .id = 0 };
	struct err *err = workspace_set(c, &w, "name", site->name);

	if (err == NULL)
		err = workspace_set(c, &w, "language", site->language);
	return err != NULL ? err : set_website(c, site->website, &w);
}

static struct err *
create_site(struct ctx *c, struct first_site *s)
{
	struct err *err = account_insert(c, s->name, true, &s->account);

	if (err == NULL)
		err = workspace_insert(c, s->account->id, s->name, s->language, &s->workspace);
	if (err == NULL)
		err = set_website(c, s->website, s->workspace);
	if (err != NULL)
		return err;
	workspace_update(c, s->workspace);
	workspace_take_public_url(c, c->conf->public_url);
	return apikey_insert(c, s->workspace->id, SCOPE_READ, s->label, 0, s->key, &s->apikey);
}

struct err *
workspace_create_site(struct ctx *c, struct first_site *site)
{
	struct err *err = action_begin(c, &scope);

	if (err == NULL)
		err = create_site(c, site);
	return action_end(c, err);
}
