#ifndef STORE_SCHEMAS_H
#define STORE_SCHEMAS_H
/*
 * The schemas of the stores: that of this program, and those of earlier releases.
 *
 * db/schema.sql, db/console/schema.sql, db/stats/schema.sql	the schemas of this program
 * db/released/NNNN.sql, db/console/released/NNNN.sql	those of releases before, whole
 * db/before/NNNN-….sql, db/console/before/NNNN-….sql	the steps from one to the next
 *
 * stats/stats.db has the same folders below db/stats/ as soon as there is a second schema.
 *
 * A test build that finds GALLEY_NEXT in its environment is a made-up next release: content
 * and people have one number more, and a step (tests/next/).
 */
#include <stdint.h>

#include "schema_version.h"
#include "store/db.h"

/* A step from one schema to the next, or a whole schema of an earlier release. Embedded when
 * the operator's tool is built (db/embed.sh). */
struct migration {
	int64_t number; /* of the schema that it makes; 0 ends the list */
	const char *name;
	const char *sql;
};

struct schemas {
	int64_t number; /* of this program */
	const char *text; /* its schema, whole */
	int32_t application_id;
	const struct migration *steps; /* in their order */
	const struct migration *released; /* whole schemas with smaller numbers */
	const char *subject; /* how sentences name the file: "This database" */
	const char *noun; /* "the database" */
};

/* Returns those of a store. */
const struct schemas *schemas_of(enum db_store store);

/* Returns the number of a store's schema in this program. */
#ifdef GALLEY_TEST

int64_t schemas_number(enum db_store store);

#else

static inline int64_t
schemas_number(enum db_store store)
{
	return store == DB_CONTENT   ? SCHEMA_VERSION
	       : store == DB_CONSOLE ? CONSOLE_VERSION
				     : STATS_VERSION;
}

#endif

#endif
