/* What the hosts of an instance share (db-hosts.h), and leases, where both stores are known. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ctx.h"
#include "store/both/both.h"
#include "system/instance.h"

/* Begins a look into the instance's own store, beside a transaction of the other one. Returns
 * c->db; the caller must put it back, and *present into c->instance. */
static struct db *
look_beside(struct ctx *c, const struct instance **present)
{
	struct db *outer = c->db;

	*present = both_own(c);
	if (both_db_is_lite(c))
		c->db = NULL;
	return outer;
}

bool
db_picture_is_there(struct ctx *c, const char *digest)
{
	const struct instance *present;
	struct db *outer;
	bool there;

	if (!db_has_hosts())
		return sqlite_db_picture_is_there(c, digest);
	outer = look_beside(c, &present);
	there = pg_db_picture_is_there(c, digest);
	c->instance = present;
	c->db = outer;
	return there;
}

const void *
db_picture_find(struct ctx *c, const char *digest, const char *type, size_t *len)
{
	const struct instance *present;
	const void *bytes;
	struct db *outer;

	if (!db_has_hosts())
		return sqlite_db_picture_find(c, digest, type, len);
	outer = look_beside(c, &present);
	bytes = pg_db_picture_find(c, digest, type, len);
	c->instance = present;
	c->db = outer;
	return bytes;
}

void
db_pictures_hold(struct ctx *c, bool alone)
{
	if (both_db_is_lite(c))
		sqlite_db_pictures_hold(c, alone);
	else
		pg_db_pictures_hold(c, alone);
}

void
db_pictures_add(struct ctx *c)
{
	if (both_db_is_lite(c))
		sqlite_db_pictures_add(c);
	else
		pg_db_pictures_add(c);
}

void
db_picture_put(struct ctx *c, const char *digest, const void *bytes, size_t len)
{
	if (both_db_is_lite(c))
		sqlite_db_picture_put(c, digest, bytes, len);
	else
		pg_db_picture_put(c, digest, bytes, len);
}

void
db_day_key_share(struct ctx *c, int64_t day, unsigned char *key, size_t len)
{
	if (both_db_is_lite(c))
		sqlite_db_day_key_share(c, day, key, len);
	else
		pg_db_day_key_share(c, day, key, len);
}

void
db_day_keys_forget(struct ctx *c, int64_t first)
{
	if (both_db_is_lite(c))
		sqlite_db_day_keys_forget(c, first);
	else
		pg_db_day_keys_forget(c, first);
}

void
db_people_secret_changes(struct ctx *c)
{
	if (both_is_lite_instance(c))
		sqlite_db_people_secret_changes(c);
	else
		pg_db_people_secret_changes(c);
}

/* ---- leases */

int64_t
lease_now(const struct ctx *c)
{
	return both_db_is_lite(c) ? sqlite_lease_now(c) : pg_lease_now(c);
}

bool
lease_place(struct ctx *c, char out[LEASE_PLACE])
{
	return both_db_is_lite(c) ? sqlite_lease_place(c, out) : pg_lease_place(c, out);
}

const char *
lease_database(struct ctx *c)
{
	return both_db_is_lite(c) ? sqlite_lease_database(c) : pg_lease_database(c);
}
