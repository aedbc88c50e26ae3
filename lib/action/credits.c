#include "action/credits.h"

#include <stddef.h>

#include "action/account.h"
#include "action/action.h"
#include "action/find.h"
#include "base/ctx.h"

struct err *
credits_move(struct ctx *c, const struct credits_order *order,
    struct account **out, bool *done)
{
	struct action_scope scope = { .change = DB_CHANGES_NOTHING };
	struct account *a;
	struct err *err = account_show(c, order->account, &a);

	if (err != NULL)
		return err;
	scope.account_id = a->id;
	err = action_begin(c, &scope);
	if (err == NULL)
		err = find_account(c, a->uuid, &a);
	if (err == NULL && a->id != scope.account_id)
		err = refuse(c, ERR_CONFLICT,
		    tr_mark("The database was restored from a backup meanwhile;"
		    " nothing was changed. Try again."));
	if (err == NULL)
		err = (order->kind == CREDITS_GRANT ? ledger_grant
						    : ledger_revoke)(
		    c, a->id, order->credits, order->ref, done);
	if (err == NULL)
		*out = account_of(c, a->id);
	return action_end(c, err);
}

struct err *
credits_list(struct ctx *c, const char *name, int64_t from, int64_t to,
    void (*each)(void *arg, const struct ledger_row *row), void *arg)
{
	struct account *a;
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_account(c, name, &a);
	if (err == NULL)
		ledger_list(c, a->id, from, to, each, arg);
	return action_end(c, err);
}
