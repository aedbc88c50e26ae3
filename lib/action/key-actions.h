#ifndef ACTION_KEY_ACTIONS_H
#define ACTION_KEY_ACTIONS_H
/* Actions on keys: create, show, list, find, replace, revoke. What they change is keys
 * (DB_CHANGES_KEYS).
 *
 * `within` is the UUID of a workspace, or NULL. With it, a key of another workspace is refused
 * like one that is not there. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/apikey.h"
#include "access/workspace.h"
#include "action/action.h"
#include "base/err.h"

/* A new key. */
struct key_order {
	struct find_place place; /* the workspace that it reads */
	unsigned scopes;
	const char *label; /* one line, or "" */
	int64_t expires_at; /* 0: never */
	const char *person; /* UUID of who makes it in the console, or NULL */
	bool plain; /* refuse a set of scopes that surprises people: `param` is "read",
		     * "drafts" or "generate" */
};

/* Refuses a plain order whose scopes surprise, without a database. */
MAY_REFUSE struct err *key_check(struct ctx *c, const struct key_order *order);

/* Returns whether who makes a key with these scopes must have proved lately who they are. */
bool key_is_strong(unsigned scopes);

/* Creates a key. Refuses an end that is not in the future; `param` is "expires". `key` gets the
 * only copy of its text; the caller must clear it. */
MAY_REFUSE struct err *key_create(struct ctx *c, const struct key_order *order,
    char key[APIKEY_LENGTH + 1], struct apikey **made, struct workspace **w);

/* Another key in the place of an old one. */
struct key_replacement {
	const char *within;
	const char *old; /* its id, or the whole key */
	const char *person; /* UUID of who makes the new one in the console, or NULL */
	int64_t grace; /* how long the old key still works; 0: not at all */
	bool expires; /* `expires_at` is given */
	int64_t expires_at; /* of the new key; else it lives as long as the first key */
};

struct key_replaced {
	char key[APIKEY_LENGTH + 1]; /* the new key's text; the caller must clear it */
	struct apikey *made;
	struct apikey *old; /* as it is afterwards */
	bool again; /* the old key had been replaced before */
	const struct apikey *before; /* by this key; NULL: none, or not known */
};

/* Returns "good", "revoked" or "expired". */
const char *key_state(const struct ctx *c, const struct apikey *key);

/* Creates a key with the scopes and the label of the old one, which ends after the grace.
 * Refuses a key that is not good any more. */
MAY_REFUSE struct err *
key_replace(struct ctx *c, const struct key_replacement *order, struct key_replaced *out);

/* Calls `show` for the key that `id` names, inside the transaction. */
MAY_REFUSE struct err *key_show(struct ctx *c, const char *within, const char *id,
    void (*show)(void *arg, const struct apikey *key), void *arg);

/* Calls `each` for every key of the workspace, oldest first, inside the transaction. */
MAY_REFUSE struct err *key_list(struct ctx *c, const struct find_place *place,
    void (*each)(void *arg, const struct apikey *key), void *arg);

/* Returns whether a key or a part of one begins or ends like the key that is displayed so. */
bool key_is_alike(const char *text, const char *display);

/* Calls `each` for the key of the workspace that a text holds, or else for those that begin or
 * end like it (`sure` is false), inside the transaction. The text may be a line of a log:
 * the first word in it that begins like a key counts, else the last word. Refuses a text
 * without a word; `param` is "key". */
MAY_REFUSE struct err *key_find(struct ctx *c, const char *within, const char *text,
    void (*each)(void *arg, const struct apikey *key, bool sure), void *arg);

/* Revokes the key that `id` names. A key that was revoked before stays as it was. */
MAY_REFUSE struct err *
key_revoke(struct ctx *c, const char *within, const char *id, struct apikey **out);

/*
 * ---- The keys that a person made
 *
 * See docs/console.md §2.4. When the person's rights end, somebody
 * who manages the keys' workspaces looks at them and revokes what the person may still know.
 * People and keys are in two stores: this is a second step, which can be done again.
 */
#define KEY_MADE_MAX 40 /* of one list: a form has so many fields */

struct key_made {
	/* What is asked. */
	const char *person; /* UUID of who made them */
	int64_t by; /* internal id of the person who asks */

	/* The good keys of workspaces that the asking person manages, the newest first. */
	struct {
		const struct apikey *key;
		const char *workspace, *account; /* UUIDs */
		const char *name; /* of the workspace */
	} keys[KEY_MADE_MAX];
	size_t count;
	bool more; /* there are others */
};

/* Fills the list. Refuses where people/ is not there. */
MAY_REFUSE struct err *key_made_list(struct ctx *c, struct key_made *made);

/* What became of a key that was to be revoked. */
struct key_made_end {
	const struct apikey *key; /* NULL: that person made no such key in a workspace that the
				   * asking person manages */
	const char *name; /* of the workspace */
	const char *was; /* key_state() before: "good": it was revoked now */
};

/* Revokes `count` keys by their UUIDs, and says in `ends` what became of each, before the
 * commit (gate_leave()). */
MAY_REFUSE struct err *key_made_revoke(struct ctx *c, const struct key_made *made,
    const char *const *uuids, size_t count, struct key_made_end *ends);

/* Finds the names of the people who made these keys (internal ids), as People has them;
 * NULL: the tool made it, or the person is not known any more. It is its own transactions. */
void key_made_names(struct ctx *c, const int64_t *keys, size_t count, const char **names);

#endif
