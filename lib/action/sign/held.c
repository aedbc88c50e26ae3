#include "action/sign/held.h"

#include "base/clock.h"
#include "base/ctx.h"
#include "people/seal.h"
#include "store/db.h"

#define LIFE (600 * CLOCK_SECOND)
#define OF_A_PERSON 10
#define PURPOSE "galley held form 1"

/* Removes what nobody can take out any more, and makes room for one more. */
static void
sweep(struct ctx *c, int64_t person_id)
{
	struct stmt *q = db_prepare(c, "DELETE FROM held WHERE id IN"
	    " (SELECT id FROM held WHERE created_at < :since"
	    " ORDER BY created_at LIMIT 100) AND kind = 'step'");

	db_bind_int(q, ":since", c->now - LIFE);
	db_run(q);
	q = db_prepare(c, "DELETE FROM held WHERE id IN"
	    " (SELECT id FROM held WHERE person_id = :person_id"
	    " ORDER BY created_at DESC LIMIT 1000 OFFSET :kept)"
	    " AND kind = 'step'");
	db_bind_int(q, ":person_id", person_id);
	db_bind_int(q, ":kept", OF_A_PERSON - 1);
	db_run(q);
}

void
held_insert(struct ctx *c, int64_t person_id, const char *target,
    const void *bytes, size_t len, char uuid[UUID_TEXT])
{
	struct stmt *q;

	sweep(c, person_id);
	q = db_prepare(c, "INSERT INTO held"
	    " (uuid, person_id, kind, target, fields, created_at)"
	    " VALUES (:uuid, :person_id, 'step', :target, :fields, :created_at)");
	uuid_random(uuid);
	db_bind_text(q, ":uuid", uuid);
	db_bind_int(q, ":person_id", person_id);
	db_bind_text(q, ":target", target);
	db_bind_blob(q, ":fields", seal_make(c, PURPOSE, uuid, bytes, len),
	    len + SEAL_MORE);
	db_bind_int(q, ":created_at", c->now);
	db_run(q);
}

const unsigned char *
held_take(struct ctx *c, int64_t person_id, const char *uuid, const char *target,
    size_t *len)
{
	struct stmt *q = db_prepare(c, "SELECT fields FROM held"
	    " WHERE uuid = :uuid AND person_id = :person_id"
	    " AND target = :target AND kind = 'step' AND created_at > :since");
	const unsigned char *bytes = NULL;

	db_bind_text(q, ":uuid", uuid);
	db_bind_int(q, ":person_id", person_id);
	db_bind_text(q, ":target", target);
	db_bind_int(q, ":since", c->now - LIFE);
	if (db_row(q)) {
		const unsigned char *sealed = db_bytes(q, 0, len);
		bytes = seal_open(c, PURPOSE, uuid, sealed, *len);
		*len -= bytes != NULL ? SEAL_MORE : 0;
	}
	db_reset(q);
	q = db_prepare(c, "DELETE FROM held"
	    " WHERE uuid = :uuid AND person_id = :person_id");
	db_bind_text(q, ":uuid", uuid);
	db_bind_int(q, ":person_id", person_id);
	db_run(q);
	return bytes;
}
