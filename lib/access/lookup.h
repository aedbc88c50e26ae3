#ifndef ACCESS_LOOKUP_H
#define ACCESS_LOOKUP_H
/*
 * Finds the row that a UUID or a name names. Private to this floor. The statement asks
 * for `uuid = :uuid OR (:uuid IS NULL AND name = :name)`, at most two rows.
 *
 *	found = lookup_first(q, name_or_uuid) ? from_row(c, q) : NULL;
 *	*many = lookup_is_many(q, found);
 *	return *many ? NULL : found;
 */
#include <stdbool.h>

struct stmt;

/* Binds :uuid and :name, and reads the first row; false if there is none. */
bool lookup_first(struct stmt *q, const char *name_or_uuid);

/* Returns whether there is a row after `found`, the first one; ends the reading. */
bool lookup_is_many(struct stmt *q, const void *found);

#endif
