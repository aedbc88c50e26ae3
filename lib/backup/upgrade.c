#include "backup/upgrade.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "backup/archive.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "people/secret.h"
#include "stats/stats.h"
#include "store/db.h"
#include "store/migrate.h"
#include "store/remote-store.h"
#include "store/schemas.h"
#include "system/fault.h"
#include "system/instance.h"

static bool
is_older(enum db_store store, int64_t number)
{
	return number > 0 && number < schemas_number(store);
}

/* Refuses if a store differs from its schema: what a person added would be
 * lost by the upgrade, or end it. */
static struct err *
compare(struct ctx *c, const struct upgrade *u)
{
	struct err *err = NULL;

	if (is_older(DB_CONTENT, u->from))
		err = migrate_compare(c, c->instance->db, u->from);
	if (err == NULL && is_older(DB_CONSOLE, u->people_from))
		err = migrate_compare_console(c, db_console_path(c));
	db_open(c, DB_WAIT_TOOL_MS);
	return err == NULL
		   ? NULL
		   : err_hint(c,
			 refuse(c, ERR_CONFLICT,
			     "%s Nothing was changed. Put it right with the sqlite3 shell, and migrate again.",
			     err->message),
			 HINT_MIGRATE_NOW, NULL);
}

/* While an upgrade goes on, this file holds the path of its backup. */
static const char *
note_of(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->home, "db/before-migrate-begun");
}

/* Finds the backup of an upgrade that was ended between the two files. The way back needs that
 * one: a new one would hold a database that the release before cannot open. */
static const char *
find_begun(struct ctx *c, const struct upgrade *u)
{
	const char *path;

	if (u->from != schemas_number(DB_CONTENT))
		return NULL;
	path = fileio_read_now(c->arena, note_of(c), PATH_MAX, NULL);
	return path != NULL && access(path, R_OK) == 0 ? path : NULL;
}

/* Makes the backup that the way back needs, unless it is there. */
static struct err *
keep(struct ctx *c, const struct work *work, struct upgrade *u)
{
	struct archive_facts facts;

	u->kept = find_begun(c, u);
	if (u->kept != NULL)
		return NULL;
	u->kept = archive_beside(c, "before-migrate", "tar");
	TRY(archive_write(c, work, u->kept, false, true, false, &facts));
	archive_tell_damaged(c, work, &facts, u->kept);
	if (!fileio_replace(c->arena, note_of(c), u->kept, strlen(u->kept), 0600))
		return refuse(c, ERR_INTERNAL, "%s: %s.", note_of(c), strerror(errno));
	return NULL;
}

static struct err *
run(struct ctx *c, const struct work *work, struct upgrade *out)
{
	struct err *err;
	bool people;

	memset(out, 0, sizeof(*out));
	db_open(c, DB_WAIT_TOOL_MS);
	out->from = migrate_number(c, DB_CONTENT);
	people = secret_exists(c);
	if (people)
		out->people_from = migrate_number(c, DB_CONSOLE);
	err = migrate_check(c, DB_CONTENT, out->from);
	if (err == NULL)
		err = migrate_check(c, DB_CONSOLE, out->people_from);
	if (err == NULL)
		err = compare(c, out);
	if (err == NULL &&
	    (out->from < schemas_number(DB_CONTENT) || is_older(DB_CONSOLE, out->people_from)))
		err = keep(c, work, out);
	/* Before the database is changed: a fault would call a whole upgrade failed. Counts that
	 * cannot be made now begin with the task runner. */
	if (err == NULL) {
		(void)stats_create(c);
		err = migrate_run(c, DB_CONTENT, &out->from);
	}
	(void)FAULT("upgrade-content");
	if (err == NULL && people)
		err = migrate_run(c, DB_CONSOLE, &out->people_from);
	if (err != NULL)
		return err;
	if (out->kept != NULL)
		(void)unlink(note_of(c));
	/* An older instance has no people yet. */
	out->people = secret_can_create(c);
	if (out->people)
		secret_create(c);
	return NULL;
}

/* Where the programs are not the owner of the tables, they may have no rights yet. */
struct err *
upgrade_run(struct ctx *c, const struct work *work, struct upgrade *out)
{
	struct err *err;

	db_as_owner(c, true);
	err = run(c, work, out);
	db_as_owner(c, false);
	return err;
}

const char *
upgrade_said(struct ctx *c, const struct upgrade *done)
{
	int64_t now = schemas_number(DB_CONTENT);
	const char *people = "";

	if (is_older(DB_CONSOLE, done->people_from))
		people = arena_printf(c->arena,
		    " The people were of schema %" PRId64 " and are now of %" PRId64 ".",
		    done->people_from, schemas_number(DB_CONSOLE));
	if (done->from == now)
		return arena_printf(
		    c->arena, "The database is of schema %" PRId64 " already.%s", now, people);
	return arena_printf(c->arena,
	    "The database was of schema %" PRId64 " and is now of"
	    " %" PRId64 ".%s",
	    done->from, now, people);
}
