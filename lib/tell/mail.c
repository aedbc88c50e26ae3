#include "tell/mail.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "base/uuid.h"
#include "people/secret.h"
#include "store/db.h"
#include "store/lease.h"
#include "system/fault.h"

#define MINUTE (60 * CLOCK_SECOND)
#define DAY (86400 * CLOCK_SECOND)
#define WAITS (3 * DAY)
#define KEPT (400 * DAY)
#define UNKNOWN_MAX 2
#define SEAL "galley mail 1"
#define COLUMNS "id, uuid, kind, person, account, workspace, thing, mark, link, tries"

static const char *const kinds[MAIL_KINDS] = {
	[MAIL_INVITE] = "invite",
	[MAIL_RESET] = "reset",
	[MAIL_HANDED_IN] = "handed-in",
	[MAIL_JOB_FAILED] = "job-failed",
	[MAIL_CREDITS_LOW] = "credits-low",
	[MAIL_KEY_ENDS] = "key-ends",
	[MAIL_SITE_SILENT] = "site-silent",
};

static enum mail_kind
kind_of(const char *name)
{
	for (size_t i = 0; i < MAIL_KINDS; i++) {
		if (strcmp(kinds[i], name) == 0)
			return (enum mail_kind)i;
	}
	BUG("no mail is a %s", name);
}

static bool
has_row(struct stmt *q)
{
	bool found = db_row(q);

	db_reset(q);
	return found;
}

/* ---- adding */

bool
mail_is_known(struct ctx *c, const struct mail *m)
{
	struct stmt *q = db_prepare(c, "SELECT 1 FROM mail WHERE person = :person"
				       " AND kind = :kind AND thing = :thing AND mark = :mark");

	db_bind_text(q, ":person", m->person);
	db_bind_text(q, ":kind", kinds[m->kind]);
	db_bind_text(q, ":thing", m->thing);
	db_bind_int(q, ":mark", m->mark);
	return has_row(q);
}

static bool
has_room(struct ctx *c, const char *account)
{
	struct stmt *q = db_prepare(c, "SELECT count(*) FROM mail WHERE account = :account"
				       " AND created_at > :since");
	int64_t count;

	db_bind_text(q, ":account", account);
	db_bind_int(q, ":since", c->now - DAY);
	count = db_row(q) ? db_int(q, 0) : 0;
	db_reset(q);
	return count < MAIL_DAY;
}

static void
insert(struct ctx *c, struct mail *m)
{
	struct stmt *q = db_prepare(c,
	    "INSERT INTO mail (uuid, kind, person, account, workspace,"
	    " thing, mark, link, due_at, created_at) VALUES (:uuid, :kind, :person, :account,"
	    " :workspace, :thing, :mark, :link, :now, :now) RETURNING id");
	size_t len = m->link != NULL ? strlen(m->link) : 0;

	db_bind_text(q, ":uuid", m->uuid);
	db_bind_text(q, ":kind", kinds[m->kind]);
	db_bind_text(q, ":person", m->person);
	db_bind_text(q, ":account", m->account);
	db_bind_text(q, ":workspace", m->workspace);
	db_bind_text(q, ":thing", m->thing);
	db_bind_int(q, ":mark", m->mark);
	if (m->link != NULL)
		db_bind_blob(
		    q, ":link", seal_make(c, SEAL, m->uuid, m->link, len), len + SEAL_MORE);
	else
		db_bind_null(q, ":link");
	db_bind_int(q, ":now", c->now);
	m->id = db_insert(q);
}

bool
mail_add(struct ctx *c, struct mail *m)
{
	char *uuid = arena_alloc(c->arena, UUID_TEXT);

	uuid_random(uuid);
	m->uuid = uuid;
	if (m->thing == NULL)
		m->thing = uuid;
	if (mail_is_known(c, m) || !has_room(c, m->account))
		return false;
	insert(c, m);
	return true;
}

/* ---- tries */

bool
mail_is_due(struct ctx *c)
{
	struct stmt *q;
	bool due;

	db_begin_read(c, DB_CONSOLE);
	/* A due time that is far away is of a clock that was set back since. */
	q = db_prepare(c, "SELECT 1 FROM mail WHERE state = 'waiting'"
			  " AND (due_at <= :now OR due_at > :far) LIMIT 1");
	db_bind_int(q, ":now", c->now);
	db_bind_int(q, ":far", c->now + DAY);
	due = has_row(q);
	db_rollback(c);
	return due;
}

/* Opens the link of a mail. One that was sealed with another secret is lost. */
static const char *
open_link(struct ctx *c, struct stmt *q, const char *uuid)
{
	size_t len;
	const void *bytes;

	if (db_is_null(q, 8))
		return NULL;
	bytes = db_bytes(q, 8, &len);
	return (const char *)seal_open(c, SEAL, uuid, bytes, len);
}

bool
mail_next(struct ctx *c, struct mail *out)
{
	struct stmt *q;
	bool found;

	db_begin_read(c, DB_CONSOLE);
	q = db_prepare(c,
	    "SELECT " COLUMNS " FROM mail WHERE state = 'waiting'"
	    " AND due_at > 0 AND (due_at <= :now OR due_at > :far) /*sort*/ ORDER BY tries, due_at, id LIMIT 1");
	db_bind_int(q, ":now", c->now);
	db_bind_int(q, ":far", c->now + DAY);
	found = db_row(q);
	if (found) {
		*out = (struct mail) { .id = db_int(q, 0),
			.uuid = db_text(q, 1),
			.kind = kind_of(db_text(q, 2)),
			.person = db_text(q, 3),
			.account = db_text(q, 4),
			.workspace = db_text(q, 5),
			.thing = db_text(q, 6),
			.mark = db_int(q, 7),
			.tries = db_int(q, 9) };
		out->link = open_link(c, q, out->uuid);
	}
	db_rollback(c);
	return found;
}

/* Sets the state of a mail that will not be tried again. */
static void
settle(struct ctx *c, const struct mail *m, const char *state)
{
	struct stmt *q = db_prepare(c, "UPDATE mail SET state = :state, link = NULL"
				       " WHERE id = :id AND state = 'waiting'");

	db_bind_text(q, ":state", state);
	db_bind_int(q, ":id", m->id);
	db_run(q);
}

/* Settles it as failed if it had all its tries, or as many as may have been sent. */
static void
settle_if_over(struct ctx *c, const struct mail *m)
{
	struct stmt *q = db_prepare(c,
	    "UPDATE mail SET state = 'failed', link = NULL"
	    " WHERE id = :id AND state = 'waiting' AND (tries >= :tries OR unknown >= :unknown)");

	db_bind_int(q, ":id", m->id);
	db_bind_int(q, ":tries", MAIL_TRIES);
	db_bind_int(q, ":unknown", UNKNOWN_MAX);
	db_run(q);
}

/* Returns whether it waits, and has had so many tries. */
static bool
has_tries(struct ctx *c, const struct mail *m)
{
	struct stmt *q = db_prepare(c, "SELECT 1 FROM mail WHERE id = :id"
				       " AND state = 'waiting' AND tries = :tries");

	db_bind_int(q, ":id", m->id);
	db_bind_int(q, ":tries", m->tries);
	return has_row(q);
}

/* Counts the try as one of which nobody knows how it ended: killed now, it is one. */
static bool
count_try(struct ctx *c, struct mail *m)
{
	static const int64_t minutes[MAIL_TRIES] = { 1, 5, 30, 120, 360, 0 };
	struct stmt *q;

	if (!has_tries(c, m))
		return false;
	q = db_prepare(c, "UPDATE mail SET tries = tries + 1, unknown = unknown + 1,"
			  " due_at = :again WHERE id = :id");
	db_bind_int(q, ":again",
	    c->now + minutes[m->tries < MAIL_TRIES ? m->tries : MAIL_TRIES - 1] * MINUTE);
	db_bind_int(q, ":id", m->id);
	db_run(q);
	m->tries++;
	return true;
}

bool
mail_begin(struct ctx *c, struct mail *m)
{
	bool begun;

	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	settle_if_over(c, m);
	begun = count_try(c, m);
	db_commit(c);
	(void)FAULT("mail-begun");
	return begun;
}

bool
mail_is_last_try(struct ctx *c, const struct mail *m)
{
	bool last;

	if (!lease_is_shared())
		return true;
	db_begin_read(c, DB_CONSOLE);
	last = has_tries(c, m);
	db_rollback(c);
	return last;
}

void
mail_end(struct ctx *c, const struct mail *m, enum mail_outcome outcome)
{
	struct stmt *q;

	(void)FAULT("mail-sent");
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	if (outcome != MAIL_SENT && !has_tries(c, m)) {
		db_rollback(c);
		return;
	}
	if (outcome == MAIL_FAILED) {
		q = db_prepare(c, "UPDATE mail SET unknown = unknown - 1 WHERE id = :id"
				  " AND unknown > 0");
		db_bind_int(q, ":id", m->id);
		db_run(q);
	}
	if (outcome == MAIL_SENT || outcome == MAIL_ENDED)
		settle(c, m, outcome == MAIL_SENT ? "sent" : "ended");
	else
		settle_if_over(c, m);
	db_commit(c);
	(void)FAULT("mail-ended");
}

void
mail_end_all(struct ctx *c)
{
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	db_run(db_prepare(c, "UPDATE mail SET state = 'ended', link = NULL"
			     " WHERE state = 'waiting' AND due_at > 0"));
	db_commit(c);
}

/* What may go on for years is told once all the same: those rows stay. */
void
mail_sweep(struct ctx *c)
{
	struct stmt *q;

	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	q = db_prepare(c, "UPDATE mail SET state = 'ended', link = NULL"
			  " WHERE state = 'waiting' AND due_at > 0 AND created_at < :since");
	db_bind_int(q, ":since", c->now - WAITS);
	db_run(q);
	q = db_prepare(c, "DELETE FROM mail WHERE created_at < :since AND kind NOT IN"
			  " ('credits-low', 'site-silent') AND state <> 'waiting' /*scan*/");
	db_bind_int(q, ":since", c->now - KEPT);
	db_run(q);
	db_commit(c);
}
