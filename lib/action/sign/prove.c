#include "action/sign/prove.h"

#include <string.h>

#include "action/sign/held.h"
#include "action/sign/sign-log.h"
#include "base/ctx.h"
#include "people/factor.h"
#include "people/password.h"
#include "people/session.h"
#include "people/throttle.h"
#include "screen/tr.h"
#include "store/db.h"

void
prove_hold(struct ctx *c, const struct prove_order *order, const void *bytes, size_t len,
    char uuid[UUID_TEXT])
{
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	held_insert(c, HELD_STEP, order->person->id, order->target, bytes, len, uuid);
	db_commit(c);
}

struct err *
prove_password(struct ctx *c, const struct prove_order *order)
{
	struct throttle t = { .login = order->person->login, .address = order->address };
	enum password_state state;
	struct err *err;

	db_begin_read(c, DB_CONSOLE);
	t.device = device_find(c, order->person->id, order->device);
	db_rollback(c);
	err = throttle_take(c, &t);
	if (err != NULL)
		return err;
	err = password_check(c, order->typed, order->person->password,
	    (struct password_asker) { order->person->login, true }, &state);
	if (err != NULL) {
		throttle_return(c, &t, false);
		return err;
	}
	if (state == PASSWORD_WRONG)
		return err_param(c, "proof", "%s", tr("This password is not right."));
	throttle_return(c, &t, true);
	return NULL;
}

/* Compares the code, in the present transaction: a wrong one is counted. */
static struct err *
compare_code(struct ctx *c, const struct prove_order *order)
{
	int wait_s;
	struct err *err;

	switch (factor_check(c, order->person->id, order->typed, &wait_s)) {
	case FACTOR_RIGHT:
	case FACTOR_RECOVERED:
		return NULL;
	case FACTOR_WRONG:
		break;
	case FACTOR_WAIT:
		err = refuse(c, ERR_RATE_LIMITED, "%s",
		    tr("There were too many wrong codes. Wait, and try again."));
		err->retry_after_s = wait_s;
		return err;
	}
	return err_param(c, "proof", "%s", tr("This code is not right."));
}

static struct err *
renew(struct ctx *c, const struct prove_order *order, struct proved *out)
{
	const struct person *now = person_of(c, order->person->id);
	struct session *s;
	struct person *p;

	if (now == NULL || now->disabled_at != 0 || now->password == NULL ||
	    strcmp(now->password, order->person->password) != 0 ||
	    now->has_factor != order->person->has_factor || !session_is_live(c, order->session))
		return refuse(c, ERR_UNAUTHORIZED, "%s",
		    tr("Your session has ended, so nothing was done. Sign in again."));
	if (now->has_factor) {
		struct err *err = compare_code(c, order);
		if (err != NULL)
			return err;
	}
	session_renew(c, order->session, out->token);
	(void)session_check(c, out->token, &s, &p);
	out->session = s;
	if (order->held[0] != '\0')
		out->bytes = held_take(c, now->id, order->held, order->target, &out->len);
	return NULL;
}

struct err *
prove(struct ctx *c, const struct prove_order *order, struct proved *out)
{
	struct err *err = NULL;

	memset(out, 0, sizeof(*out));
	if (!order->person->has_factor)
		err = prove_password(c, order);
	if (err == NULL) {
		db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
		err = renew(c, order, out);
		db_commit(c);
	}
	if (err != NULL && err->code == ERR_INVALID)
		sign_log(c, "wrong-step-up", order->person->uuid, order->address);
	return err;
}
