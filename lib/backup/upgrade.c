#include "backup/upgrade.h"

#include <string.h>

#include "backup/archive.h"
#include "base/ctx.h"
#include "people/secret.h"
#include "schema_version.h"
#include "store/db.h"
#include "store/migrate.h"
#include "system/instance.h"

/* Refuses if the database differs from its schema: what a person added would be
 * lost by the upgrade, or end it. */
static struct err *
compare(struct ctx *c, int64_t from)
{
	struct err *err = migrate_compare(c, c->instance->db, from);

	return err == NULL ? NULL
			   : refuse(c, ERR_CONFLICT,
				 "%s Nothing was changed. Put it right with the"
				 " sqlite3 shell, and say galley migrate again.",
				 err->message);
}

struct err *
upgrade_run(struct ctx *c, const struct work *work, struct upgrade *out)
{
	struct archive_facts facts;
	struct err *err = NULL;

	memset(out, 0, sizeof(*out));
	db_open(c, DB_WAIT_TOOL_MS);
	out->from = db_version(c);
	if (out->from > 0 && out->from < SCHEMA_VERSION)
		err = compare(c, out->from);
	if (err == NULL && out->from < SCHEMA_VERSION) {
		out->kept = archive_beside(c, "before-migrate", "tar");
		err = archive_write(c, work, out->kept, false, true, &facts);
		if (err == NULL)
			archive_tell_damaged(work, &facts, out->kept);
	}
	if (err == NULL)
		err = migrate_run(c, &out->from);
	if (err != NULL)
		return err;
	/* An instance of before has no people yet. */
	out->people = secret_can_create(c);
	if (out->people)
		secret_create(c);
	return NULL;
}
