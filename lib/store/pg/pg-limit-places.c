/* Places that all hosts share: db/pg/limit-places.sql. */
#include "store/limit-places.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/log.h"
#include "store/pg/pg-handle.h"

#define WRITES_MAX ((size_t)16 * 1024)

struct limit_places {
	struct ctx *c;
	struct db *db;
	bool own, begun; /* the transaction; if it is not its own, it is the caller's */
	struct buf writes; /* what is sent with the end */
};

/* The file is that of a store with one host. */
struct limit_places *
limit_places_open(struct ctx *c, const char *path)
{
	struct limit_places *p = arena_alloc(c->arena, sizeof(*p));

	(void)path;
	*p = (struct limit_places) { .c = c, .db = pg_beside(c, DB_CONSOLE) };
	p->own = !pg_is_open(p->db);
	if (!p->own && !p->db->writing)
		BUG("places are in no snapshot");
	if (p->own)
		pg_set_deadline(p->db);
	buf_init(&p->writes, c->arena, WRITES_MAX);
	return p;
}

/* A row is made before it is locked: two that make it wait for each other. */
bool
limit_places_read(struct limit_places *p, int64_t number, void *out, size_t size)
{
	bool first = p->own && !p->begun;
	const char *sql = arena_printf(p->c->arena,
	    "%sINSERT INTO limit_place VALUES (%" PRId64 ", '') ON CONFLICT DO NOTHING;"
	    "SELECT bytes FROM limit_place WHERE number = %" PRId64 " FOR UPDATE",
	    first ? "BEGIN;" : "", number, number);
	PGresult *result = first ? pg_must_first(p->c, p->db, sql) : pg_must(p->db, sql);
	unsigned char *bytes = NULL;
	size_t len = 0;

	p->begun = true;
	memset(out, 0, size);
	if (PQntuples(result) == 1)
		bytes = PQunescapeBytea((const unsigned char *)PQgetvalue(result, 0, 0), &len);
	if (bytes == NULL)
		die("place %" PRId64 " cannot be read", number);
	/* One that nobody wrote has no bytes. */
	if (len == size)
		memcpy(out, bytes, size);
	PQfreemem(bytes);
	PQclear(result);
	return true;
}

bool
limit_places_write(struct limit_places *p, int64_t number, const void *bytes, size_t size)
{
	char *hex = arena_alloc(p->c->arena, 2 * size + 1);

	digest_hex(hex, bytes, size);
	buf_printf(&p->writes, "UPDATE limit_place SET bytes = '\\x%s' WHERE number = %" PRId64 ";",
	    hex, number);
	return true;
}

void
limit_places_close(struct limit_places *p)
{
	if (p->own && p->begun)
		buf_add_text(&p->writes, "COMMIT");
	if (p->writes.len > 0)
		PQclear(pg_must(p->db, buf_done(&p->writes)));
	if (p->own)
		p->db->deadline = 0;
}
