#include "action/sign/start.h"

#include <string.h>

#include "action/action.h"
#include "action/sign/held.h"
#include "action/sign/sign-log.h"
#include "action/sign/start-code.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "people/factor.h"
#include "people/membership.h"
#include "people/password.h"
#include "people/throttle.h"
#include "screen/tr.h"

struct err *
start_check(struct ctx *c, const char *code, const char *address)
{
	struct throttle t = { .address = address };
	struct err *err;

	/* The stores may be of another release: no transaction can be begun then. */
	c->now = clock_now();
	err = throttle_take(c, &t);
	if (err != NULL)
		return err;
	if (start_code_is(c, code)) {
		throttle_return(c, &t, true);
		return NULL;
	}
	sign_log(c, "wrong-start-code", NULL, address);
	return err_param(c, "code", "%s",
	    tr("This is not the code that is in the file. A code is good for 24 hours."));
}

struct operators {
	struct ctx *c;
	void (*each)(void *arg, const struct person *p);
	void *arg;
};

static void
look_at(void *arg, const struct membership *m)
{
	const struct operators *o = arg;
	const struct person *p = person_of(o->c, m->person_id);

	if (m->kind == MEMBERSHIP_INSTANCE && m->begun_at != 0 && p->password != NULL &&
	    p->disabled_at == 0)
		o->each(o->arg, p);
}

void
start_operators(struct ctx *c, void (*each)(void *arg, const struct person *p), void *arg)
{
	struct operators o = { .c = c, .each = each, .arg = arg };

	db_begin_read(c, DB_CONSOLE);
	membership_list_account(c, "", look_at, &o);
	db_rollback(c);
}

/* Gives a person the instance, whatever the person was before. */
static void
make_operator(struct ctx *c, int64_t person_id)
{
	const struct membership *found = membership_find(c, person_id, "");
	struct membership m = { .person_id = person_id,
		.kind = MEMBERSHIP_INSTANCE,
		.place = "",
		.account = "",
		.rights = RIGHT_ALL,
		.invited_name = "",
		.invited_email = "",
		.invited_by = "" };

	if (found != NULL)
		membership_set(c, found->id, RIGHT_ALL);
	else
		membership_insert(c, &m);
	membership_begin(c, found != NULL ? found->id : m.id);
}

static struct err *
find_first(struct ctx *c, const struct start_order *order, struct person **out)
{
	const char *email, *login, *name;
	struct err *err = person_read_email(c, order->email, &email, &login);

	if (err == NULL)
		err = person_read_name(c, order->name, &name);
	if (err != NULL)
		return err;
	if (person_operator_exists(c))
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("There is an operator already. Type the code again."));
	*out = person_find(c, login);
	if (*out != NULL) {
		person_disable(c, (*out)->id, false);
	} else {
		struct person p = {
			.email = email, .login = login, .name = name, .language = "en"
		};
		err = person_insert(c, &p);
		if (err == NULL)
			*out = person_of(c, p.id);
	}
	if (err == NULL)
		make_operator(c, (*out)->id);
	return err;
}

static struct err *
find_operator(struct ctx *c, const struct start_order *order, struct person **out)
{
	const struct membership *m = NULL;

	*out = person_find(c, order->person);
	if (*out != NULL)
		m = membership_find(c, (*out)->id, "");
	if (m == NULL || m->begun_at == 0 || (*out)->disabled_at != 0)
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("This person is not an operator any more. Type the code again."));
	return NULL;
}

static struct err *
change(struct ctx *c, const struct start_order *order, const char *hash, struct signed_in *out)
{
	struct person *p = NULL;
	struct err *err =
	    order->person != NULL ? find_operator(c, order, &p) : find_first(c, order, &p);

	if (err != NULL)
		return err;
	person_set_password(c, p->id, hash);
	factor_remove(c, p->id);
	session_delete_all(c, p->id, 0);
	held_delete_all(c, p->id);
	device_delete_all(c, p->id, 0);
	sign_begin(c, p, false, &order->from, out);
	return NULL;
}

/* Returns the e-mail address and the name of who is reset: a password must not be one of
 * them. */
static void
names_of(struct ctx *c, const struct start_order *order, const char *names[2])
{
	const struct person *p;

	names[0] = order->email;
	names[1] = order->name;
	if (order->person == NULL)
		return;
	db_begin_read(c, DB_CONSOLE);
	p = person_find(c, order->person);
	db_rollback(c);
	names[0] = p != NULL ? p->email : "";
	names[1] = p != NULL ? p->name : "";
}

struct err *
start_finish(struct ctx *c, const struct start_order *order, struct signed_in *out)
{
	const char *names[2], *password, *hash;
	struct err *err = start_check(c, order->code, order->from.address);

	memset(out, 0, sizeof(*out));
	if (err != NULL)
		return err;
	names_of(c, order, names);
	err = password_read(c, order->password, false, names, 2, &password);
	if (err == NULL)
		err = password_hash(c, password, (struct password_asker) { .login = "" }, &hash);
	if (err != NULL)
		return err;
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	err = gate_pass(c);
	/* Nobody uses it twice: it is looked at again under the lock. */
	if (err == NULL && !start_code_is(c, order->code))
		err = refuse(c, ERR_CONFLICT, "%s", tr("This code was used."));
	if (err == NULL)
		err = change(c, order, hash, out);
	if (err == NULL)
		start_code_remove(c);
	err = action_end(c, err);
	if (err != NULL)
		return err;
	throttle_forgive(c, out->person->login);
	sign_log(c, order->person != NULL ? "reset-by-code" : "first-operator", out->person->uuid,
	    order->from.address);
	return NULL;
}
