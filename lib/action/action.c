#include "action/action.h"

#include <stddef.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "people/secret.h"
#include "system/disk.h"
#include "system/instance.h"

#define SPARED ((int64_t)16 << 20) /* bytes that a save leaves on the disk */
#define RETRY_AFTER_S 60

struct err *
action_begin(struct ctx *c, const struct action_scope *scope)
{
	db_begin_write(c, DB_CONTENT, scope->change, scope->workspace_id, scope->account_id);
	return gate_pass(c);
}

static struct err *
find_people(struct ctx *c)
{
	if (secret_exists(c))
		return NULL;
	return err_hint(c,
	    refuse(c, ERR_UNAVAILABLE, tr_mark("%s/people is not there yet."), c->instance->home),
	    HINT_MIGRATE, NULL);
}

struct err *
action_begin_console(struct ctx *c)
{
	struct err *err = find_people(c);

	if (err != NULL)
		return err;
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	return gate_pass(c);
}

struct err *
action_read_console(struct ctx *c)
{
	struct err *err = find_people(c);

	if (err == NULL)
		db_begin_read(c, DB_CONSOLE);
	return err;
}

struct err *
action_room(struct ctx *c)
{
	int64_t left = disk_free(fileio_folder(c->arena, c->instance->db));
	struct err *err;

	if (left < 0 || left >= SPARED)
		return NULL;
	err = refuse(c, ERR_UNAVAILABLE, "%s",
	    tr_mark(
		"The disk of this instance is full, or nearly so, and nothing was saved. Your text is below: copy it, tell the operator, and send it again when there is space."));
	err->retry_after_s = RETRY_AFTER_S;
	return err;
}

struct err *
action_end(struct ctx *c, struct err *err)
{
	if (err == NULL)
		db_commit(c);
	else
		db_rollback(c);
	return err;
}

struct err *
action_read(struct ctx *c, struct err *(*look)(void *arg), void *arg)
{
	db_begin_read(c, DB_CONTENT);
	return action_end(c, look(arg));
}
