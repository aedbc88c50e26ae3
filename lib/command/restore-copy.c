/* The copy of a backup that a restore prepares, or looks at (restore.h). */
#include <unistd.h>

#include "base/arena.h"
#include "base/conf.h"
#include "base/ctx.h"
#include "base/instance.h"
#include "command/archive.h"
#include "command/restore.h"
#include "command/verify.h"
#include "store/db.h"
#include "store/migrate.h"

const char *
restore_file(struct ctx *c, const struct restore *r, const char *name)
{
	return arena_printf(c->arena, "%s/%s", r->folder, name);
}

struct err *
restore_with_copy(struct ctx *c, struct restore *r, restore_step *step)
{
	const struct instance *present = c->instance;
	struct instance copy = *present;
	struct err *err;

	copy.db = restore_file(c, r, "galley.db");
	db_close(c);
	c->instance = &copy;
	db_open(c, DB_WAIT_TOOL_MS);
	err = step(c, r);
	db_rollback(c);
	db_close(c);
	c->instance = present;
	return err;
}

/* Brings the copy to this release's schema and looks at it. */
static struct err *
check_copy(struct ctx *c, struct restore *r)
{
	struct err *err;

	if (!db_is_ours(c))
		return refuse(c, ERR_INVALID,
		    "The database in %s is not Galley's.", r->file);
	err = migrate_run(c, &r->from);
	if (err == NULL)
		r->broken = verify_run(c, true, r->each, r->arg);
	return err;
}

struct err *
restore_unpack(struct ctx *c, struct restore *r, bool media,
    void (*each)(void *arg, const struct verify *check))
{
	const char *damage;
	struct err *err;

	err = archive_read(c, r->file, r->folder, media, &r->facts);
	if (err != NULL)
		return err;
	damage = db_file_complaint(c, restore_file(c, r, "galley.db"), false);
	if (damage != NULL)
		return refuse(c, ERR_INVALID,
		    "The database in %s is damaged: %s.", r->file, damage);
	r->each = each;
	return restore_with_copy(c, r, check_copy);
}

const char *
restore_conf_complaint(struct ctx *c, const struct restore *r)
{
	const char *path = restore_file(c, r, "galley.conf");
	struct err *err;
	struct conf conf;

	if (access(path, F_OK) != 0)
		return NULL;
	err = conf_read(c, path, &conf);
	return err != NULL ? err->message : NULL;
}
