#include "action/key.h"

#include <stddef.h>
#include <string.h>

#include "access/keymaker.h"
#include "access/scope.h"
#include "action/action.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"

#define ENDING 4 /* characters at the end of a displayed key */
#define BEGINNING 12 /* characters at its beginning */

static const struct action_scope scope = { .change = DB_CHANGES_KEYS };

static const char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

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
		    tr_mark(
			"A label has something that can be seen, and no characters that hide."));
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
	struct err *err = action_begin(c, &scope);

	if (err == NULL)
		err = key_check(c, order);
	if (err == NULL && order->expires_at != 0 && order->expires_at <= c->now)
		err = err_param(c, "expires", tr_mark("The key must end in the future."));
	if (err == NULL)
		err = find_workspace(c, &order->place, w);
	if (err == NULL)
		err = apikey_insert(
		    c, (*w)->id, order->scopes, order->label, order->expires_at, key, made);
	if (err == NULL && order->person != NULL)
		keymaker_insert(c, (*made)->id, order->person);
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
	struct err *err = find(c, order->within, order->old, &old);

	if (err != NULL)
		return err;
	if (strcmp(key_state(c, old), "good") != 0)
		return err_hint(c,
		    refuse(c, ERR_CONFLICT,
			tr_mark("Key %s is %s already: there is nothing to replace."), old->display,
			key_state(c, old)),
		    HINT_KEY_CREATE, NULL);
	r->again = apikey_is_replaced(old);
	r->before = r->again ? apikey_find_like(c, old) : NULL;
	err = apikey_insert(
	    c, old->workspace_id, old->scopes, old->label, expiry(c, order, old), r->key, &r->made);
	if (err != NULL)
		return err;
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
	struct err *err = action_begin(c, &scope);

	if (err == NULL)
		err = replace(c, order, out);
	return action_end(c, err);
}

struct err *
key_revoke(struct ctx *c, const char *within, const char *id, struct apikey **out)
{
	struct apikey *k;
	struct err *err;

	err = action_begin(c, &scope);
	if (err == NULL)
		err = find(c, within, id, &k);
	if (err != NULL)
		return action_end(c, err);
	apikey_revoke(c, k->id);
	*out = apikey_find(c, k->uuid);
	return action_end(c, NULL);
}

struct err *
key_show(struct ctx *c, const char *within, const char *id,
    void (*show)(void *arg, const struct apikey *key), void *arg)
{
	struct apikey *k;
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find(c, within, id, &k);
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
	struct err *err;

	if (s.word == NULL)
		return err_param(c, "key",
		    tr_mark("There is no key in that: a key is %s and %d letters and digits."),
		    APIKEY_PREFIX, APIKEY_LENGTH - (int)strlen(APIKEY_PREFIX));
	db_begin_read(c, DB_CONTENT);
	err = find_workspace(c, &place, &w);
	/* If something was pasted behind a whole key, it is still that key. */
	if (err == NULL && strlen(s.word) >= APIKEY_LENGTH)
		s.whole = apikey_find_whole(c, arena_text_n(c->arena, s.word, APIKEY_LENGTH));
	if (err == NULL)
		apikey_list(c, w->id, look_at, &s);
	return action_end(c, err);
}
