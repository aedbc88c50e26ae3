#include "action/sign/held.h"

#include <string.h>

#include "action/action.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "people/person.h"
#include "people/secret.h"
#include "store/db.h"

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
	struct stmt *q =
	    db_prepare(c, "DELETE FROM held WHERE id IN"
			  " (SELECT id FROM held WHERE kind = :kind AND created_at < :since"
			  " ORDER BY created_at LIMIT 100)");

	db_bind_text(q, ":kind", kinds[kind].name);
	db_bind_int(q, ":since", c->now - kinds[kind].life);
	db_run(q);
}

void
held_sweep(struct ctx *c)
{
	sweep_kind(c, HELD_STEP);
	sweep_kind(c, HELD_ENDED);
}

/* Makes room for one more. */
static void
trim(struct ctx *c, enum held_kind kind, int64_t person_id)
{
	struct stmt *q =
	    db_prepare(c, "DELETE FROM held WHERE id IN"
			  " (SELECT id FROM held WHERE person_id = :person_id AND kind = :kind"
			  " ORDER BY created_at DESC LIMIT 1000 OFFSET :kept)");

	db_bind_int(q, ":person_id", person_id);
	db_bind_text(q, ":kind", kinds[kind].name);
	db_bind_int(q, ":kept", HELD_MAX - 1);
	db_run(q);
}

void
held_insert(struct ctx *c, enum held_kind kind, int64_t person_id, const char *target,
    const void *bytes, size_t len, char uuid[UUID_TEXT])
{
	struct stmt *q;

	held_sweep(c);
	trim(c, kind, person_id);
	q = db_prepare(c, "INSERT INTO held"
			  " (uuid, person_id, kind, target, fields, created_at)"
			  " VALUES (:uuid, :person_id, :kind, :target, :fields, :created_at)");
	uuid_random(uuid);
	db_bind_text(q, ":uuid", uuid);
	db_bind_int(q, ":person_id", person_id);
	db_bind_text(q, ":kind", kinds[kind].name);
	db_bind_text(q, ":target", target);
	db_bind_blob(q, ":fields", seal_make(c, PURPOSE, uuid, bytes, len), len + SEAL_MORE);
	db_bind_int(q, ":created_at", c->now);
	db_run(q);
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
	struct stmt *q =
	    db_prepare(c, "SELECT " COLUMNS " FROM held"
			  " WHERE uuid = :uuid AND person_id = :person_id AND kind = :kind"
			  " AND created_at > :since");

	db_bind_text(q, ":uuid", uuid);
	db_bind_int(q, ":person_id", person_id);
	db_bind_text(q, ":kind", kinds[kind].name);
	db_bind_int(q, ":since", c->now - kinds[kind].life);
	return q;
}

static bool
find(struct ctx *c, enum held_kind kind, int64_t person_id, const char *uuid, struct held *out)
{
	struct stmt *q = prepare_one(c, kind, person_id, uuid);
	bool found = db_row(q);

	if (found)
		from_row(c, q, out);
	db_reset(q);
	return found && out->bytes != NULL;
}

const unsigned char *
held_take(struct ctx *c, int64_t person_id, const char *uuid, const char *target, size_t *len)
{
	struct held held;
	bool found = find(c, HELD_STEP, person_id, uuid, &held) && strcmp(held.target, target) == 0;

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
	return find(c, HELD_ENDED, person_id, uuid, out);
}

size_t
held_list(struct ctx *c, int64_t person_id, struct held out[HELD_MAX])
{
	struct stmt *q = db_prepare(c, "SELECT " COLUMNS " FROM held"
				       " WHERE person_id = :person_id AND created_at > :since"
				       " AND kind = 'ended' ORDER BY created_at DESC LIMIT :limit");
	size_t count = 0;

	db_bind_int(q, ":person_id", person_id);
	db_bind_int(q, ":since", c->now - kinds[HELD_ENDED].life);
	db_bind_int(q, ":limit", HELD_MAX);
	while (db_row(q)) {
		from_row(c, q, &out[count]);
		count += out[count].bytes != NULL;
	}
	return count;
}

int64_t
held_count(struct ctx *c, int64_t person_id)
{
	struct stmt *q = db_prepare(c, "SELECT count(*) FROM held"
				       " WHERE person_id = :person_id AND created_at > :since"
				       " AND kind = 'ended'");
	int64_t count;

	db_bind_int(q, ":person_id", person_id);
	db_bind_int(q, ":since", c->now - kinds[HELD_ENDED].life);
	count = db_row(q) ? db_int(q, 0) : 0;
	db_reset(q);
	return count;
}

void
held_delete(struct ctx *c, int64_t person_id, const char *uuid)
{
	struct stmt *q = db_prepare(c, "DELETE FROM held"
				       " WHERE uuid = :uuid AND person_id = :person_id");

	db_bind_text(q, ":uuid", uuid);
	db_bind_int(q, ":person_id", person_id);
	db_run(q);
}

struct err *
held_discard(struct ctx *c, int64_t person_id, const char *uuid)
{
	struct err *err = action_begin_console(c);

	if (err == NULL)
		held_delete(c, person_id, uuid);
	return action_end(c, err);
}

void
held_delete_all(struct ctx *c, int64_t person_id)
{
	struct stmt *q = db_prepare(c, "DELETE FROM held"
				       " WHERE person_id = :person_id");

	db_bind_int(q, ":person_id", person_id);
	db_run(q);
}
