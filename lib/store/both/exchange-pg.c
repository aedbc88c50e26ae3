/* Rows of PostgreSQL, by COPY … (FORMAT binary) (exchange.h). */
#include <endian.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "store/both/exchange.h"

/* A mark, flags and the length of an extension. */
static const char head[19] = "PGCOPY\n\377\r\n";
static const char tail[2] = { '\377', '\377' };

/* Notes the failure of a result, which it takes. */
static void
fail(struct exchange *x, const char *what, PGresult *result)
{
	const char *said =
	    result == NULL ? NULL : PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
	const char *more =
	    result == NULL ? NULL : PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);

	exchange_fail(x, "PostgreSQL, %s: %s%s%s", what,
	    said != NULL ? said : "the connection was lost", more != NULL ? ": " : "",
	    more != NULL ? more : "");
	PQclear(result);
}

/* Reads what is left of the answer; false if it is a failure. */
static bool
finish(struct exchange *x, const char *what)
{
	bool good = false, failed = false;
	PGresult *result;

	while ((result = PQgetResult(x->pg)) != NULL) {
		ExecStatusType status = PQresultStatus(result);

		if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) {
			good = true;
			PQclear(result);
			continue;
		}
		failed = true;
		fail(x, what, result);
		if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT)
			break;
	}
	if (!good && !failed)
		fail(x, what, NULL);
	return good && !failed;
}

bool
exchange_run_pg(struct exchange *x, const char *sql)
{
	if (x->wrong != NULL)
		return false;
	if (PQsendQuery(x->pg, sql) != 1) {
		fail(x, sql, NULL);
		return false;
	}
	return finish(x, sql);
}

/* Begins a COPY; false if it failed. */
static bool
begin(struct exchange *x, const struct exchange_table *t, const char *sql, ExecStatusType wanted)
{
	PGresult *result = PQexec(x->pg, sql);

	if (PQresultStatus(result) != wanted) {
		fail(x, t->name, result);
		return false;
	}
	PQclear(result);
	return true;
}

/* Takes a message of the server: a row, behind the head if it is the first one. */
static bool
take(struct exchange *x, struct exchange_table *t, const char *message, size_t len, bool first,
    struct digest *digest, exchange_row *each, void *arg)
{
	size_t at = first ? sizeof(head) : 0;

	if (first && (len < at || memcmp(message, head, 11) != 0)) {
		exchange_fail(x, "PostgreSQL sends rows of %s in another form", t->name);
		return false;
	}
	if (len - at < sizeof(tail) || memcmp(message + at, tail, sizeof(tail)) == 0)
		return true;
	digest_bytes(digest, message + at, len - at);
	t->rows++;
	return each == NULL || each(x, t, message + at, len - at, arg);
}

void
exchange_read_pg(struct exchange *x, struct exchange_table *t, exchange_row *each, void *arg)
{
	const char *sql = arena_printf(x->c->arena,
	    "COPY (SELECT %s FROM %s.%s%s ORDER BY %s)"
	    " TO STDOUT (FORMAT binary)",
	    t->columns, x->schema, t->name, t->where, t->key);
	struct digest digest;
	bool first = true, good = true;
	char *message;
	int len;

	if (!begin(x, t, sql, PGRES_COPY_OUT))
		return;
	digest_begin(&digest, DIGEST_SIZE, "galley exchange");
	t->rows = 0;
	while ((len = PQgetCopyData(x->pg, &message, 0)) > 0) {
		good = good && take(x, t, message, (size_t)len, first, &digest, each, arg);
		first = false;
		PQfreemem(message);
	}
	(void)finish(x, t->name);
	digest_end(&digest, t->digest);
}

static bool
put(struct exchange *x, struct exchange_table *t, const void *bytes, size_t len, void *arg)
{
	(void)arg;
	if (PQputCopyData(x->pg, bytes, (int)len) == 1)
		return true;
	exchange_fail(x, "PostgreSQL, %s: the connection was lost", t->name);
	return false;
}

void
exchange_fill_pg(struct exchange *x, struct exchange_table *t)
{
	const char *sql = arena_printf(x->c->arena, "COPY %s.%s (%s) FROM STDIN (FORMAT binary)",
	    x->schema, t->name, t->columns);

	if (!begin(x, t, sql, PGRES_COPY_IN))
		return;
	if (put(x, t, head, sizeof(head), NULL))
		exchange_read_lite(x, t, put, NULL);
	if (x->wrong == NULL)
		(void)put(x, t, tail, sizeof(tail), NULL);
	if (PQputCopyEnd(x->pg, x->wrong == NULL ? NULL : "the file cannot be read") == 1)
		(void)finish(x, t->name);
	else
		exchange_fail(x, "PostgreSQL, %s: the connection was lost", t->name);
}
