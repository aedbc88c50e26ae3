#include "action/action.h"

#include <stddef.h>

#include "base/ctx.h"

struct err *
action_begin(struct ctx *c, const struct action_scope *scope)
{
	db_begin_write(c, DB_CONTENT, scope->change, scope->workspace_id,
	    scope->account_id);
	return gate_pass(c);
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
