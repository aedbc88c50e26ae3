#ifndef ACTION_KEY_MADE_H
#define ACTION_KEY_MADE_H
/*
 * The keys that a person made (docs/console.md §2.4). When the person's rights end, somebody
 * who manages the keys' workspaces looks at them and revokes what the person may still know.
 * People and keys are in two stores: this is a second step, which can be done again.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/apikey.h"
#include "base/err.h"

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
