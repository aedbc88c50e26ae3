#include "start/tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "start/owner.h"
#include "start/pending.h"
#include "store/db.h"
#include "system/harden.h"
#include "system/instance.h"
#include "terminal/hints.h"

bool
tool_refuse_web(const char *program)
{
	if (getenv("GATEWAY_INTERFACE") == NULL)
		return false;
	fprintf(stderr, "%s: this program is not for a web server.\n", program);
	return true;
}

void
tool_begin(struct ctx *c, struct arena *arena, const char *program, size_t memory_max)
{
	harden_process(HARDEN_TOOL);
	umask(077);
	log_open(program, NULL);
	arena_init(arena, memory_max);
	c->arena = arena;
}

/* upgrade.sh makes its mark before it looks for processes, and these look for the mark. */
struct err *
tool_find(struct ctx *c, const char *folder, struct instance *out)
{
	const char *mark, *own = getenv("GALLEY_UPGRADE");

	TRY(instance_find(c, folder, out));
	c->instance = out;
	mark = fileio_path(c->arena, out->programs, "upgrading");
	if (access(mark, F_OK) != 0 || (own != NULL && strcmp(own, mark) == 0))
		return NULL;
	return err_hint(c,
	    refuse(c, ERR_UNAVAILABLE, "%s: an upgrade is under way, or was interrupted.", mark),
	    HINT_UPGRADE, fileio_name(out->programs));
}

/* Refuses a folder without a database: there is no instance yet, and only init
 * decides whose it will be. So this check comes before anything is written. */
static struct err *
check_database(struct ctx *c)
{
	struct stat st;

	if (stat(c->instance->db, &st) == 0)
		return NULL;
	return err_hint(c, refuse(c, ERR_NOT_FOUND, "%s: %s.", c->instance->db, strerror(errno)),
	    HINT_INIT, NULL);
}

struct err *
tool_own(struct ctx *c, const struct work *work, bool database)
{
	TRY(owner_become(c));
	if (database)
		TRY(check_database(c));
	return pending_finish(c, work);
}

void
tool_enter(struct ctx *c, struct instance *instance, const char *folder, const struct work *work)
{
	struct err *err;

	/* Until it ends or begins: what it does then is told elsewhere. */
	c->hint = hints_tell;
	err = tool_find(c, folder, instance);
	if (err == NULL)
		err = tool_own(c, work, false);
	c->hint = NULL;
	if (err != NULL)
		die("%s", err->message);
}

void
tool_end(struct ctx *c)
{
	db_rollback(c);
	if (c->db != NULL)
		db_close(c);
}
