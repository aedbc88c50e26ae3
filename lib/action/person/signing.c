#include "action/person/signing.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "action/action.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "people/factor.h"
#include "people/password.h"
#include "people/person.h"
#include "people/secret.h"
#include "people/session.h"
#include "people/throttle.h"
#include "screen/tr.h"
#include "store/db.h"
#include "system/filelock.h"
#include "system/instance.h"

enum held_kind {
	HELD_STEP, /* ten minutes */
	HELD_ENDED /* 24 hours */
};

/* ---- the log */

#define EVENTS 64 /* different ones of a minute that are told apart */
#define MINUTE (60 * CLOCK_SECOND)

/* The events of a minute, as run/console/sign-in holds them. */
struct events {
	int64_t minute;
	int64_t others; /* events beyond the places */
	struct {
		char text[144];
		int64_t again;
	} event[EVENTS];
};

static bool
append(struct ctx *c, int64_t at, const char *text)
{
	const char *path = fileio_path(c->arena, c->instance->log, "sign-in.log");
	int fd = fileio_open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW);
	char time[CLOCK_TEXT];
	const char *line;
	bool good;

	if (fd < 0)
		return false;
	clock_format(time, at);
	line = arena_printf(c->arena, "%s %s\n", time, text);
	good = fileio_write_all(fd, line, strlen(line));
	close(fd);
	return good;
}

/* Writes the sums of a minute that is over. */
static bool
write_sums(struct ctx *c, const struct events *e)
{
	int64_t at = e->minute * MINUTE;
	bool good = true;

	for (size_t i = 0; i < EVENTS && good; i++) {
		if (e->event[i].again > 0)
			good = append(c, at,
			    arena_printf(c->arena, "%s again=%" PRId64, e->event[i].text,
				e->event[i].again));
	}
	if (good && e->others > 0)
		good = append(c, at, arena_printf(c->arena, "others=%" PRId64, e->others));
	return good;
}

/* Counts an event. Returns whether it is the first of its kind in this minute. */
static bool
count_event(struct events *e, const char *text)
{
	size_t i = 0;

	while (i < EVENTS && e->event[i].text[0] != '\0' && strcmp(e->event[i].text, text) != 0)
		i++;
	if (i == EVENTS) {
		e->others++;
		return false;
	}
	if (e->event[i].text[0] != '\0') {
		e->event[i].again++;
		return false;
	}
	snprintf(e->event[i].text, sizeof(e->event[i].text), "%s", text);
	return true;
}

static bool
note_event(struct ctx *c, int fd, const char *text)
{
	struct events *e = arena_alloc(c->arena, sizeof(*e));
	bool good = true;

	if (pread(fd, e, sizeof(*e), 0) != (ssize_t)sizeof(*e))
		memset(e, 0, sizeof(*e));
	for (size_t i = 0; i < EVENTS; i++)
		e->event[i].text[sizeof(e->event[i].text) - 1] = '\0';
	if (e->minute != c->now / MINUTE) {
		good = write_sums(c, e);
		memset(e, 0, sizeof(*e));
		e->minute = c->now / MINUTE;
	}
	if (count_event(e, text))
		good = append(c, c->now, text) && good;
	return pwrite(fd, e, sizeof(*e), 0) == (ssize_t)sizeof(*e) && good;
}

void
sign_log(struct ctx *c, const char *kind, const char *person, const char *address)
{
	const char *folder = fileio_path(c->arena, c->instance->run, "console");
	const char *path = fileio_path(c->arena, folder, "sign-in");
	char *text = arena_printf(
	    c->arena, "%s person=%s address=%s", kind, person != NULL ? person : "-", address);
	int fd;

	if (!fileio_make_folder(folder, 0700) || (fd = filelock_wait(path, false)) < 0) {
		log_line("%s: %s", path, strerror(errno));
		return;
	}
	if (strlen(text) > 143)
		text[143] = '\0';
	if (!note_event(c, fd, text))
		log_line("%s: %s", path, strerror(errno));
	filelock_release(fd);
}

/* ---- forms that are kept */

#define PURPOSE "galley held form 1"

static const struct {
	const char *name;
	int64_t life;
} kinds[] = {
	[HELD_STEP] = { "step", 600 * CLOCK_SECOND },
	[HELD_ENDED] = { "ended", CLOCK_DAY },
};

static void
sweep_kind(struct ctx *c, enum held_kind kind)
{
	db_run(c,
	    "DELETE FROM held WHERE id IN"
	    " (SELECT id FROM held WHERE kind = :kind AND created_at < :since"
	    " ORDER BY created_at LIMIT 100)",
	    db_t(":kind", kinds[kind].name), db_i(":since", c->now - kinds[kind].life));
}

/* Removes what is too old, of everybody, at most 100 of each kind. */
static void
held_sweep(struct ctx *c)
{
	sweep_kind(c, HELD_STEP);
	sweep_kind(c, HELD_ENDED);
}

/* Removes the oldest ones, so that there is room for one more. */
static void
make_room(struct ctx *c, enum held_kind kind, int64_t person_id)
{
	db_run(c,
	    "DELETE FROM held WHERE id IN"
	    " (SELECT id FROM held WHERE person_id = :person_id AND kind = :kind"
	    " ORDER BY created_at DESC LIMIT 1000 OFFSET :kept)",
	    db_i(":person_id", person_id), db_t(":kind", kinds[kind].name),
	    db_i(":kept", HELD_MAX - 1));
}

/* Keeps `len` bytes, sent to the address `target`. Removes what is too old. */
static void
held_insert(struct ctx *c, enum held_kind kind, int64_t person_id, const char *target,
    const void *bytes, size_t len, char uuid[UUID_TEXT])
{
	held_sweep(c);
	make_room(c, kind, person_id);
	uuid_random(uuid);
	db_run(c,
	    "INSERT INTO held (uuid, person_id, kind, target, fields, created_at)"
	    " VALUES (:uuid, :person_id, :kind, :target, :fields, :created_at)",
	    db_t(":uuid", uuid), db_i(":person_id", person_id), db_t(":kind", kinds[kind].name),
	    db_t(":target", target),
	    db_b(":fields", seal_make(c, PURPOSE, uuid, bytes, len), len + SEAL_MORE),
	    db_i(":created_at", c->now));
}

#define COLUMNS "uuid, created_at, target, fields"

static void
from_row(struct ctx *c, struct stmt *q, struct held *out)
{
	const unsigned char *sealed;
	size_t len;

	memset(out, 0, sizeof(*out));
	memcpy(out->uuid, db_text(q, 0), sizeof(out->uuid));
	out->created_at = db_int(q, 1);
	out->target = db_text(q, 2);
	sealed = db_bytes(q, 3, &len);
	out->bytes = seal_open(c, PURPOSE, out->uuid, sealed, len);
	out->len = out->bytes != NULL ? len - SEAL_MORE : 0;
}

static struct stmt *
prepare_one(struct ctx *c, enum held_kind kind, int64_t person_id, const char *uuid)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM held"
	    " WHERE uuid = :uuid AND person_id = :person_id AND kind = :kind"
	    " AND created_at > :since",
	    db_t(":uuid", uuid), db_i(":person_id", person_id), db_t(":kind", kinds[kind].name),
	    db_i(":since", c->now - kinds[kind].life));

	return q;
}

static bool
find_held(struct ctx *c, enum held_kind kind, int64_t person_id, const char *uuid, struct held *out)
{
	struct stmt *q = prepare_one(c, kind, person_id, uuid);
	bool found = db_row(q);

	if (found)
		from_row(c, q, out);
	db_reset(q);
	return found && out->bytes != NULL;
}

/* Takes out what was kept for a step-up of this person, sent to this address. Returns the
 * bytes with a NUL after them (arena), or NULL: there is nothing. */
static const unsigned char *
held_take(struct ctx *c, int64_t person_id, const char *uuid, const char *target, size_t *len)
{
	struct held held;
	bool found =
	    find_held(c, HELD_STEP, person_id, uuid, &held) && strcmp(held.target, target) == 0;

	held_delete(c, person_id, uuid);
	*len = found ? held.len : 0;
	return found ? held.bytes : NULL;
}

bool
held_keep(struct ctx *c, const struct session *s, enum session_state state, const char *target,
    const void *bytes, size_t len)
{
	char uuid[UUID_TEXT];
	const struct person *p;
	bool kept;

	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	gate_skip(c); /* It is no change of the form's own. */
	p = person_of(c, s->person_id);
	kept = p != NULL && p->disabled_at == 0 && !s->half && session_look(c, s) == state;
	if (kept)
		held_insert(c, HELD_ENDED, p->id, target, bytes, len, uuid);
	db_commit(c);
	return kept;
}

bool
held_find(struct ctx *c, int64_t person_id, const char *uuid, struct held *out)
{
	return find_held(c, HELD_ENDED, person_id, uuid, out);
}

size_t
held_list(struct ctx *c, int64_t person_id, struct held out[HELD_MAX])
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM held WHERE person_id = :person_id AND created_at > :since"
	    " AND kind = 'ended' ORDER BY created_at DESC LIMIT :limit",
	    db_i(":person_id", person_id), db_i(":since", c->now - kinds[HELD_ENDED].life),
	    db_i(":limit", HELD_MAX));
	size_t count = 0;

	while (db_row(q)) {
		from_row(c, q, &out[count]);
		count += out[count].bytes != NULL;
	}
	return count;
}

int64_t
held_count(struct ctx *c, int64_t person_id)
{
	return db_one_int(c, 0,
	    "SELECT count(*) FROM held WHERE person_id = :person_id AND created_at > :since"
	    " AND kind = 'ended'",
	    db_i(":person_id", person_id), db_i(":since", c->now - kinds[HELD_ENDED].life));
}

void
held_delete(struct ctx *c, int64_t person_id, const char *uuid)
{
	db_run(c, "DELETE FROM held WHERE uuid = :uuid AND person_id = :person_id",
	    db_t(":uuid", uuid), db_i(":person_id", person_id));
}

struct err *
held_discard(struct ctx *c, int64_t person_id, const char *uuid)
{
	ACTION(c, action_begin_console(c));
	held_delete(c, person_id, uuid);
	return action_commit(c);
}

void
held_delete_all(struct ctx *c, int64_t person_id)
{
	db_run(c, "DELETE FROM held WHERE person_id = :person_id", db_i(":person_id", person_id));
}

/* ---- the step-up */

void
prove_hold(struct ctx *c, const struct prove_order *order, const void *bytes, size_t len,
    char uuid[UUID_TEXT])
{
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	gate_skip(c); /* What is kept is no change of the form's own. */
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
	TRY(throttle_take(c, &t));
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
	if (now->has_factor)
		TRY(compare_code(c, order));
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

/* ---- signing in */

#define ATTEMPTS 5 /* at the second step of one session */

static struct err *
refuse_all_alike(struct ctx *c)
{
	return refuse(c, ERR_INVALID, "%s", tr("The e-mail address or the password is not right."));
}

/* Finds the person of a login, and whether the browser is known. NULL: nobody has it. */
static const struct person *
find_person(struct ctx *c, const char *login, const struct sign_order *order, int64_t *device)
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
begin_session(struct ctx *c, const struct person *found, const char *fresh_hash,
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

	/* The parameters have risen: hash again, or the next time if all slots are taken. */
	if (state == PASSWORD_RIGHT_OLD &&
	    password_hash(c, order->password, (struct password_asker) { p->login, true }, &fresh) !=
		NULL)
		fresh = NULL;
	ACTION(c, begin_write(c));
	TRY(begin_session(c, p, fresh, order, out));
	action_commit(c);
	sign_log(c, out->half ? "password-right" : "sign-in", p->uuid, order->address);
	return NULL;
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
	p = find_person(c, login, order, &t.device);
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
second_step(struct ctx *c, const struct session *half, const char *typed,
    const struct sign_order *order, struct signed_in *out)
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
	ACTION(c, begin_write(c));
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
		return refuse(
		    c, ERR_UNAUTHORIZED, "%s", tr("The sign-in took too long. Sign in again."));
	}
	err = second_step(c, half, typed, order, out);
	action_commit(c);
	sign_log(c, err == NULL ? "sign-in" : "wrong-code", out->person->uuid, order->address);
	return err;
}

struct err *
sign_back(struct ctx *c, const struct session *half, bool *whole)
{
	ACTION(c, begin_write(c));
	*whole = session_look(c, half) == SESSION_GOOD;
	if (!*whole)
		session_delete(c, half->id);
	return action_commit(c);
}

struct err *
sign_out(struct ctx *c, const struct session *s, const char *person, const char *address)
{
	ACTION(c, begin_write(c));
	person_seen(c, s->person_id, c->now);
	session_delete(c, s->id);
	held_delete_all(c, s->person_id);
	action_commit(c);
	sign_log(c, "sign-out", person, address);
	return NULL;
}
