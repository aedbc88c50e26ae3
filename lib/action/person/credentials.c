#include "action/person/credentials.h"

#include <string.h>

#include "action/action.h"
#include "action/person/person-rules.h"
#include "action/person/signing.h"
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
read_link(struct ctx *c, enum link_kind kind, const char *text, int64_t visitor, struct join *out,
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
	read_link(c, kind, text, visitor, out, &l);
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
use_link(struct ctx *c, const struct join_order *order, const char *hash, struct signed_in *out)
{
	const struct session *s = order->from.before;
	struct join j;
	struct link l;
	struct err *err = NULL;

	read_link(c, order->kind, order->text, s != NULL ? s->person_id : 0, &j, &l);
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
	if (order->name != NULL)
		TRY(person_read_name(c, order->name, &name));
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

	memset(out, 0, sizeof(*out));
	TRY(hash_new(c, order, &hash));
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	ACTION(c, gate_pass(c));
	TRY(use_link(c, order, hash, out));
	action_commit(c);
	if (hash != NULL)
		throttle_forgive(c, out->person->login);
	sign_log(c, order->kind == LINK_RESET ? "reset-by-link" : "joined", out->person->uuid,
	    order->from.address);
	return NULL;
}

static struct err *
note_locked_out(struct ctx *c, const char *text)
{
	struct join j;
	struct link l;

	read_link(c, LINK_INVITE, text, 0, &j, &l);
	if (j.state != LINK_GOOD)
		return refuse_changed(c);
	locked_out_note(c, l.person_id);
	return NULL;
}

struct err *
join_cannot(struct ctx *c, const char *text)
{
	ACTION(c, action_begin_console(c));
	TRY(note_locked_out(c, text));
	return action_commit(c);
}

struct err *
join_can_again(struct ctx *c, const char *person)
{
	struct person *p;

	ACTION(c, action_begin_console(c));
	TRY(person_get(c, person, &p));
	locked_out_end(c, p->id);
	return action_commit(c);
}

/* ---- in a session */

static struct err *
self_begin(struct ctx *c)
{
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	return gate_pass(c);
}

static struct err *
self_commit(struct ctx *c, const struct self *self, const char *what)
{
	action_commit(c);
	sign_log(c, what, self->person->uuid, self->address);
	return NULL;
}

/* Ends all other sessions, and gives this one another token. */
static void
end_others(struct ctx *c, const struct self *self, char token[SESSION_TOKEN + 1])
{
	int64_t id = self->person->id;

	session_delete_all(c, id, self->session->id);
	device_delete_all(c, id, device_find(c, id, self->device));
	session_renew(c, self->session, token);
}

/* Reads and hashes a new password. */
static struct err *
hash_own_password(
    struct ctx *c, const struct self *self, const char *typed, bool has_factor, const char **hash)
{
	const char *const names[2] = { self->person->email, self->person->name };
	const char *password;
	struct err *err = password_read(c, typed, has_factor, names, 2, &password);

	return err != NULL ? err
			   : password_hash(c, password,
				 (struct password_asker) { self->person->login, true }, hash);
}

struct err *
self_set_password(struct ctx *c, const struct self *self, const char *present, const char *fresh,
    char token[SESSION_TOKEN + 1])
{
	const struct prove_order order = { .session = self->session,
		.person = self->person,
		.typed = present,
		.device = self->device,
		.address = self->address,
		.held = "",
		.target = "" };
	const char *hash;
	struct err *err = prove_password(c, &order);

	if (err != NULL) {
		if (err->param != NULL) {
			err->param = "present";
			sign_log(c, "wrong-password", self->person->uuid, self->address);
		}
		return err;
	}
	TRY(hash_own_password(c, self, fresh, self->person->has_factor, &hash));
	ACTION(c, self_begin(c));
	person_set_password(c, self->person->id, hash);
	end_others(c, self, token);
	return self_commit(c, self, "password-changed");
}

static struct err *
set_factor(struct ctx *c, const struct self *self, const unsigned char secret[TOTP_SECRET],
    const char *code, const char *codes[FACTOR_CODES], char token[SESSION_TOKEN + 1])
{
	ACTION(c, self_begin(c));
	TRY(factor_set(c, self->person->id, secret, code));
	factor_draw_codes(c, self->person->id, codes);
	end_others(c, self, token);
	return self_commit(c, self, "factor-set");
}

struct err *
self_set_factor(struct ctx *c, const struct self *self, const char *offer, const char *code,
    const char *codes[FACTOR_CODES], char token[SESSION_TOKEN + 1])
{
	unsigned char secret[TOTP_SECRET];
	struct err *err;

	if (!factor_offered(c, self->person->uuid, offer, secret))
		return refuse(c, ERR_CONFLICT, "%s", tr("This page is too old. Open it again."));
	err = set_factor(c, self, secret, code, codes, token);
	explicit_bzero(secret, sizeof(secret));
	return err;
}

static struct err *
must_have_factor(struct ctx *c, const struct self *self)
{
	struct factor_state state;

	factor_state(c, self->person->id, &state);
	return state.exists
		   ? NULL
		   : refuse(c, ERR_CONFLICT, "%s", tr("There is no authenticator any more."));
}

struct err *
self_remove_factor(
    struct ctx *c, const struct self *self, const char *fresh, char token[SESSION_TOKEN + 1])
{
	const char *hash;

	TRY(hash_own_password(c, self, fresh, false, &hash));
	ACTION(c, self_begin(c));
	TRY(must_have_factor(c, self));
	factor_remove(c, self->person->id);
	person_set_password(c, self->person->id, hash);
	end_others(c, self, token);
	return self_commit(c, self, "factor-removed");
}

struct err *
self_draw_codes(struct ctx *c, const struct self *self, const char *codes[FACTOR_CODES])
{
	ACTION(c, self_begin(c));
	TRY(must_have_factor(c, self));
	factor_draw_codes(c, self->person->id, codes);
	return self_commit(c, self, "recovery-codes");
}

struct err *
self_set_mails(struct ctx *c, const struct self *self, bool mails)
{
	ACTION(c, self_begin(c));
	person_set_mails(c, self->person->id, mails);
	return action_commit(c);
}

struct err *
self_hide_steps(struct ctx *c, const struct self *self)
{
	ACTION(c, self_begin(c));
	person_hide_steps(c, self->person->id);
	return action_commit(c);
}

void
self_sessions(struct ctx *c, const struct self *self,
    void (*each)(void *arg, const struct session *s), void *arg)
{
	db_begin_read(c, DB_CONSOLE);
	session_list(c, self->person->id, each, arg);
	db_rollback(c);
}

void
self_factor(struct ctx *c, const struct self *self, struct factor_state *out)
{
	db_begin_read(c, DB_CONSOLE);
	factor_state(c, self->person->id, out);
	db_rollback(c);
}

struct wanted {
	const char *uuid;
	int64_t id;
};

static void
find_session(void *arg, const struct session *s)
{
	struct wanted *w = arg;

	if (strcmp(s->uuid, w->uuid) == 0)
		w->id = s->id;
}

struct err *
self_end_session(struct ctx *c, const struct self *self, const char *uuid)
{
	struct wanted w = { .uuid = uuid };

	ACTION(c, self_begin(c));
	session_list(c, self->person->id, find_session, &w);
	if (w.id == 0)
		return refuse(c, ERR_NOT_FOUND, "%s", tr("This session has ended already."));
	session_delete(c, w.id);
	return self_commit(c, self, "session-ended");
}

struct err *
self_sign_out(struct ctx *c, const struct self *self)
{
	ACTION(c, self_begin(c));
	person_seen(c, self->person->id, c->now);
	session_delete_all(c, self->person->id, 0);
	held_delete_all(c, self->person->id);
	device_delete_all(c, self->person->id, 0);
	return self_commit(c, self, "signed-out-everywhere");
}
