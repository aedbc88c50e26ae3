#include "stats/stats.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "store/db.h"
#include "store/migrate.h"
#include "store/schemas.h"
#include "system/instance.h"

static bool
exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

const char *
stats_folder(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->home, "stats");
}

bool
stats_create(struct ctx *c)
{
	const char *folder = stats_folder(c);
	struct err *err;
	int64_t from;

	if (!exists(folder) && access(c->instance->home, W_OK) != 0)
		return false;
	if (!fileio_make_folder(folder, 0700))
		return false;
	db_create_beside(c, DB_STATS, db_is_write_ahead(c));
	if (migrate_number(c, DB_STATS) == schemas_number(DB_STATS))
		return true;
	err = migrate_run(c, DB_STATS, &from);
	if (err != NULL)
		log_line("%s", err->message);
	return err == NULL;
}

bool
stats_is_ready(struct ctx *c)
{
	return exists(db_file_of(c, DB_STATS)) &&
	       migrate_number(c, DB_STATS) == schemas_number(DB_STATS);
}
