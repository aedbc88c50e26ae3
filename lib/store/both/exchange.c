/* Rows between the two stores, and bytes of pictures. */
#include "store/both/exchange.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "store/both/both.h"
#include "store/pg/pg-connection.h"
#include "store/schemas.h"
#include "system/fault.h"

#define TABLES_MAX ((size_t)64)
#define TEXT_MAX ((size_t)16 * 1024)
#define OTHERS_MAX 8

/* Notes what went wrong first. */
__attribute__((format(printf, 2, 3))) static void
note_wrong(struct exchange *x, const char *format, ...)
{
	char text[1024];
	va_list arguments;

	if (x->wrong != NULL)
		return;
	va_start(arguments, format);
	(void)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	x->wrong = arena_text(x->c->arena, text);
}

/* What is done with each row of a table; false ends the reading. */
typedef bool exchange_row(
    struct exchange *x, struct exchange_table *t, const void *bytes, size_t len, void *arg);

/* ---- rows of a file of SQLite */

#define ROW_MAX ((size_t)64 * 1024 * 1024)

static void
add_16(struct buf *b, uint16_t n)
{
	n = htobe16(n);
	buf_add(b, &n, sizeof(n));
}

static void
add_32(struct buf *b, uint32_t n)
{
	n = htobe32(n);
	buf_add(b, &n, sizeof(n));
}

/* Adds a value as COPY … (FORMAT binary) has it: its length, then a number of eight bytes or the
 * bytes themselves. */
static void
add_value(struct buf *b, sqlite3_stmt *q, int column)
{
	uint64_t number;
	const void *bytes;
	size_t len;

	switch (sqlite3_column_type(q, column)) {
	case SQLITE_NULL:
		add_32(b, UINT32_MAX);
		return;
	case SQLITE_INTEGER:
		number = htobe64((uint64_t)sqlite3_column_int64(q, column));
		add_32(b, sizeof(number));
		buf_add(b, &number, sizeof(number));
		return;
	default:
		bytes = sqlite3_column_blob(q, column);
		len = (size_t)sqlite3_column_bytes(q, column);
		add_32(b, (uint32_t)len);
		buf_add(b, bytes, len);
	}
}

static void
fail(struct exchange *x, const struct exchange_table *t)
{
	note_wrong(x, "the table %s of the file: %s", t->name, sqlite3_errmsg(x->lite));
}

/* Read the rows of a table, and note how many there are, with their digest. `each` may be NULL. */
static void
read_lite(struct exchange *x, struct exchange_table *t, exchange_row *each, void *arg)
{
	const char *sql = arena_printf(
	    x->c->arena, "SELECT %s FROM %s%s ORDER BY %s", t->columns, t->name, t->where, t->key);
	struct digest digest;
	struct arena room;
	sqlite3_stmt *q;
	struct buf row;
	int result;

	if (sqlite3_prepare_v2(x->lite, sql, -1, &q, NULL) != SQLITE_OK) {
		fail(x, t);
		return;
	}
	arena_init(&room, 4 * ROW_MAX);
	buf_init(&row, &room, ROW_MAX);
	digest_begin(&digest, DIGEST_SIZE, "galley exchange");
	t->rows = 0;
	while ((result = sqlite3_step(q)) == SQLITE_ROW) {
		buf_reset(&row);
		add_16(&row, (uint16_t)t->count);
		for (int i = 0; i < t->count; i++)
			add_value(&row, q, i);
		digest_bytes(&digest, row.data, row.len);
		t->rows++;
		if (buf_full(&row))
			note_wrong(x, "a row of %s is too large", t->name);
		if (x->wrong != NULL || (each != NULL && !each(x, t, row.data, row.len, arg)))
			break;
	}
	if (result != SQLITE_DONE && x->wrong == NULL)
		fail(x, t);
	digest_end(&digest, t->digest);
	sqlite3_finalize(q);
	arena_release(&room);
}

struct cursor {
	const unsigned char *at, *end;
};

static uint32_t
take_32(struct cursor *in)
{
	uint32_t n = 0;

	if (in->end - in->at >= (ptrdiff_t)sizeof(n))
		memcpy(&n, in->at, sizeof(n));
	in->at += sizeof(n);
	return be32toh(n);
}

/* Binds a value; false if the row is cut. The bytes stay until the row is inserted. */
static bool
bind(sqlite3_stmt *q, int column, char type, struct cursor *in)
{
	uint32_t len = take_32(in);
	uint64_t number;

	if (len == UINT32_MAX)
		return sqlite3_bind_null(q, column) == SQLITE_OK;
	if (in->at > in->end || (size_t)(in->end - in->at) < len ||
	    (type == 'I' && len != sizeof(number)))
		return false;
	in->at += len;
	if (type == 'T')
		return sqlite3_bind_text(q, column, (const char *)in->at - len, (int)len,
			   SQLITE_STATIC) == SQLITE_OK;
	if (type == 'B')
		return sqlite3_bind_blob(q, column, in->at - len, (int)len, SQLITE_STATIC) ==
		       SQLITE_OK;
	memcpy(&number, in->at - len, sizeof(number));
	return sqlite3_bind_int64(q, column, (int64_t)be64toh(number)) == SQLITE_OK;
}

static bool
insert(struct exchange *x, struct exchange_table *t, const void *bytes, size_t len, void *arg)
{
	struct cursor in = { bytes, (const unsigned char *)bytes + len };
	sqlite3_stmt *q = arg;

	in.at += sizeof(uint16_t);
	for (int i = 0; i < t->count; i++) {
		if (!bind(q, i + 1, t->types[i], &in)) {
			note_wrong(x, "a row of %s is of another form", t->name);
			return false;
		}
	}
	if (sqlite3_step(q) != SQLITE_DONE)
		fail(x, t);
	sqlite3_reset(q);
	return x->wrong == NULL;
}

/* ---- rows of PostgreSQL, by COPY … (FORMAT binary) */

/* A mark, flags and the length of an extension. */
static const char head[19] = "PGCOPY\n\377\r\n";
static const char tail[2] = { '\377', '\377' };

/* Notes the failure of a result, which it takes. */
static void
fail_pg(struct exchange *x, const char *what, PGresult *result)
{
	const char *said =
	    result == NULL ? NULL : PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
	const char *more =
	    result == NULL ? NULL : PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);

	note_wrong(x, "PostgreSQL, %s: %s%s%s", what,
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
		fail_pg(x, what, result);
		if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT)
			break;
	}
	if (!good && !failed)
		fail_pg(x, what, NULL);
	return good && !failed;
}

/* Runs SQL of PostgreSQL; false if it failed. */
static bool
run_pg(struct exchange *x, const char *sql)
{
	if (x->wrong != NULL)
		return false;
	if (PQsendQuery(x->pg, sql) != 1) {
		fail_pg(x, sql, NULL);
		return false;
	}
	return finish(x, sql);
}

/* Begins a COPY; false if it failed. */
static bool
begin_copy(
    struct exchange *x, const struct exchange_table *t, const char *sql, ExecStatusType wanted)
{
	PGresult *result = PQexec(x->pg, sql);

	if (PQresultStatus(result) != wanted) {
		fail_pg(x, t->name, result);
		return false;
	}
	PQclear(result);
	return true;
}

/* Takes a message of the server: a row, after the head if it is the first one. */
static bool
take(struct exchange *x, struct exchange_table *t, const char *message, size_t len, bool first,
    struct digest *digest, exchange_row *each, void *arg)
{
	size_t at = first ? sizeof(head) : 0;

	if (first && (len < at || memcmp(message, head, 11) != 0)) {
		note_wrong(x, "PostgreSQL sends rows of %s in another form", t->name);
		return false;
	}
	if (len - at < sizeof(tail) || memcmp(message + at, tail, sizeof(tail)) == 0)
		return true;
	digest_bytes(digest, message + at, len - at);
	t->rows++;
	return each == NULL || each(x, t, message + at, len - at, arg);
}

static void
read_pg(struct exchange *x, struct exchange_table *t, exchange_row *each, void *arg)
{
	const char *sql = arena_printf(x->c->arena,
	    "COPY (SELECT %s FROM %s.%s%s ORDER BY %s)"
	    " TO STDOUT (FORMAT binary)",
	    t->columns, x->schema, t->name, t->where, t->key);
	struct digest digest;
	bool first = true, good = true;
	char *message;
	int len;

	if (!begin_copy(x, t, sql, PGRES_COPY_OUT))
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
	note_wrong(x, "PostgreSQL, %s: the connection was lost", t->name);
	return false;
}

/* Write the rows that another one reads. */
static void
fill_lite(struct exchange *x, struct exchange_table *t)
{
	struct buf sql;
	sqlite3_stmt *q;

	buf_init(&sql, x->c->arena, ROW_MAX);
	buf_printf(&sql, "INSERT INTO %s (%s) VALUES (?", t->name, t->columns);
	for (int i = 1; i < t->count; i++)
		buf_add_text(&sql, ", ?");
	buf_add_char(&sql, ')');
	if (sqlite3_prepare_v2(x->lite, buf_done(&sql), -1, &q, NULL) != SQLITE_OK) {
		fail(x, t);
		return;
	}
	read_pg(x, t, insert, q);
	sqlite3_finalize(q);
}

static void
fill_pg(struct exchange *x, struct exchange_table *t)
{
	const char *sql = arena_printf(x->c->arena, "COPY %s.%s (%s) FROM STDIN (FORMAT binary)",
	    x->schema, t->name, t->columns);

	if (!begin_copy(x, t, sql, PGRES_COPY_IN))
		return;
	if (put(x, t, head, sizeof(head), NULL))
		read_lite(x, t, put, NULL);
	if (x->wrong == NULL)
		(void)put(x, t, tail, sizeof(tail), NULL);
	if (PQputCopyEnd(x->pg, x->wrong == NULL ? NULL : "the file cannot be read") == 1)
		(void)finish(x, t->name);
	else
		note_wrong(x, "PostgreSQL, %s: the connection was lost", t->name);
}

/* ---- bytes of pictures: files of a folder, and rows of content.media_bytes */

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
		note_wrong(x, "PostgreSQL, media_bytes: %s", PQerrorMessage(x->pg));
	return result;
}

/* Returns the digests and types of pictures. */
static PGresult *
list(struct exchange *x, const char *sql)
{
	PGresult *rows = PQexec(x->pg, sql);

	if (PQresultStatus(rows) != PGRES_TUPLES_OK)
		note_wrong(x, "PostgreSQL, media_bytes: %s", PQerrorMessage(x->pg));
	return rows;
}

/* The same for exchange_in(): takes the bytes that are missing from files. */
static void
put_pictures(struct exchange *x, const char *folder)
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
		note_wrong(x, "%s: %s", path, strerror(errno));
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

/* ---- which rows are not copied */

struct without {
	enum exchange_part part;
	enum db_store store;
	const char *table;
	const char *where; /* of the rows that are copied; NULL: none is */
};

#define TASK_ENDED " WHERE state NOT IN ('waiting', 'running')"
#define OF_TASK_ENDED " WHERE task_id IN (SELECT id FROM task" TASK_ENDED ")"

static const struct without without[] = {
	/* Who visited on a day, who read the API and what is half done stay where they are. */
	{ EXCHANGE_VIEWS, DB_STATS, "seen", NULL },
	{ EXCHANGE_VIEWS, DB_STATS, "segment", NULL },
	{ EXCHANGE_VIEWS, DB_STATS, "erased", NULL },
	{ EXCHANGE_VIEWS, DB_STATS, "reader", NULL },
	{ EXCHANGE_VIEWS, DB_STATS, "reading", NULL },
	{ EXCHANGE_VIEWS, DB_STATS, "refusal", NULL },
	{ EXCHANGE_VIEWS, DB_STATS, "fetched", NULL },
	{ EXCHANGE_VIEWS, DB_STATS, "log_file", NULL },
	{ EXCHANGE_VIEWS, DB_STATS, "log", NULL },
	/* What belongs to the present programs, and to files of this machine. */
	{ EXCHANGE_MOVE, DB_CONTENT, "form", NULL },
	/* The place where an instance is live is another one then; a quiet one stays quiet. */
	{ EXCHANGE_MOVE, DB_CONTENT, "live", " WHERE quiet_at > 0" },
	{ EXCHANGE_MOVE, DB_CONSOLE, "form", NULL },
	{ EXCHANGE_MOVE, DB_CONSOLE, "session", NULL },
	{ EXCHANGE_MOVE, DB_CONSOLE, "upload", NULL },
	{ EXCHANGE_MOVE, DB_CONSOLE, "task", TASK_ENDED },
	{ EXCHANGE_MOVE, DB_CONSOLE, "moving", OF_TASK_ENDED },
	{ EXCHANGE_MOVE, DB_CONSOLE, "moving_item", OF_TASK_ENDED },
	{ EXCHANGE_MOVE, DB_CONSOLE, "moving_loss", OF_TASK_ENDED },
	{ EXCHANGE_MOVE, DB_CONSOLE, "visited_page", OF_TASK_ENDED },
	{ EXCHANGE_MOVE, DB_STATS, "seen", NULL },
	{ EXCHANGE_MOVE, DB_STATS, "segment", NULL },
	{ EXCHANGE_MOVE, DB_STATS, "log_file", NULL },
};

/* Returns the rows of a table that are copied, or NULL for none. */
static const char *
rows_of(enum db_store store, enum exchange_part part, const char *table)
{
	for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++) {
		const struct without *w = &without[i];

		if (w->part == part && w->store == store && strcmp(w->table, table) == 0)
			return w->where;
	}
	return "";
}

/* ---- tables */

/* Reads the columns of a table from the file. */
static void
read_columns(struct exchange *x, struct exchange_table *t)
{
	const char *key[EXCHANGE_COLUMNS_MAX] = { NULL };
	struct buf columns, order;
	sqlite3_stmt *q;

	buf_init(&columns, x->c->arena, TEXT_MAX);
	buf_init(&order, x->c->arena, TEXT_MAX);
	if (sqlite3_prepare_v2(x->lite, arena_printf(x->c->arena, "PRAGMA table_info(%s)", t->name),
		-1, &q, NULL) != SQLITE_OK) {
		note_wrong(x, "%s", sqlite3_errmsg(x->lite));
		return;
	}
	while (sqlite3_step(q) == SQLITE_ROW && t->count < EXCHANGE_COLUMNS_MAX) {
		const char *name = (const char *)sqlite3_column_text(q, 1);
		int place = sqlite3_column_int(q, 5);

		t->types[t->count++] = (char)sqlite3_column_text(q, 2)[0];
		buf_printf(&columns, "%s%s", columns.len > 0 ? ", " : "", name);
		if (place > 0 && place <= EXCHANGE_COLUMNS_MAX)
			key[place - 1] = arena_text(x->c->arena, name);
	}
	sqlite3_finalize(q);
	for (size_t i = 0; i < EXCHANGE_COLUMNS_MAX && key[i] != NULL; i++)
		buf_printf(&order, "%s%s", i > 0 ? ", " : "", key[i]);
	if (t->count == EXCHANGE_COLUMNS_MAX || order.len == 0)
		note_wrong(x, "the table %s has no key, or too many columns", t->name);
	t->columns = buf_done(&columns);
	t->key = buf_done(&order);
}

static bool
is_taken(const struct exchange *x, const char *table)
{
	for (size_t i = 0; i < x->count; i++) {
		if (strcmp(x->tables[i].name, table) == 0)
			return true;
	}
	return false;
}

/* Returns whether the tables that this one refers to are taken. */
static bool
may_follow(struct exchange *x, const char *table)
{
	sqlite3_stmt *q;
	bool may = true;

	if (sqlite3_prepare_v2(x->lite,
		arena_printf(x->c->arena, "PRAGMA foreign_key_list(%s)", table), -1, &q,
		NULL) != SQLITE_OK)
		return false;
	while (may && sqlite3_step(q) == SQLITE_ROW) {
		const char *other = (const char *)sqlite3_column_text(q, 2);

		may = strcmp(other, table) == 0 || is_taken(x, other);
	}
	sqlite3_finalize(q);
	return may;
}

/* Takes the tables of the file that may come next; false if there is none. */
static bool
take_tables(struct exchange *x)
{
	static const char sql[] = "SELECT name FROM sqlite_master WHERE type = 'table'"
				  " AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name";
	sqlite3_stmt *q;
	bool more = false;

	if (sqlite3_prepare_v2(x->lite, sql, -1, &q, NULL) != SQLITE_OK) {
		note_wrong(x, "%s", sqlite3_errmsg(x->lite));
		return false;
	}
	while (sqlite3_step(q) == SQLITE_ROW && x->count < TABLES_MAX) {
		const char *name = (const char *)sqlite3_column_text(q, 0);

		if (is_taken(x, name) || !may_follow(x, name))
			continue;
		x->tables[x->count].name = arena_text(x->c->arena, name);
		read_columns(x, &x->tables[x->count]);
		x->count++;
		more = true;
	}
	sqlite3_finalize(q);
	return more && x->wrong == NULL;
}

/* Opens the file, and finds its tables. */
static void
open_file(struct exchange *x, const char *path, int flags, const char *schema)
{
	sqlite_db_memory_begin();
	if (sqlite3_open_v2(path, &x->lite, flags, NULL) != SQLITE_OK) {
		note_wrong(x, "%s: %s", path, sqlite3_errmsg(x->lite));
		return;
	}
	sqlite3_busy_timeout(x->lite, DB_WAIT_TOOL_MS);
	sqlite3_db_config(x->lite, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(x->lite, SQLITE_DBCONFIG_ENABLE_FKEY, 0, NULL);
	if (schema != NULL && sqlite3_exec(x->lite, schema, NULL, NULL, NULL) != SQLITE_OK)
		note_wrong(x, "%s: %s", path, sqlite3_errmsg(x->lite));
	x->tables = arena_array(x->c->arena, TABLES_MAX, sizeof(*x->tables));
	memset(x->tables, 0, TABLES_MAX * sizeof(*x->tables));
	while (x->wrong == NULL && take_tables(x))
		;
}

/* Reads the table on the side that was written, and compares. */
static void
compare(struct exchange *x, const struct exchange_table *t,
    void (*read)(struct exchange *, struct exchange_table *, exchange_row *, void *))
{
	struct exchange_table copy = *t;

	read(x, &copy, NULL, NULL);
	if (x->wrong == NULL &&
	    (copy.rows != t->rows || memcmp(copy.digest, t->digest, DIGEST_SIZE) != 0))
		note_wrong(x, "the table %s is another one when it is read again", t->name);
}

/* COPY waits in libpq, which finds out that the server's host is gone (pg-connection.c). */
static struct exchange
begin(struct ctx *c, PGconn *pg, enum db_store store)
{
	(void)PQsetnonblocking(pg, 0);
	return (struct exchange) { .c = c, .pg = pg, .schema = pg_schema(store) };
}

/* The names in a WHERE are those of the store. */
static void
look_at(struct exchange *x)
{
	(void)run_pg(x, arena_printf(x->c->arena, "SET LOCAL search_path = %s", x->schema));
}

static const char *
end(struct exchange *x, const char *sql)
{
	if (x->wrong == NULL && sql != NULL &&
	    sqlite3_exec(x->lite, sql, NULL, NULL, NULL) != SQLITE_OK)
		note_wrong(x, "the file: %s", sqlite3_errmsg(x->lite));
	if (sqlite3_close(x->lite) != SQLITE_OK)
		note_wrong(x, "the file cannot be closed");
	(void)PQsetnonblocking(x->pg, 1);
	return x->wrong;
}

/* Returns the schema that PostgreSQL has, as SQLite has it, and its number: before galley migrate
 * it is that of an earlier release. */
static const char *
present_schema(struct exchange *x, enum db_store store, int64_t *number)
{
	const struct schemas *s = schemas_of(store);
	PGresult *result =
	    PQexec(x->pg, arena_printf(x->c->arena, "SELECT number FROM %s.store", x->schema));

	if (PQntuples(result) != 1)
		note_wrong(x, "PostgreSQL says no number of the schema %s", x->schema);
	*number = x->wrong == NULL ? strtoll(PQgetvalue(result, 0, 0), NULL, 10) : s->number;
	PQclear(result);
	for (const struct migration *m = s->released; m->number != 0; m++) {
		if (m->number == *number)
			return m->sql;
	}
	*number = s->number;
	return s->text;
}

const char *
exchange_out(
    struct ctx *c, PGconn *pg, enum db_store store, const char *path, enum exchange_part part)
{
	const struct schemas *s = schemas_of(store);
	struct exchange x = begin(c, pg, store);
	int64_t number;
	const char *schema = present_schema(&x, store, &number);

	if (x.wrong != NULL)
		return x.wrong;
	open_file(&x, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
	    arena_printf(c->arena,
		"BEGIN; %s; PRAGMA application_id = %" PRId32 "; PRAGMA user_version = %" PRId64
		"; COMMIT; PRAGMA synchronous = FULL;"
		" PRAGMA ignore_check_constraints = %d; BEGIN",
		schema, s->application_id, number, part == EXCHANGE_BROKEN));
	look_at(&x);
	for (size_t i = 0; x.wrong == NULL && i < x.count; i++) {
		struct exchange_table *t = &x.tables[i];

		t->where = rows_of(store, part, t->name);
		if (t->where == NULL)
			continue;
		fill_lite(&x, t);
		if (x.wrong == NULL)
			compare(&x, t, read_lite);
	}
	return end(&x, "COMMIT");
}

/* Other tables of PostgreSQL that refer to those of the store: they keep their rows, as far as what
 * they name comes back. */
struct others {
	const char *table[OTHERS_MAX], *name[OTHERS_MAX], *text[OTHERS_MAX];
	int count;
};

static const char *
list_of_tables(struct exchange *x)
{
	struct buf list;

	buf_init(&list, x->c->arena, TEXT_MAX);
	for (size_t i = 0; i < x->count; i++)
		buf_printf(&list, "%s%s.%s", i > 0 ? ", " : "", x->schema, x->tables[i].name);
	return buf_done(&list);
}

static void
find_others(struct exchange *x, struct others *out)
{
	const char *tables = list_of_tables(x);
	PGresult *result = PQexec(
	    x->pg, arena_printf(x->c->arena,
		       "SELECT conrelid::regclass,"
		       " conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'f'"
		       " AND confrelid = ANY(string_to_array('%s', ', ')::regclass[])"
		       " AND NOT conrelid = ANY(string_to_array('%s', ', ')::regclass[])",
		       tables, tables));

	out->count = PQntuples(result);
	if (PQresultStatus(result) != PGRES_TUPLES_OK || out->count > OTHERS_MAX)
		note_wrong(x, "PostgreSQL: %s", PQerrorMessage(x->pg));
	for (int i = 0; x->wrong == NULL && i < out->count; i++) {
		out->table[i] = arena_text(x->c->arena, PQgetvalue(result, i, 0));
		out->name[i] = arena_text(x->c->arena, PQgetvalue(result, i, 1));
		out->text[i] = arena_text(x->c->arena, PQgetvalue(result, i, 2));
	}
	PQclear(result);
}

/* Empties all tables of the store. TRUNCATE waits for readers that are at work, and lets no other
 * one in before the end: one that had begun would see empty tables. */
static void
empty(struct exchange *x, struct others *others)
{
	(void)run_pg(x,
	    arena_printf(x->c->arena, "LOCK TABLE %s.store IN ACCESS EXCLUSIVE MODE", x->schema));
	find_others(x, others);
	for (int i = 0; x->wrong == NULL && i < others->count; i++)
		(void)run_pg(x, arena_printf(x->c->arena, "ALTER TABLE %s DROP CONSTRAINT %s",
				    others->table[i], others->name[i]));
	(void)run_pg(x, arena_printf(x->c->arena,
			    "CREATE TEMP TABLE store_kept ON COMMIT"
			    " DROP AS SELECT * FROM %s.store; TRUNCATE %s.store, %s;"
			    " INSERT INTO %s.store SELECT * FROM store_kept; DROP TABLE store_kept",
			    x->schema, x->schema, list_of_tables(x), x->schema));
}

/* Puts back how other tables refer to the new rows. Bytes of a picture go with its row. */
static void
refer_again(struct exchange *x, const struct others *others)
{
	for (int i = 0; x->wrong == NULL && i < others->count; i++) {
		if (strstr(others->table[i], "media_bytes") != NULL)
			(void)run_pg(x,
			    "DELETE FROM content.media_bytes b WHERE NOT EXISTS"
			    " (SELECT 1 FROM content.media m WHERE m.digest = b.digest)");
		(void)run_pg(x, arena_printf(x->c->arena, "ALTER TABLE %s ADD CONSTRAINT %s %s",
				    others->table[i], others->name[i], others->text[i]));
	}
}

/* Sets the triggers of jobs and credits aside: the rows are what they made. */
static void
set_guards(struct exchange *x, const char *verb)
{
	PGresult *result;

	if (x->wrong != NULL)
		return;
	result =
	    PQexec(x->pg, arena_printf(x->c->arena,
			      "SELECT DISTINCT tgrelid::regclass"
			      " FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid"
			      " WHERE NOT tgisinternal AND t.relnamespace = '%s'::regnamespace",
			      x->schema));
	if (PQresultStatus(result) != PGRES_TUPLES_OK)
		note_wrong(x, "PostgreSQL: %s", PQerrorMessage(x->pg));
	for (int i = 0; x->wrong == NULL && i < PQntuples(result); i++)
		(void)run_pg(x, arena_printf(x->c->arena, "ALTER TABLE %s %s TRIGGER USER",
				    PQgetvalue(result, i, 0), verb));
	PQclear(result);
}

/* The next row gets a number after all that there are. A sequence never goes back: this is not
 * undone if the transaction is. */
static void
go_on_counting(struct exchange *x, const struct exchange_table *t)
{
	const char *name = arena_printf(x->c->arena, "%s.%s", x->schema, t->name);

	if (strncmp(t->columns, "id, ", strlen("id, ")) != 0)
		return;
	(void)run_pg(x,
	    arena_printf(x->c->arena,
		"SELECT setval(s.oid::regclass, greatest(q.last_value, (SELECT max(id) FROM %s)))"
		" FROM pg_class s JOIN pg_sequences q ON q.schemaname = '%s' AND q.sequencename ="
		" s.relname WHERE s.oid = pg_get_serial_sequence('%s', 'id')::regclass"
		" AND EXISTS (SELECT 1 FROM %s)",
		name, x->schema, name, name));
}

const char *
exchange_in(struct ctx *c, PGconn *pg, enum db_store store, const char *path, const char *pictures,
    enum exchange_part part)
{
	struct exchange x = begin(c, pg, store);
	struct others others = { .count = 0 };

	open_file(&x, path, SQLITE_OPEN_READONLY, "BEGIN");
	look_at(&x);
	if (x.wrong == NULL)
		set_guards(&x, "DISABLE");
	if (x.wrong == NULL)
		empty(&x, &others);
	for (size_t i = 0; x.wrong == NULL && i < x.count; i++) {
		struct exchange_table *t = &x.tables[i];

		t->where = rows_of(store, part, t->name);
		if (t->where == NULL)
			continue;
		fill_pg(&x, t);
		if (x.wrong == NULL) {
			t->where = "";
			compare(&x, t, read_pg);
		}
		if (x.wrong == NULL)
			go_on_counting(&x, t);
		(void)FAULT("exchange-table");
	}
	refer_again(&x, &others);
	if (x.wrong == NULL && store == DB_CONTENT)
		put_pictures(&x, pictures);
	if (store == DB_CONTENT)
		(void)run_pg(&x, PG_STAMP_ALL);
	set_guards(&x, "ENABLE");
	return end(&x, NULL);
}
