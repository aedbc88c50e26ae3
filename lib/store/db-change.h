#ifndef STORE_DB_CHANGE_H
#define STORE_DB_CHANGE_H
/* Which tables are part of what GETs answer. Private to this floor, for all stores. */
#include <stddef.h>
#include <string.h>

#include "store/db.h"

static const struct {
	const char *table;
	enum db_change change;
} db_guarded[] = {
	{ "article", DB_CHANGES_WORKSPACE },
	{ "edition", DB_CHANGES_WORKSPACE },
	{ "workspace", DB_CHANGES_WORKSPACE },
	{ "api_key", DB_CHANGES_KEYS },
};

/* Returns what a write to the table changes, as a bit of enum db_change; 0: nothing that a
 * transaction must declare. */
static inline unsigned
db_change_of(const char *table)
{
	for (size_t i = 0; i < sizeof(db_guarded) / sizeof(db_guarded[0]); i++) {
		if (strcmp(table, db_guarded[i].table) == 0)
			return 1U << db_guarded[i].change;
	}
	return 0;
}

#endif
