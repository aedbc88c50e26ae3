#include "store/migrate.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fault.h"
#include "base/log.h"
#include "schema_version.h"
#include "store/db.h"
#include "store/generation.h"

static void
check_foreign_keys(struct ctx *c)
{
	struct stmt *q = db_prepare(c, "PRAGMA foreign_key_check");

	if (db_row(q)) {
		const char *table = db_text(q, 0);
		db_rollback(c);
		die("migration: a row of %s refers to one that is not there",
		    table);
	}
}

struct err *
migrate_run(struct ctx *c, int64_t *from)
{
	*from = db_version(c);
	if (*from > SCHEMA_VERSION)
		return refuse(c, ERR_CONFLICT,
		    "This database has schema %" PRId64 ", this program is of"
		    " schema %d, and no database is brought down: install the"
		    " newer release again, or restore a backup that is no newer"
		    " than this program (migrate made one, db/before-migrate-"
		    "*.tar).",
		    *from, SCHEMA_VERSION);
	if (*from == SCHEMA_VERSION)
		return NULL;
	db_exec(c, "BEGIN EXCLUSIVE");
	if (db_version(c) != *from) {
		db_rollback(c);
		return refuse(c, ERR_CONFLICT,
		    "Another migration ran at the same time; look at it with"
		    " galley doctor.");
	}
	generation_begin(c, DB_CHANGES_ALL, 0,
	    clock_boot() + DB_WAIT_TOOL_MS * 1000);
	for (const struct migration *m = migrations; m->number != 0; m++) {
		if (m->number > *from)
			db_exec(c, m->sql);
		(void)FAULT("migrate-step");
	}
	check_foreign_keys(c);
	db_exec(c, arena_printf(c->arena, "PRAGMA application_id = %d",
		       DB_APPLICATION_ID));
	db_exec(c, arena_printf(c->arena, "PRAGMA user_version = %d",
		       SCHEMA_VERSION));
	(void)FAULT("migrate-before-commit");
	db_exec(c, "COMMIT");
	generation_end(true);
	return NULL;
}
