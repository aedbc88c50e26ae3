#include "action/sign/sign.h"

#include <string.h>

#include "action/action.h"
#include "action/sign/held.h"
#include "action/sign/sign-log.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "people/factor.h"
#include "people/password.h"
#include "people/throttle.h"
#include "screen/tr.h"

#define ATTEMPTS 5 /* at the second step of one session */

static struct err *
refuse_all_alike(struct ctx *c)
{
	return refuse(c, ERR_INVALID, "%s", tr("The e-mail address or the password is not right."));
}

/* Finds the person of a login, and whether the browser is known. NULL: nobody has it. */
static const struct person *
find(struct ctx *c, const char *login, const struct sign_order *order, int64_t *device)
{
	const struct person *p;

	db_begin_read(c, DB_CONSOLE);
	p = person_find(c, login);
	*device = p != NULL ? device_find(c, p->id, order->device) : 0;
	db_rollback(c);
	return p;
}

/* Compares the password; costs the same whether or not there is such a person. */
static struct err *
compare(struct ctx *c, const struct person *p, const char *typed, struct password_asker asker,
    enum password_state *state)
{
	*state = PASSWORD_WRONG;
	return p != NULL ? password_check(c, typed, p->password, asker, state)
			 : password_check_nobody(c, typed, asker);
}

/* Gives the browser a token by which it is known, or notes that it was seen. */
static void
know_device(struct ctx *c, int64_t person_id, const char *cookie, char *token)
{
	int64_t device = device_find(c, person_id, cookie);

	token[0] = '\0';
	if (device != 0)
		device_used(c, device);
	else
		device_insert(c, person_id, token);
}

void
sign_begin(struct ctx *c, const struct person *p, bool half, const struct sign_order *order,
    struct signed_in *out)
{
	if (order->before != NULL)
		session_delete(c, order->before->id);
	session_sweep(c);
	held_sweep(c);
	out->person = p;
	out->half = half;
	out->trusted = order->trusted;
	session_insert(c, p->id, half, order->trusted, order->address, order->browser, out->token);
	if (half)
		return;
	know_device(c, p->id, order->device, out->device);
	person_seen(c, p->id, c->now);
}

/* Begins the session, if the person is still who was found. */
static struct err *
begin(struct ctx *c, const struct person *found, const char *fresh_hash,
    const struct sign_order *order, struct signed_in *out)
{
	const struct person *p = person_of(c, found->id);

	if (p == NULL || p->disabled_at != 0 || p->password == NULL ||
	    strcmp(p->password, found->password) != 0)
		return refuse_all_alike(c);
	if (fresh_hash != NULL)
		person_set_password(c, p->id, fresh_hash);
	sign_begin(c, p, p->has_factor, order, out);
	return NULL;
}

/* Begins a writing transaction of the console's store. */
static struct err *
begin_write(struct ctx *c)
{
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	return gate_pass(c);
}

static struct err *
let_in(struct ctx *c, const struct person *p, enum password_state state,
    const struct sign_order *order, struct signed_in *out)
{
	const char *fresh = NULL;
	struct err *err;

	/* The parameters have risen: hash again, or the next time if all slots are taken. */
	if (state == PASSWORD_RIGHT_OLD &&
	    password_hash(c, order->password, (struct password_asker) { p->login, true }, &fresh) !=
		NULL)
		fresh = NULL;
	err = begin_write(c);
	if (err == NULL)
		err = begin(c, p, fresh, order, out);
	err = action_end(c, err);
	if (err == NULL)
		sign_log(c, out->half ? "password-right" : "sign-in", p->uuid, order->address);
	return err;
}

struct err *
sign_in(struct ctx *c, const struct sign_order *order, struct signed_in *out)
{
	const char *email, *login;
	struct throttle t = { .address = order->address };
	enum password_state state;
	const struct person *p;
	struct err *err;

	memset(out, 0, sizeof(*out));
	if (person_read_email(c, order->email, &email, &login) != NULL)
		return refuse_all_alike(c);
	p = find(c, login, order, &t.device);
	t.login = login;
	err = throttle_take(c, &t);
	if (err != NULL) {
		sign_log(c, "throttled", p != NULL ? p->uuid : NULL, order->address);
		return err;
	}
	err = compare(
	    c, p, order->password, (struct password_asker) { login, t.device != 0 }, &state);
	if (err != NULL) {
		throttle_return(c, &t, false);
		return err;
	}
	if (state == PASSWORD_WRONG || p->disabled_at != 0) {
		sign_log(c, state == PASSWORD_WRONG ? "wrong-password" : "disabled",
		    p != NULL ? p->uuid : NULL, order->address);
		return refuse_all_alike(c);
	}
	throttle_return(c, &t, true);
	return let_in(c, p, state, order, out);
}

/* ---- the second step */

static struct err *
refuse_early(struct ctx *c, int wait_s)
{
	struct err *err = refuse(
	    c, ERR_RATE_LIMITED, "%s", tr("There were too many wrong codes. Wait, and try again."));

	err->retry_after_s = wait_s;
	return err;
}

/* Compares the code, and makes the session whole. What it refuses is stored, too: failures
 * are counted. */
static struct err *
step(struct ctx *c, const struct session *half, const char *typed, const struct sign_order *order,
    struct signed_in *out)
{
	struct factor_state before;
	enum factor_result result;
	int wait_s;

	factor_state(c, half->person_id, &before);
	if (session_attempt(c, half, 1) > ATTEMPTS) {
		session_delete(c, half->id);
		return refuse(c, ERR_UNAUTHORIZED, "%s",
		    tr("There were too many wrong codes. Sign in again."));
	}
	result = factor_check(c, half->person_id, typed, &wait_s);
	if (result == FACTOR_WAIT) {
		/* No code was compared. */
		(void)session_attempt(c, half, -1);
		return refuse_early(c, wait_s);
	}
	if (result == FACTOR_WRONG)
		return err_param(c, "code", "%s", tr("This code is not right."));
	out->recovered = result == FACTOR_RECOVERED;
	out->wronged = before.failures > 0;
	session_renew(c, half, out->token);
	know_device(c, half->person_id, order->device, out->device);
	person_seen(c, half->person_id, c->now);
	return NULL;
}

struct err *
sign_in_code(struct ctx *c, const struct session *half, const char *typed,
    const struct sign_order *order, struct signed_in *out)
{
	struct err *err;

	memset(out, 0, sizeof(*out));
	out->trusted = half->trusted;
	err = begin_write(c);
	if (err != NULL)
		return action_end(c, err);
	out->person = person_of(c, half->person_id);
	switch (out->person == NULL || out->person->disabled_at != 0 ? SESSION_NONE
								     : session_look(c, half)) {
	case SESSION_GOOD:
		out->again = true;
		db_rollback(c);
		return NULL;
	case SESSION_HALF:
		break;
	default:
		return action_end(c, refuse(c, ERR_UNAUTHORIZED, "%s",
					 tr("The sign-in took too long. Sign in again.")));
	}
	err = step(c, half, typed, order, out);
	db_commit(c);
	sign_log(c, err == NULL ? "sign-in" : "wrong-code", out->person->uuid, order->address);
	return err;
}

struct err *
sign_back(struct ctx *c, const struct session *half, bool *whole)
{
	struct err *err = begin_write(c);

	if (err != NULL)
		return action_end(c, err);
	*whole = session_look(c, half) == SESSION_GOOD;
	if (!*whole)
		session_delete(c, half->id);
	return action_end(c, NULL);
}

struct err *
sign_out(struct ctx *c, const struct session *s, const char *person, const char *address)
{
	struct err *err = begin_write(c);

	if (err == NULL) {
		person_seen(c, s->person_id, c->now);
		session_delete(c, s->id);
		held_delete_all(c, s->person_id);
	}
	err = action_end(c, err);
	if (err == NULL)
		sign_log(c, "sign-out", person, address);
	return err;
}
