#include "action/sign/join.h"

#include <string.h>

#include "action/action.h"
#include "action/person/rule.h"
#include "action/person/where.h"
#include "action/sign/held.h"
#include "action/sign/sign-log.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "people/membership.h"
#include "people/password.h"
#include "people/person.h"
#include "people/throttle.h"
#include "screen/tr.h"

#define PROOF (600 * CLOCK_SECOND)

/* Whether a person is a member of an account already. */
struct reached {
	const char *account;
	bool begun;
};

static void
look_at(void *arg, const struct membership *m)
{
	struct reached *r = arg;

	r->begun |= m->begun_at != 0 && strcmp(m->account, r->account) == 0;
}

/* Reads what a link is worth, in the present transaction. */
static void
look(struct ctx *c, enum link_kind kind, const char *text, int64_t visitor, struct join *out,
    struct link *l)
{
	const struct membership *m;
	struct reached r = { 0 };

	memset(out, 0, sizeof(*out));
	out->state = rule_check_link(c, kind, text, l);
	if (out->state == LINK_UNKNOWN)
		return;
	out->person = person_of(c, l->person_id);
	out->fresh = out->person->password == NULL;
	out->own = visitor == l->person_id;
	out->needs_password = true;
	out->email = out->person->email;
	m = kind == LINK_INVITE ? membership_of(c, l->membership_id) : NULL;
	if (m == NULL)
		return;
	out->email = m->invited_email;
	out->name = m->invited_name;
	out->place = where_name(c, m);
	/* The maker of the first link may know the old password. */
	r.account = m->account;
	membership_list(c, l->person_id, look_at, &r);
	out->needs_password = out->fresh || !r.begun;
}

void
join_look(struct ctx *c, enum link_kind kind, const char *text, int64_t visitor, struct join *out)
{
	struct link l;

	db_begin_read(c, DB_CONSOLE);
	look(c, kind, text, visitor, out, &l);
	db_rollback(c);
}

static struct err *
refuse_changed(struct ctx *c)
{
	return refuse(c, ERR_CONFLICT, "%s",
	    tr("This link is not good any more, or something changed meanwhile. Open it again."));
}

bool
join_is_proved(const struct ctx *c, const struct session *s)
{
	return c->now < s->proved_at + PROOF && c->now > s->proved_at - PROOF;
}

/* Returns whether the visitor may use this link now. */
static bool
may_use(struct ctx *c, const struct join_order *order, const struct join *j)
{
	if (j->state != LINK_GOOD || j->person->disabled_at != 0)
		return false;
	if (order->kind == LINK_RESET || j->fresh)
		return true;
	return j->own && session_is_live(c, order->from.before) &&
	       (!j->needs_password || join_is_proved(c, order->from.before));
}

/* Gives the person the new password, and the browser a session. */
static void
change_password(struct ctx *c, const struct join_order *order, const struct join *j,
    const char *hash, struct signed_in *out)
{
	const struct person *p = j->person;
	struct sign_order from = order->from;

	from.trusted = j->own && from.before->trusted;
	person_set_password(c, p->id, hash);
	session_delete_all(c, p->id, 0);
	held_delete_all(c, p->id);
	device_delete_all(c, p->id, device_find(c, p->id, from.device));
	sign_begin(c, p, order->kind == LINK_RESET && p->has_factor, &from, out);
}

static struct err *
change(struct ctx *c, const struct join_order *order, const char *hash, struct signed_in *out)
{
	const struct session *s = order->from.before;
	struct join j;
	struct link l;
	struct err *err = NULL;

	look(c, order->kind, order->text, s != NULL ? s->person_id : 0, &j, &l);
	if (j.state == LINK_GOOD && order->name != NULL && !j.fresh)
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("This address has a password here already. Sign in with it, and open the link again."));
	if (!may_use(c, order, &j) || (j.needs_password && hash == NULL))
		return refuse_changed(c);
	out->person = j.person;
	if (j.fresh && order->kind == LINK_INVITE) {
		struct person named = *j.person;
		err = person_read_name(c, order->name != NULL ? order->name : "", &named.name);
		if (err == NULL)
			err = person_update(c, &named);
		locked_out_end(c, named.id);
	}
	if (err != NULL)
		return err;
	link_use(c, &l);
	if (l.kind == LINK_INVITE)
		membership_begin_with(c, l.membership_id);
	if (hash != NULL)
		change_password(c, order, &j, hash, out);
	return NULL;
}

/* Hashes the new password, outside of transactions. Of an invitation that is open nothing that
 * is refused here depends on the person, unless the visitor is that person; nor does anybody who
 * has the link take the person's place among those who sign in. */
static struct err *
hash_new(struct ctx *c, const struct join_order *order, const char **hash)
{
	const struct session *s = order->from.before;
	const char *names[3], *password, *name;
	struct join j;
	struct err *err;
	bool known;

	*hash = NULL;
	if (order->password == NULL)
		return NULL;
	if (order->name != NULL) {
		err = person_read_name(c, order->name, &name);
		if (err != NULL)
			return err;
	}
	join_look(c, order->kind, order->text, s != NULL ? s->person_id : 0, &j);
	if (j.state != LINK_GOOD)
		return refuse_changed(c);
	known = order->kind == LINK_RESET || j.own;
	names[0] = j.email;
	names[1] = order->name != NULL ? order->name : j.person->name;
	names[2] = j.place != NULL ? j.place : "";
	err = password_read(c, order->password, known && j.person->has_factor, names, 3, &password);
	return err != NULL
		   ? err
		   : password_hash(c, password,
			 (struct password_asker) { known ? j.person->login : order->text, false },
			 hash);
}

struct err *
join_finish(struct ctx *c, const struct join_order *order, struct signed_in *out)
{
	const char *hash;
	struct err *err = hash_new(c, order, &hash);

	memset(out, 0, sizeof(*out));
	if (err != NULL)
		return err;
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	err = gate_pass(c);
	if (err == NULL)
		err = change(c, order, hash, out);
	err = action_end(c, err);
	if (err != NULL)
		return err;
	if (hash != NULL)
		throttle_forgive(c, out->person->login);
	sign_log(c, order->kind == LINK_RESET ? "reset-by-link" : "joined", out->person->uuid,
	    order->from.address);
	return NULL;
}

static struct err *
note(struct ctx *c, const char *text)
{
	struct join j;
	struct link l;

	look(c, LINK_INVITE, text, 0, &j, &l);
	if (j.state != LINK_GOOD)
		return refuse_changed(c);
	locked_out_note(c, l.person_id);
	return NULL;
}

struct err *
join_cannot(struct ctx *c, const char *text)
{
	struct err *err = action_begin_console(c);

	if (err == NULL)
		err = note(c, text);
	return action_end(c, err);
}

struct err *
join_can_again(struct ctx *c, const char *person)
{
	struct err *err = action_begin_console(c);
	struct person *p;

	if (err == NULL)
		err = person_get(c, person, &p);
	if (err == NULL)
		locked_out_end(c, p->id);
	return action_end(c, err);
}
