#include "store/lease.h"

#include <sys/stat.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "store/pg/pg-handle.h"
#include "system/instance.h"

#define PLACE ((size_t)16) /* bytes of the digest */

_Static_assert(2 * PLACE + 1 <= LEASE_PLACE, "a place fits");

bool
lease_is_shared(void)
{
	return true;
}

int64_t
lease_now(const struct ctx *c)
{
	return c->db != NULL ? c->db->clock : clock_machine();
}

/* Hosts may be containers of one kernel: then their folders differ. */
bool
lease_place(struct ctx *c, char out[LEASE_PLACE])
{
	char boot[CLOCK_BOOT_ID];
	struct digest d;
	struct stat st;

	if (!clock_boot_id(boot) || stat(c->instance->run, &st) != 0) {
		out[0] = '\0';
		return false;
	}
	digest_begin(&d, PLACE, "galley place 1");
	digest_text(&d, boot);
	digest_int(&d, (int64_t)st.st_dev);
	digest_int(&d, (int64_t)st.st_ino);
	digest_end_hex(&d, out);
	return true;
}

/* Standbys have the number of their primary's cluster, a copy by pg_dump has not. */
const char *
lease_database(struct ctx *c)
{
	PGresult *result = pg_must(c->db, "SELECT system_identifier || '/' || current_database()"
					  " FROM pg_control_system()");
	const char *place = arena_printf(c->arena, "PostgreSQL %s", PQgetvalue(result, 0, 0));

	PQclear(result);
	return place;
}
