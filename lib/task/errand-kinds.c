/* What errands do (errand.h). */
#include <stddef.h>

#include "backup/archive.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "store/db.h"
#include "system/work.h"
#include "task/errand.h"
#include "task/upgrading.h"

/* Makes a backup beside the database. */
static struct err *
backup(struct ctx *c, const struct work *work, const char **report)
{
	const char *path = archive_beside(c, "backup", "tar");
	struct archive_facts facts;
	struct err *err;

	db_open(c, DB_WAIT_TOOL_MS);
	err = archive_write(c, work, path, false, true, &facts);
	db_close(c);
	*report = path;
	return err;
}

const struct errand_kind errand_kinds[] = {
	{ "backup", backup },
	{ "migrate", upgrading_run },
	{ NULL, NULL },
};
