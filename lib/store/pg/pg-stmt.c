/* Statements: prepared once for each connection, bound by name, read by column. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/log.h"
#include "base/utf8.h"
#include "store/db-change.h"
#include "store/pg/pg-connection.h"

#define SQL_MAX ((size_t)64 * 1024)

static bool
is_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Returns the number of a name, from 1. A name that is met again has the number it had. */
static int
number_of(struct stmt *q, const char *name, size_t len)
{
	for (int i = 0; i < q->count; i++) {
		if (q->values[i].name_len == len && memcmp(q->values[i].name, name, len) == 0)
			return i + 1;
	}
	if (q->count == PG_PARAMETERS_MAX)
		BUG("more than %d names in %s", PG_PARAMETERS_MAX, q->sql);
	q->values[q->count] = (struct pg_value) { .name = name, .name_len = len };
	return ++q->count;
}

/* Returns the end of a text in quotes, of a comment or of a :: that begins here; else NULL. */
static const char *
end_of_other(const char *at)
{
	const char *end = NULL;

	if (at[0] == ':' && at[1] == ':')
		return at + 2;
	if (*at == '\'')
		end = strchr(at + 1, '\'');
	else if (at[0] == '/' && at[1] == '*')
		end = strstr(at + 2, "*/");
	return end == NULL ? NULL : end + (*at == '\'' ? 1 : 2);
}

const char *
pg_text_of(struct ctx *c, struct stmt *q)
{
	struct buf out;
	const char *end;

	buf_init(&out, c->arena, SQL_MAX);
	q->count = 0;
	for (const char *at = q->sql; *at != '\0'; at = end) {
		end = end_of_other(at);
		if (end == NULL && *at == ':' && is_of_name(at[1])) {
			for (end = at + 1; is_of_name(*end); end++)
				;
			buf_printf(&out, "$%d", number_of(q, at, (size_t)(end - at)));
			continue;
		}
		if (end == NULL)
			end = at + 1;
		buf_add(&out, at, (size_t)(end - at));
	}
	return buf_done(&out);
}

/* Returns what the statement writes, as bits of enum db_change: the table after the verb. */
static unsigned
writes_of(const char *sql)
{
	static const char *const verbs[] = { "INSERT INTO ", "UPDATE ", "DELETE FROM " };
	char table[32];

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		const char *name = sql + strlen(verbs[i]);
		size_t len = 0;

		if (strncmp(sql, verbs[i], strlen(verbs[i])) != 0)
			continue;
		while (len < sizeof(table) - 1 && is_of_name(name[len]))
			len++;
		memcpy(table, name, len);
		table[len] = '\0';
		return db_change_of(table);
	}
	return 0;
}

static struct stmt *
prepare(struct ctx *c, const char *sql)
{
	struct db *db = c->db;
	struct stmt *q;

	for (size_t i = 0; i < db->count; i++) {
		q = &db->statements[i];
		if (q->sql == sql) {
			db_reset(q);
			return q;
		}
	}
	if (db->count == PG_STATEMENTS_MAX)
		BUG("more than %d statements in one process", PG_STATEMENTS_MAX);
	q = &db->statements[db->count];
	q->db = db;
	q->sql = sql;
	q->result = NULL;
	q->prepared = false;
	(void)snprintf(q->name, sizeof(q->name), "s%zu", db->count);
	(void)pg_text_of(c, q);
	q->reads = strncmp(sql, "SELECT ", 7) == 0;
	q->many = strstr(sql, "/*many*/") != NULL;
	q->bytes = strstr(sql, "/*bytes*/") != NULL;
	q->writes = writes_of(sql);
	db->count++;
	return q;
}

/* Checks that a write is in a transaction that declared this change. */
static void
check_declared(const struct stmt *q)
{
	struct db *db = q->db;
	unsigned declared = 1U << db->change;

	if (!db->writing)
		BUG("a write outside a writing transaction: %s", q->sql);
	if (db->change != DB_CHANGES_ALL && (q->writes & ~declared) != 0)
		BUG("the transaction did not declare what this changes: %s", q->sql);
}

static struct pg_value *
parameter(struct stmt *q, const char *name)
{
	size_t len = strlen(name);

	for (int i = 0; i < q->count; i++) {
		if (q->values[i].name_len == len && memcmp(q->values[i].name, name, len) == 0)
			return &q->values[i];
	}
	BUG("%s is not a parameter of %s", name, q->sql);
}

static void
bind(struct stmt *q, const struct db_value *value)
{
	struct pg_value *v = parameter(q, value->name);

	if (value->type == DB_INTEGER) {
		v->len = snprintf(v->digits, sizeof(v->digits), "%" PRId64, value->number);
		v->text = v->digits;
		v->binary = false;
		return;
	}
	/* As with SQLite: no bytes at no address are NULL. */
	v->text = value->bytes;
	if (v->text == NULL)
		return;
	v->len = value->number < 0 ? (int)strlen(v->text) : (int)value->number;
	v->binary = true;
	/* No row holds what is no UTF-8, and the server would end the transaction: a question for
	 * it finds nothing, as with SQLite. */
	if (value->type == DB_TEXT && q->reads && !utf8_valid(v->text, (size_t)v->len))
		v->text = NULL;
}

struct stmt *
db_prepare_with(struct ctx *c, const char *sql, const struct db_value *values)
{
	struct stmt *q = prepare(c, sql);

	for (; values->name != NULL; values++)
		bind(q, values);
	return q;
}

/*
 * ---- answers of many rows
 *
 * A statement whose text says many is read by a cursor, piece by piece, so
 * that no answer is in memory as a whole; between two rows the caller may ask other things.
 */

/* Rows of a piece, and the memory that it should take. The rows of the next piece may be longer
 * than those that were seen: their number is bounded, too. */
enum { PIECE_FIRST = 32, PIECE_MIN = 4, PIECE_MAX = 512 };
#define PIECE_BYTES ((size_t)1024 * 1024)

/* Returns whether the rows are read piece by piece. */
static bool
is_scan(const struct stmt *q)
{
	return q->many && q->db->open;
}

static bool
queue_piece(struct stmt *q)
{
	char text[64];

	(void)snprintf(
	    text, sizeof(text), "FETCH FORWARD %d FROM rows_%" PRIu64, q->piece, q->cursor);
	return pg_queue_plain(q, text, 0, &q->result);
}

/* A name is never used again: neither a savepoint nor a reset need to know which cursors there
 * are. */
/* Queues the first piece. */
static bool
queue_scan(struct stmt *q)
{
	struct ctx *c = q->db->c;
	struct stmt named = *q;

	q->cursor = ++q->db->cursors;
	q->piece = PIECE_FIRST;
	return pg_queue_plain(q,
		   arena_printf(c->arena, "DECLARE rows_%" PRIu64 " NO SCROLL CURSOR FOR %s",
		       q->cursor, pg_text_of(c, &named)),
		   q->count, NULL) &&
	       queue_piece(q);
}

/* Returns how many rows to ask for after this piece. */
static int
next_piece(const struct stmt *q)
{
	size_t bytes = PQresultMemorySize(q->result), rows = (size_t)q->rows;
	size_t fit = rows * PIECE_BYTES / (bytes + 1);

	if (fit > 4 * rows)
		fit = 4 * rows;
	if (fit > PIECE_MAX)
		return PIECE_MAX;
	return fit < PIECE_MIN ? PIECE_MIN : (int)fit;
}

/* Reads the next piece when all rows of one were read; false if there is none. */
static bool
more_of_scan(struct stmt *q)
{
	if (q->cursor == 0 || q->rows < q->piece)
		return false;
	q->piece = next_piece(q);
	PQclear(q->result);
	q->result = NULL;
	if (!queue_piece(q) || !pg_settle(q->db))
		pg_fault(q->db, NULL, q->sql);
	q->row = 0;
	q->rows = PQntuples(q->result);
	return q->rows > 0;
}

/* Nobody waits for the answer. In a transaction that failed the server would refuse it; its end
 * closes the cursor. */
static void
end_scan(struct stmt *q)
{
	struct db *db = q->db;
	char text[64];

	(void)snprintf(text, sizeof(text), "CLOSE rows_%" PRIu64, q->cursor);
	q->cursor = 0;
	if (db->handle != NULL && db->open && PQtransactionStatus(db->handle) != PQTRANS_INERROR)
		(void)pg_queue_plain(q, text, 0, NULL);
}

/* ---- running */

void
db_reset(struct stmt *q)
{
	if (q->cursor != 0)
		end_scan(q);
	if (!q->borrowed)
		PQclear(q->result);
	q->result = NULL;
	q->borrowed = false;
	for (int i = 0; i < q->count; i++)
		q->values[i].text = NULL;
}

static bool
queue(struct stmt *q)
{
	return is_scan(q) ? queue_scan(q) : pg_queue(q, &q->result);
}

/* Sends the values, and keeps the rows: all of them, or the first piece. */
static void
run(struct stmt *q)
{
	struct db *db = q->db;

	if (!q->reads)
		pg_forget_prefetches(db);
	if (!pg_take_prefetch(q) && (!queue(q) || !pg_settle(db)))
		pg_fault(db, NULL, q->sql);
	if (db->key.unseen)
		pg_see_beginning(db->c, db);
	q->row = -1;
	q->rows = PQntuples(q->result);
}

bool
db_row(struct stmt *q)
{
	if (q->result == NULL)
		run(q);
	if (++q->row < q->rows || more_of_scan(q))
		return true;
	db_reset(q);
	return false;
}

/* The next pg_settle() meets its failure: at the latest that of the COMMIT, which is then not
 * run. */
void
db_run_stmt(struct stmt *q)
{
	check_declared(q);
	pg_forget_prefetches(q->db);
	if (!pg_queue(q, NULL))
		pg_fault(q->db, NULL, q->sql);
	db_reset(q);
}

int64_t
db_run_counted_stmt(struct stmt *q)
{
	int64_t changed;

	check_declared(q);
	run(q);
	changed = strtoll(PQcmdTuples(q->result), NULL, 10);
	db_reset(q);
	return changed;
}

int64_t
db_insert_stmt(struct stmt *q)
{
	int64_t id = 0;

	check_declared(q);
	while (db_row(q))
		id = db_int(q, 0);
	if (id == 0)
		BUG("no RETURNING id in %s", q->sql);
	return id;
}

bool
db_is_null(struct stmt *q, int column)
{
	return PQgetisnull(q->result, q->row, column);
}

const char *
db_text(struct stmt *q, int column)
{
	if (db_is_null(q, column))
		return NULL;
	return arena_text_n(q->db->c->arena, PQgetvalue(q->result, q->row, column),
	    (size_t)PQgetlength(q->result, q->row, column));
}

/* Returns a number that the server sent as it is: of one, two, four or eight bytes. */
static int64_t
number_of_bytes(const char *bytes, int len)
{
	int64_t number = len > 0 ? (signed char)bytes[0] : 0;

	for (int i = 1; i < len; i++)
		number = (int64_t)((uint64_t)number << 8 | (unsigned char)bytes[i]);
	return number;
}

/* A truth is 't' or 'f'. */
int64_t
db_int(struct stmt *q, int column)
{
	const char *text = PQgetvalue(q->result, q->row, column);

	if (q->bytes)
		return number_of_bytes(text, PQgetlength(q->result, q->row, column));
	return *text == 't' ? 1 : strtoll(text, NULL, 10);
}

static unsigned char
nibble(char c)
{
	return (unsigned char)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* Bytes come as "\x" and hex digits, where they do not come as they are. */
const void *
db_bytes(struct stmt *q, int column, size_t *len)
{
	const char *text = PQgetvalue(q->result, q->row, column);
	size_t n = (size_t)PQgetlength(q->result, q->row, column);
	unsigned char *bytes;

	*len = 0;
	if (db_is_null(q, column))
		return NULL;
	if (q->bytes || PQftype(q->result, column) != PG_BYTEA) {
		*len = n;
		return text;
	}
	if (n < 2 || n % 2 != 0)
		die("the server sends bytes in another form: %s", q->sql);
	*len = (n - 2) / 2;
	bytes = arena_alloc(q->db->c->arena, *len + 1);
	for (size_t i = 0; i < *len; i++)
		bytes[i] = (unsigned char)(nibble(text[2 + 2 * i]) << 4 | nibble(text[3 + 2 * i]));
	return bytes;
}

void
db_blob(struct stmt *q, int column, void *out, size_t len)
{
	size_t have;
	const void *bytes = db_bytes(q, column, &have);

	memset(out, 0, len);
	if (bytes == NULL)
		return;
	if (have != len)
		die("a stored digest has %zu bytes instead of %zu: %s", have, len, q->sql);
	memcpy(out, bytes, len);
}
