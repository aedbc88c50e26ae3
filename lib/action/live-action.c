#include "action/live-action.h"

#include "access/live.h"
#include "action/action.h"
#include "base/ctx.h"

static const struct action_scope scope = { .change = DB_CHANGES_NOTHING };

struct err *
live_action(struct ctx *c)
{
	struct err *err = action_begin(c, &scope);

	if (err == NULL)
		err = live_begin(c);
	return action_end(c, err);
}

int64_t
live_action_since(struct ctx *c)
{
	int64_t since;

	db_begin_read(c, DB_CONTENT);
	since = live_quiet_since(c);
	db_rollback(c);
	return since;
}
