#include "action/account.h"

#include <stddef.h>

#include "access/apikey.h"
#include "access/sites.h"
#include "access/workspace.h"
#include "action/action.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "job/job.h"
#include "job/ledger.h"

#define FIRST_GRANT "account create"
#define FAILED (7 * 86400 * CLOCK_SECOND)
#define ENDING (14 * 86400 * CLOCK_SECOND)
#define ASKS_AFTER (ACCOUNT_ASK_DAYS * 86400 * CLOCK_SECOND)

static const struct action_scope scope = { .change = DB_CHANGES_KEYS };
static const struct action_scope asking = { .change = DB_CHANGES_NOTHING };

static struct err *
check_name(struct ctx *c, const char *name)
{
	char created[CLOCK_TEXT];
	bool many;
	const struct account *a = account_find(c, name, &many);
	struct twin twin = { .article = "an", .noun = "account", .name = name, .many = many };

	if (many)
		return twin_refuse(c, &twin);
	if (a == NULL)
		return NULL;
	clock_format(created, a->created_at);
	twin.uuid = a->uuid;
	twin.about = arena_printf(c->arena, "created at %s", created);
	return twin_refuse(c, &twin);
}

struct err *
account_create(struct ctx *c, const struct account_order *order, struct account **out)
{
	struct err *err = action_begin(c, &scope);
	bool done;

	if (err == NULL && !order->another)
		err = check_name(c, order->name);
	if (err == NULL)
		err = account_insert(c, order->name, order->verified, out);
	if (err == NULL && order->credits > 0)
		err = ledger_grant(c, (*out)->id, order->credits, FIRST_GRANT, &done);
	return action_end(c, err);
}

struct err *
account_show(struct ctx *c, const char *name, struct account **out)
{
	db_begin_read(c, DB_CONTENT);
	return action_end(c, find_account(c, name, out));
}

void
account_show_all(struct ctx *c, void (*each)(void *arg, const struct account *account), void *arg)
{
	db_begin_read(c, DB_CONTENT);
	account_list(c, each, arg);
	db_commit(c);
}

struct keys {
	struct ctx *c;
	struct account_trouble *list;
	size_t count;
};

static void
count_key(void *arg, const struct apikey *key)
{
	struct keys *k = arg;
	int64_t account = workspace_of(k->c, key->workspace_id)->account_id;

	if (apikey_is_replaced(key))
		return;
	for (size_t i = 0; i < k->count; i++)
		k->list[i].ending_keys += k->list[i].account_id == account;
}

void
account_look_for_trouble(struct ctx *c, struct account_trouble *list, size_t count)
{
	struct keys keys = { c, list, count };

	db_begin_read(c, DB_CONTENT);
	for (size_t i = 0; i < count; i++)
		list[i].failed_jobs = job_count_failed(c, list[i].account_id, c->now - FAILED);
	apikey_list_ending(c, c->now, c->now + ENDING, count_key, &keys);
	db_rollback(c);
}

struct open_jobs {
	int64_t account_id;
	int count;
};

static void
count_job(void *arg, const struct job *job)
{
	struct open_jobs *open = arg;

	open->count += job->account_id == open->account_id;
}

int64_t
account_asks_after(const struct account *account)
{
	return account->declined_at == 0 ? 0 : account->declined_at + ASKS_AFTER;
}

struct err *
account_ask_to_verify(struct ctx *c, const char *name, bool *done)
{
	struct err *err = action_begin(c, &asking);
	struct account *a;

	*done = false;
	if (err == NULL)
		err = find_account(c, name, &a);
	if (err != NULL || a->verified || a->asked_at != 0)
		return action_end(c, err);
	if (c->now < account_asks_after(a))
		return action_end(c,
		    refuse(c, ERR_CONFLICT,
			tr_mark("An operator declined this. An owner may ask again %d days later."),
			ACCOUNT_ASK_DAYS));
	a->asked_at = c->now;
	a->declined_at = 0;
	account_update(c, a);
	*done = true;
	return action_end(c, NULL);
}

static void
set(struct ctx *c, struct account *a, enum account_change change)
{
	switch (change) {
	case ACCOUNT_VERIFY:
		a->verified = true;
		a->asked_at = a->declined_at = 0;
		break;
	case ACCOUNT_DECLINE:
		if (a->asked_at != 0)
			a->declined_at = c->now;
		a->asked_at = 0;
		break;
	case ACCOUNT_SUSPEND:
	case ACCOUNT_RESUME:
		a->suspended = change == ACCOUNT_SUSPEND;
		break;
	}
	account_update(c, a);
}

struct err *
account_change(struct ctx *c, const char *name, enum account_change change, struct account **out,
    int *open_jobs)
{
	struct open_jobs open = { .count = 0 };
	struct account *a;
	struct err *err;

	err = action_begin(c, &scope);
	if (err == NULL)
		err = find_account(c, name, &a);
	if (err != NULL)
		return action_end(c, err);
	set(c, a, change);
	open.account_id = a->id;
	if (change == ACCOUNT_SUSPEND)
		job_list_open(c, count_job, &open);
	*open_jobs = open.count;
	*out = a;
	err = action_end(c, NULL);
	sites_write(c);
	return err;
}
