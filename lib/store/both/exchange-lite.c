/* Rows of a file of SQLite (exchange.h). */
#include <endian.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "store/both/exchange.h"

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
	exchange_fail(x, "the table %s of the file: %s", t->name, sqlite3_errmsg(x->lite));
}

void
exchange_read_lite(struct exchange *x, struct exchange_table *t, exchange_row *each, void *arg)
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
			exchange_fail(x, "a row of %s is too large", t->name);
		if (x->wrong != NULL || (each != NULL && !each(x, t, row.data, row.len, arg)))
			break;
	}
	if (result != SQLITE_DONE && x->wrong == NULL)
		fail(x, t);
	digest_end(&digest, t->digest);
	sqlite3_finalize(q);
	arena_release(&room);
}

/* ---- writing */

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
			exchange_fail(x, "a row of %s is of another form", t->name);
			return false;
		}
	}
	if (sqlite3_step(q) != SQLITE_DONE)
		fail(x, t);
	sqlite3_reset(q);
	return x->wrong == NULL;
}

void
exchange_fill_lite(struct exchange *x, struct exchange_table *t)
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
	exchange_read_pg(x, t, insert, q);
	sqlite3_finalize(q);
}
