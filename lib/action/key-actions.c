#include "action/key-actions.h"

#include <stddef.h>
#include <string.h>

#include "access/account.h"
#include "access/apikey.h"
#include "access/workspace.h"
#include "action/action.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "people/membership.h"
#include "people/person.h"
#include "people/secret.h"

#define ENDING 4 /* characters at the end of a displayed key */
#define BEGINNING 12 /* characters at its beginning */

static const struct action_scope scope = { .change = DB_CHANGES_KEYS };

static const char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/* Finds a key by its id, or by the whole key, which its owner has when it has leaked.
 * No refusal quotes a text that may be a key. */
static struct err *
find_key(struct ctx *c, const char *id, struct apikey **out)
{
	bool whole = apikey_is_whole(id);

	*out = whole ? apikey_find_whole(c, id) : apikey_find(c, id);
	if (*out != NULL)
		return NULL;
	if (whole)
		return refuse(c, ERR_NOT_FOUND,
		    tr_mark("%s is a whole key, but not one of this instance."),
		    apikey_display(c, id));
	if (strncmp(id, APIKEY_PREFIX, strlen(APIKEY_PREFIX)) == 0)
		return err_hint(c,
		    refuse(c, ERR_NOT_FOUND, tr_mark("%s is not a whole key: name it by its id."),
			apikey_display(c, id)),
		    HINT_KEY_FIND, NULL);
	return err_hint(c, refuse(c, ERR_NOT_FOUND, tr_mark("There is no key with the id %s."), id),
	    HINT_KEYS, NULL);
}

/* Finds a key, of any workspace or of this one alone. */
static struct err *
find(struct ctx *c, const char *within, const char *id, struct apikey **out)
{
	if (within == NULL)
		return find_key(c, id, out);
	*out = apikey_find(c, id);
	if (*out != NULL && strcmp(workspace_of(c, (*out)->workspace_id)->uuid, within) == 0)
		return NULL;
	return err_hint(
	    c, refuse(c, ERR_NOT_FOUND, tr_mark("There is no such key.")), HINT_KEYS, NULL);
}

struct err *
key_check(struct ctx *c, const struct key_order *order)
{
	unsigned scopes = order->scopes;

	if (order->label[0] != '\0' && !utf8_is_seen(order->label))
		return err_param(c, "label",
		    tr_mark("A label must have a visible character, and no invisible ones."));
	if (!order->plain)
		return NULL;
	if (scopes == 0)
		return err_param(c, "read", tr_mark("Choose what the key may do."));
	if ((scopes & SCOPE_GENERATE) != 0 && scopes != SCOPE_GENERATE)
		return err_param(c, "generate",
		    tr_mark(
			"A key that creates articles spends credits, so it is a key of its own: create another one for reading."));
	if ((scopes & SCOPE_DRAFTS) != 0 && (scopes & SCOPE_READ) == 0)
		return err_param(c, "drafts",
		    tr_mark("A key that reads drafts must read published articles, too."));
	return NULL;
}

bool
key_is_strong(unsigned scopes)
{
	return (scopes & (SCOPE_DRAFTS | SCOPE_GENERATE)) != 0;
}

struct err *
key_create(struct ctx *c, const struct key_order *order, char key[APIKEY_LENGTH + 1],
    struct apikey **made, struct workspace **w)
{
	ACTION(c, action_begin(c, &scope));
	TRY(key_check(c, order));
	if (order->expires_at != 0 && order->expires_at <= c->now)
		return err_param(c, "expires", tr_mark("The key must end in the future."));
	TRY(find_workspace(c, &order->place, w));
	TRY(apikey_insert(c, (*w)->id, order->scopes, order->label, order->expires_at, key, made));
	if (order->person != NULL)
		keymaker_insert(c, (*made)->id, order->person);
	return action_commit(c);
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
expiry(const struct ctx *c, const struct key_replacement *order, const struct apikey *old)
{
	if (order->expires)
		return order->expires_at;
	return old->lifetime != 0 ? c->now + old->lifetime : 0;
}

static struct err *
replace(struct ctx *c, const struct key_replacement *order, struct key_replaced *r)
{
	struct apikey *old;

	TRY(find(c, order->within, order->old, &old));
	if (strcmp(key_state(c, old), "good") != 0)
		return err_hint(c,
		    refuse(c, ERR_CONFLICT,
			tr_mark("Key %s is %s already: there is nothing to replace."), old->display,
			key_state(c, old)),
		    HINT_KEY_CREATE, NULL);
	r->again = apikey_is_replaced(old);
	r->before = r->again ? apikey_find_like(c, old) : NULL;
	TRY(apikey_insert(c, old->workspace_id, old->scopes, old->label, expiry(c, order, old),
	    r->key, &r->made));
	if (order->person != NULL)
		keymaker_insert(c, r->made->id, order->person);
	if (order->grace == 0)
		apikey_revoke(c, old->id);
	else
		apikey_expire(c, old, c->now + order->grace);
	r->old = apikey_find(c, old->uuid);
	return NULL;
}

struct err *
key_replace(struct ctx *c, const struct key_replacement *order, struct key_replaced *out)
{
	ACTION(c, action_begin(c, &scope));
	TRY(replace(c, order, out));
	return action_commit(c);
}

struct err *
key_revoke(struct ctx *c, const char *within, const char *id, struct apikey **out)
{
	struct apikey *k;

	ACTION(c, action_begin(c, &scope));
	TRY(find(c, within, id, &k));
	apikey_revoke(c, k->id);
	*out = apikey_find(c, k->uuid);
	return action_commit(c);
}

struct err *
key_show(struct ctx *c, const char *within, const char *id,
    void (*show)(void *arg, const struct apikey *key), void *arg)
{
	struct apikey *k;

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find(c, within, id, &k));
	show(arg, k);
	return action_commit(c);
}

struct err *
key_list(struct ctx *c, const struct find_place *place,
    void (*each)(void *arg, const struct apikey *key), void *arg)
{
	struct workspace *w;

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_workspace(c, place, &w));
	apikey_list(c, w->id, each, arg);
	return action_commit(c);
}

/* ---- a key that has leaked */

bool
key_is_alike(const char *text, const char *display)
{
	size_t len = strlen(text), end = strlen(display);

	if (len < BEGINNING || end < BEGINNING)
		return false;
	return strncmp(text, display, BEGINNING) == 0 ||
	       strcmp(text + len - ENDING, display + end - ENDING) == 0;
}

struct search {
	const char *word;
	const struct apikey *whole; /* the key that the word is, or NULL */
	void (*each)(void *arg, const struct apikey *key, bool sure);
	void *arg;
};

static void
look_at(void *arg, const struct apikey *key)
{
	struct search *s = arg;

	if (s->whole != NULL ? key->id == s->whole->id : key_is_alike(s->word, key->display))
		s->each(s->arg, key, s->whole != NULL);
}

/* Returns the word of a text that is a key, or a part of one; NULL: it has no word. */
static const char *
word_of(struct ctx *c, const char *text)
{
	const char *p = strstr(text, APIKEY_PREFIX);
	size_t prefix = strlen(APIKEY_PREFIX), end = strlen(text), len = 0;

	if (p != NULL)
		return arena_text_n(c->arena, p, prefix + strspn(p + prefix, letters));
	while (end > 0 && strchr(letters, text[end - 1]) == NULL)
		end--;
	while (len < end && strchr(letters, text[end - len - 1]) != NULL)
		len++;
	return len > 0 ? arena_text_n(c->arena, text + end - len, len) : NULL;
}

struct err *
key_find(struct ctx *c, const char *within, const char *text,
    void (*each)(void *arg, const struct apikey *key, bool sure), void *arg)
{
	const struct find_place place = { .name = within };
	struct search s = { .word = word_of(c, text), .each = each, .arg = arg };
	struct workspace *w;

	if (s.word == NULL)
		return err_param(c, "key",
		    tr_mark("There is no key in that: a key is %s and %d letters and digits."),
		    APIKEY_PREFIX, APIKEY_LENGTH - (int)strlen(APIKEY_PREFIX));
	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_workspace(c, &place, &w));
	/* If something was pasted after a whole key, it is still that key. */
	if (strlen(s.word) >= APIKEY_LENGTH)
		s.whole = apikey_find_whole(c, arena_text_n(c->arena, s.word, APIKEY_LENGTH));
	apikey_list(c, w->id, look_at, &s);
	return action_commit(c);
}

/* ---- the keys that a person made */

#define LOOKED_AT 1000 /* keys of one person */

struct made_reading {
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
add_made(void *arg, const struct apikey *key)
{
	struct made_reading *r = arg;
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
	struct made_reading r = { .c = c, .made = made };

	made->count = 0;
	made->more = false;
	ACTION(c, action_reading(c, DB_CONTENT));
	keymaker_list(c, made->person, LOOKED_AT, add_made, &r);
	TRY(r.err);
	return action_commit(c);
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
	ACTION(c, action_begin(c, &scope));
	for (size_t i = 0; i < count; i++)
		TRY(revoke_one(c, made, uuids[i], &ends[i]));
	gate_leave(c);
	return action_commit(c);
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
