/* Bytes of pictures: files of a folder, and rows of content.media_bytes (exchange.h). */
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "store/both/exchange.h"

#define BYTES_MAX ((size_t)64 * 1024 * 1024)

/* Returns the path of a picture's file: its digest, and an end that its type says. */
static const char *
path_of(struct arena *a, const char *folder, PGresult *rows, int i)
{
	const char *type = strchr(PQgetvalue(rows, i, 1), '/');

	type = type == NULL ? "" : type + 1;
	return arena_printf(a, "%s/%s.%s", folder, PQgetvalue(rows, i, 0),
	    strcmp(type, "jpeg") == 0 ? "jpg" : type);
}

static PGresult *
ask(struct exchange *x, const char *sql, int count, const char *digest, const void *bytes,
    size_t len)
{
	const char *values[] = { digest, bytes };
	const int lengths[] = { (int)strlen(digest), (int)len }, formats[] = { 0, 1 };
	PGresult *result = PQexecParams(x->pg, sql, count, NULL, values, lengths, formats, 1);
	ExecStatusType status = PQresultStatus(result);

	if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
		exchange_fail(x, "PostgreSQL, media_bytes: %s", PQerrorMessage(x->pg));
	return result;
}

/* Returns the digests and types of pictures. */
static PGresult *
list(struct exchange *x, const char *sql)
{
	PGresult *rows = PQexec(x->pg, sql);

	if (PQresultStatus(rows) != PGRES_TUPLES_OK)
		exchange_fail(x, "PostgreSQL, media_bytes: %s", PQerrorMessage(x->pg));
	return rows;
}

void
exchange_pictures_in(struct exchange *x, const char *folder)
{
	PGresult *rows =
	    list(x, "SELECT digest, type FROM content.media m WHERE NOT EXISTS"
		    " (SELECT 1 FROM content.media_bytes b WHERE b.digest = m.digest)");
	struct arena room;
	const char *bytes;
	size_t len;

	arena_init(&room, 2 * BYTES_MAX);
	for (int i = 0; x->wrong == NULL && i < PQntuples(rows); i++) {
		arena_reset(&room);
		bytes = fileio_read_now(&room, path_of(&room, folder, rows, i), BYTES_MAX, &len);
		if (bytes != NULL)
			PQclear(ask(x,
			    "INSERT INTO content.media_bytes (digest, bytes)"
			    " VALUES ($1, $2)",
			    2, PQgetvalue(rows, i, 0), bytes, len));
	}
	arena_release(&room);
	PQclear(rows);
}

static void
write_out(struct exchange *x, struct arena *room, const char *path, const char *digest)
{
	PGresult *one =
	    ask(x, "SELECT bytes FROM content.media_bytes WHERE digest = $1", 1, digest, NULL, 0);

	if (x->wrong == NULL && PQntuples(one) == 1 &&
	    !fileio_replace(
		room, path, PQgetvalue(one, 0, 0), (size_t)PQgetlength(one, 0, 0), 0644))
		exchange_fail(x, "%s: %s", path, strerror(errno));
	PQclear(one);
}

const char *
exchange_pictures_out(struct ctx *c, PGconn *pg, const char *folder)
{
	struct exchange x = { .c = c, .pg = pg };
	struct arena room;
	PGresult *rows;

	(void)PQsetnonblocking(pg, 0);
	rows = list(&x, "SELECT digest, type FROM content.media ORDER BY digest");
	arena_init(&room, 2 * BYTES_MAX);
	for (int i = 0; x.wrong == NULL && i < PQntuples(rows); i++) {
		arena_reset(&room);
		write_out(&x, &room, path_of(&room, folder, rows, i), PQgetvalue(rows, i, 0));
	}
	arena_release(&room);
	PQclear(rows);
	(void)PQsetnonblocking(pg, 1);
	return x.wrong;
}
