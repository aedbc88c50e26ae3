#ifndef ACCESS_SCOPE_H
#define ACCESS_SCOPE_H
/* What a key may do (docs/contract.md §5.6). */
#include <stdbool.h>

struct arena;

/* Bits of a set of scopes. */
enum scope {
	SCOPE_READ = 1, /* articles:read */
	SCOPE_DRAFTS = 2, /* drafts:read: never replaces articles:read */
	SCOPE_GENERATE = 4 /* articles:generate */
};

/* Returns the name of one scope. */
const char *scope_name(enum scope scope);

/* Returns the bit of one name, or 0 if there is no such scope. */
unsigned scope_from_name(const char *name);

/* Reads the set from a stored text: names separated by spaces. A word that is no
 * scope's name is ignored: it grants nothing. */
unsigned scope_from_text(const char *text);

/* Returns the text of a set, in the order above. In the arena. */
const char *scope_to_text(struct arena *a, unsigned scopes);

#endif
