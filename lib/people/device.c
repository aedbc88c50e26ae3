#include "people/device.h"

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/base64.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/log.h"
#include "base/uuid.h"
#include "store/db.h"

#define TOKEN_BYTES 16
#define DEVICES 10 /* of a person */

/* Computes the digest that is stored. A token has enough random bits to need no key. */
static bool
digest_token(struct ctx *c, const char *token, unsigned char out[DIGEST_SIZE])
{
	struct digest d;
	const unsigned char *bytes;
	size_t len;

	if (token == NULL || strlen(token) != DEVICE_TOKEN)
		return false;
	bytes = base64_decode(c->arena, token, &len);
	if (bytes == NULL || len != TOKEN_BYTES)
		return false;
	digest_begin(&d, DIGEST_SIZE, "galley device 1");
	digest_fixed(&d, bytes, len);
	digest_end(&d, out);
	return true;
}

int64_t
device_find(struct ctx *c, int64_t person_id, const char *token)
{
	unsigned char digest[DIGEST_SIZE];
	struct stmt *q;
	int64_t id;

	if (!digest_token(c, token, digest))
		return 0;
	q = db_prepare(c, "SELECT id FROM device WHERE digest = :digest"
			  " AND person_id = :person_id AND used_at > :since");
	db_bind_blob(q, ":digest", digest, sizeof(digest));
	db_bind_int(q, ":person_id", person_id);
	db_bind_int(q, ":since", c->now - DEVICE_DAYS * CLOCK_DAY);
	id = db_row(q) ? db_int(q, 0) : 0;
	db_reset(q);
	return id;
}

void
device_used(struct ctx *c, int64_t id)
{
	struct stmt *q = db_prepare(c, "UPDATE device SET used_at = :used_at WHERE id = :id");

	db_bind_int(q, ":used_at", c->now);
	db_bind_int(q, ":id", id);
	db_run(q);
}

/* Removes the devices that rest for the longest time, so that one more has its place. */
static void
make_room(struct ctx *c, int64_t person_id)
{
	struct stmt *q = db_prepare(c, "DELETE FROM device WHERE id IN"
				       " (SELECT id FROM device WHERE person_id = :person_id"
				       " ORDER BY used_at DESC LIMIT 1000 OFFSET :kept)");

	db_bind_int(q, ":person_id", person_id);
	db_bind_int(q, ":kept", DEVICES - 1);
	db_run(q);
}

void
device_insert(struct ctx *c, int64_t person_id, char token[DEVICE_TOKEN + 1])
{
	unsigned char bytes[TOKEN_BYTES], digest[DIGEST_SIZE];
	struct stmt *q;

	uuid_random_bytes(bytes, sizeof(bytes));
	memcpy(token, base64_encode(c->arena, bytes, sizeof(bytes)), DEVICE_TOKEN + 1);
	explicit_bzero(bytes, sizeof(bytes));
	if (!digest_token(c, token, digest))
		BUG("a token that was just drawn is none");
	make_room(c, person_id);
	q = db_prepare(c, "INSERT INTO device (person_id, digest, created_at, used_at)"
			  " VALUES (:person_id, :digest, :now, :now)");
	db_bind_int(q, ":person_id", person_id);
	db_bind_blob(q, ":digest", digest, sizeof(digest));
	db_bind_int(q, ":now", c->now);
	db_run(q);
}

void
device_delete_all(struct ctx *c, int64_t person_id, int64_t keep)
{
	struct stmt *q = db_prepare(c, "DELETE FROM device"
				       " WHERE person_id = :person_id AND id <> :keep");

	db_bind_int(q, ":person_id", person_id);
	db_bind_int(q, ":keep", keep);
	db_run(q);
}
