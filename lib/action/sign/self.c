#include "action/sign/self.h"

#include <string.h>

#include "action/action.h"
#include "action/sign/held.h"
#include "action/sign/sign-log.h"
#include "base/ctx.h"
#include "people/password.h"
#include "people/session.h"
#include "screen/tr.h"

static struct err *
begin(struct ctx *c)
{
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	return gate_pass(c);
}

static struct err *
end(struct ctx *c, const struct self *self, const char *what, struct err *err)
{
	err = action_end(c, err);
	if (err == NULL)
		sign_log(c, what, self->person->uuid, self->address);
	return err;
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
hash_new(
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
	err = hash_new(c, self, fresh, self->person->has_factor, &hash);
	if (err != NULL)
		return err;
	err = begin(c);
	if (err == NULL) {
		person_set_password(c, self->person->id, hash);
		end_others(c, self, token);
	}
	return end(c, self, "password-changed", err);
}

struct err *
self_set_factor(struct ctx *c, const struct self *self, const char *offer, const char *code,
    const char *codes[FACTOR_CODES], char token[SESSION_TOKEN + 1])
{
	unsigned char secret[TOTP_SECRET];
	struct err *err;

	if (!factor_offered(c, self->person->uuid, offer, secret))
		return refuse(c, ERR_CONFLICT, "%s", tr("This page is too old. Open it again."));
	err = begin(c);
	if (err == NULL)
		err = factor_set(c, self->person->id, secret, code);
	if (err == NULL) {
		factor_draw_codes(c, self->person->id, codes);
		end_others(c, self, token);
	}
	explicit_bzero(secret, sizeof(secret));
	return end(c, self, "factor-set", err);
}

struct err *
self_remove_factor(
    struct ctx *c, const struct self *self, const char *fresh, char token[SESSION_TOKEN + 1])
{
	const char *hash;
	struct err *err = hash_new(c, self, fresh, false, &hash);

	if (err != NULL)
		return err;
	err = begin(c);
	if (err == NULL) {
		factor_remove(c, self->person->id);
		person_set_password(c, self->person->id, hash);
		end_others(c, self, token);
	}
	return end(c, self, "factor-removed", err);
}

struct err *
self_draw_codes(struct ctx *c, const struct self *self, const char *codes[FACTOR_CODES])
{
	struct factor_state state;
	struct err *err = begin(c);

	if (err == NULL) {
		factor_state(c, self->person->id, &state);
		if (!state.exists)
			err = refuse(
			    c, ERR_CONFLICT, "%s", tr("There is no authenticator any more."));
	}
	if (err == NULL)
		factor_draw_codes(c, self->person->id, codes);
	return end(c, self, "recovery-codes", err);
}

struct err *
self_set_mails(struct ctx *c, const struct self *self, bool mails)
{
	struct err *err = begin(c);

	if (err == NULL)
		person_set_mails(c, self->person->id, mails);
	return action_end(c, err);
}

struct err *
self_hide_steps(struct ctx *c, const struct self *self)
{
	struct err *err = begin(c);

	if (err == NULL)
		person_hide_steps(c, self->person->id);
	return action_end(c, err);
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
look_at(void *arg, const struct session *s)
{
	struct wanted *w = arg;

	if (strcmp(s->uuid, w->uuid) == 0)
		w->id = s->id;
}

struct err *
self_end_session(struct ctx *c, const struct self *self, const char *uuid)
{
	struct wanted w = { .uuid = uuid };
	struct err *err = begin(c);

	if (err == NULL)
		session_list(c, self->person->id, look_at, &w);
	if (err == NULL && w.id == 0)
		err = refuse(c, ERR_NOT_FOUND, "%s", tr("This session has ended already."));
	if (err == NULL)
		session_delete(c, w.id);
	return end(c, self, "session-ended", err);
}

struct err *
self_sign_out(struct ctx *c, const struct self *self)
{
	struct err *err = begin(c);

	if (err == NULL) {
		person_seen(c, self->person->id, c->now);
		session_delete_all(c, self->person->id, 0);
		held_delete_all(c, self->person->id);
		device_delete_all(c, self->person->id, 0);
	}
	return end(c, self, "signed-out-everywhere", err);
}
