#include "action/key.h"

#include <stddef.h>
#include <string.h>

#include "action/action.h"
#include "base/ctx.h"

static const struct action_scope scope = { .change = DB_CHANGES_KEYS };

struct err *
key_create(struct ctx *c, const struct key_order *order,
    char key[APIKEY_LENGTH + 1], struct apikey **made, struct workspace **w)
{
	struct err *err;

	err = action_begin(c, &scope);
	if (err == NULL)
		err = find_workspace(c, &order->place, w);
	if (err == NULL)
		err = apikey_insert(c, (*w)->id, order->scopes, order->label,
		    order->expires_at, key, made);
	return action_end(c, err);
}

const char *
key_state(const struct ctx *c, const struct apikey *key)
{
	if (key->revoked_at != 0)
		return "revoked";
	if (key->expires_at != 0 && key->expires_at <= c->now)
		return "expired";
	return "good";
}

/* Returns when the new key expires: when the order says so, else after the
 * lifetime that the first key was made for. The end of the old key does not
 * change it. */
static int64_t
expiry(const struct ctx *c, const struct key_replacement *order,
    const struct apikey *old)
{
	if (order->expires)
		return order->expires_at;
	return old->lifetime != 0 ? c->now + old->lifetime : 0;
}

static struct err *
replace(
    struct ctx *c, const struct key_replacement *order, struct key_replaced *r)
{
	struct apikey *old;
	struct err *err = find_key(c, order->old, &old);

	if (err != NULL)
		return err;
	if (strcmp(key_state(c, old), "good") != 0)
		return refuse(c, ERR_CONFLICT,
		    "Key %s is %s already: there is nothing to replace. Make a"
		    " new one with galley key create.",
		    old->display, key_state(c, old));
	r->again = apikey_is_replaced(old);
	r->before = r->again ? apikey_find_like(c, old) : NULL;
	err = apikey_insert(c, old->workspace_id, old->scopes, old->label,
	    expiry(c, order, old), r->key, &r->made);
	if (err != NULL)
		return err;
	if (order->grace == 0)
		apikey_revoke(c, old->id);
	else
		apikey_expire(c, old, c->now + order->grace);
	r->old = apikey_find(c, old->uuid);
	return NULL;
}

struct err *
key_replace(struct ctx *c, const struct key_replacement *order,
    struct key_replaced *out)
{
	struct err *err = action_begin(c, &scope);

	if (err == NULL)
		err = replace(c, order, out);
	return action_end(c, err);
}

struct err *
key_revoke(struct ctx *c, const char *id, struct apikey **out)
{
	struct apikey *k;
	struct err *err;

	err = action_begin(c, &scope);
	if (err == NULL)
		err = find_key(c, id, &k);
	if (err != NULL)
		return action_end(c, err);
	apikey_revoke(c, k->id);
	*out = apikey_find(c, k->uuid);
	return action_end(c, NULL);
}

struct err *
key_show(struct ctx *c, const char *id,
    void (*show)(void *arg, const struct apikey *key), void *arg)
{
	struct apikey *k;
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_key(c, id, &k);
	if (err == NULL)
		show(arg, k);
	return action_end(c, err);
}

struct err *
key_list(struct ctx *c, const struct find_place *place,
    void (*each)(void *arg, const struct apikey *key), void *arg)
{
	struct workspace *w;
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_workspace(c, place, &w);
	if (err == NULL)
		apikey_list(c, w->id, each, arg);
	return action_end(c, err);
}
