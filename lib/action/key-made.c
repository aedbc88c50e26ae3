#include "action/key-made.h"

#include <string.h>

#include "access/account.h"
#include "access/keymaker.h"
#include "access/workspace.h"
#include "action/action.h"
#include "action/key.h"
#include "base/ctx.h"
#include "people/membership.h"
#include "people/person.h"
#include "people/secret.h"

#define LOOKED_AT 1000 /* keys of one person */

struct reading {
	struct ctx *c;
	struct key_made *made;
	struct err *err;
};

/* Whether somebody manages the workspace of a key. */
struct asking {
	int64_t by;
	const char *account, *workspace;
	bool manages;
};

static struct err *
ask(struct ctx *c, void *arg)
{
	struct asking *a = arg;

	a->manages = (membership_rights(c, a->by, a->account, a->workspace) & RIGHT_MANAGE) != 0;
	return NULL;
}

static struct err *
manages(struct ctx *c, int64_t by, const struct workspace *w, bool *out)
{
	struct asking a = {
		.by = by, .workspace = w->uuid, .account = account_of(c, w->account_id)->uuid
	};
	struct err *err = db_aside(c, DB_CONSOLE, ask, &a);

	*out = a.manages;
	return err;
}

static void
look_at(void *arg, const struct apikey *key)
{
	struct reading *r = arg;
	struct key_made *m = r->made;
	const struct workspace *w;
	bool may = false;

	if (m->more || r->err != NULL || strcmp(key_state(r->c, key), "good") != 0)
		return;
	w = workspace_of(r->c, key->workspace_id);
	r->err = manages(r->c, m->by, w, &may);
	if (!may)
		return;
	if (m->count == KEY_MADE_MAX) {
		m->more = true;
		return;
	}
	m->keys[m->count].key = key;
	m->keys[m->count].workspace = w->uuid;
	m->keys[m->count].account = account_of(r->c, w->account_id)->uuid;
	m->keys[m->count++].name = w->settings.name;
}

struct err *
key_made_list(struct ctx *c, struct key_made *made)
{
	struct reading r = { .c = c, .made = made };

	made->count = 0;
	made->more = false;
	db_begin_read(c, DB_CONTENT);
	keymaker_list(c, made->person, LOOKED_AT, look_at, &r);
	return action_end(c, r.err);
}

static struct err *
revoke_one(struct ctx *c, const struct key_made *made, const char *uuid, struct key_made_end *end)
{
	const struct apikey *k = apikey_find(c, uuid);
	const char *maker = k != NULL ? keymaker_find(c, k->id) : NULL;
	const struct workspace *w;
	struct err *err;
	bool may = false;

	*end = (struct key_made_end) { .key = NULL };
	if (maker == NULL || strcmp(maker, made->person) != 0)
		return NULL;
	w = workspace_of(c, k->workspace_id);
	err = manages(c, made->by, w, &may);
	if (err != NULL || !may)
		return err;
	*end = (struct key_made_end) { .key = k, .name = w->settings.name, .was = key_state(c, k) };
	if (strcmp(end->was, "good") == 0)
		apikey_revoke(c, k->id);
	return NULL;
}

struct err *
key_made_revoke(struct ctx *c, const struct key_made *made, const char *const *uuids, size_t count,
    struct key_made_end *ends)
{
	static const struct action_scope scope = { .change = DB_CHANGES_KEYS };
	struct err *err = action_begin(c, &scope);

	for (size_t i = 0; err == NULL && i < count; i++)
		err = revoke_one(c, made, uuids[i], &ends[i]);
	if (err == NULL)
		gate_leave(c);
	return action_end(c, err);
}

void
key_made_names(struct ctx *c, const int64_t *keys, size_t count, const char **names)
{
	const struct person *p;

	db_begin_read(c, DB_CONTENT);
	for (size_t i = 0; i < count; i++)
		names[i] = keymaker_find(c, keys[i]);
	db_rollback(c);
	if (!secret_exists(c))
		return;
	db_begin_read(c, DB_CONSOLE);
	for (size_t i = 0; i < count; i++) {
		p = names[i] != NULL ? person_find(c, names[i]) : NULL;
		names[i] = p != NULL ? p->name : NULL;
	}
	db_rollback(c);
}
