/* Statements where both stores are known. One of SQLite's has an odd address outside of this
 * file. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/ahead.h"
#include "store/both/both.h"

static struct stmt *
marked(struct stmt *q)
{
	return (struct stmt *)((uintptr_t)q | 1);
}

static bool
is_marked(const struct stmt *q)
{
	return ((uintptr_t)q & 1) != 0;
}

static struct stmt *
plain(struct stmt *q)
{
	return (struct stmt *)((uintptr_t)q & ~(uintptr_t)1);
}

struct stmt *
db_prepare(struct ctx *c, const char *sql)
{
	return both_db_is_lite(c) ? marked(sqlite_db_prepare(c, sql)) : pg_db_prepare(c, sql);
}

struct stmt *
db_prepare_dangling(struct ctx *c)
{
	return both_db_is_lite(c) ? marked(sqlite_db_prepare_dangling(c))
				  : pg_db_prepare_dangling(c);
}

void
db_bind_text(struct stmt *q, const char *name, const char *text)
{
	if (is_marked(q))
		sqlite_db_bind_text(plain(q), name, text);
	else
		pg_db_bind_text(q, name, text);
}

void
db_bind_text_n(struct stmt *q, const char *name, const char *text, size_t len)
{
	if (is_marked(q))
		sqlite_db_bind_text_n(plain(q), name, text, len);
	else
		pg_db_bind_text_n(q, name, text, len);
}

void
db_bind_int(struct stmt *q, const char *name, int64_t value)
{
	if (is_marked(q))
		sqlite_db_bind_int(plain(q), name, value);
	else
		pg_db_bind_int(q, name, value);
}

void
db_bind_blob(struct stmt *q, const char *name, const void *bytes, size_t len)
{
	if (is_marked(q))
		sqlite_db_bind_blob(plain(q), name, bytes, len);
	else
		pg_db_bind_blob(q, name, bytes, len);
}

void
db_bind_null(struct stmt *q, const char *name)
{
	if (is_marked(q))
		sqlite_db_bind_null(plain(q), name);
	else
		pg_db_bind_null(q, name);
}

void
db_reset(struct stmt *q)
{
	if (is_marked(q))
		sqlite_db_reset(plain(q));
	else
		pg_db_reset(q);
}

bool
db_row(struct stmt *q)
{
	return is_marked(q) ? sqlite_db_row(plain(q)) : pg_db_row(q);
}

void
db_run(struct stmt *q)
{
	if (is_marked(q))
		sqlite_db_run(plain(q));
	else
		pg_db_run(q);
}

int64_t
db_run_counted(struct stmt *q)
{
	return is_marked(q) ? sqlite_db_run_counted(plain(q)) : pg_db_run_counted(q);
}

void
ahead_ask(struct stmt *q)
{
	if (is_marked(q))
		sqlite_db_reset(plain(q));
	else
		pg_ahead_ask(q);
}

int64_t
db_insert(struct stmt *q)
{
	return is_marked(q) ? sqlite_db_insert(plain(q)) : pg_db_insert(q);
}

const char *
db_text(struct stmt *q, int column)
{
	return is_marked(q) ? sqlite_db_text(plain(q), column) : pg_db_text(q, column);
}

int64_t
db_int(struct stmt *q, int column)
{
	return is_marked(q) ? sqlite_db_int(plain(q), column) : pg_db_int(q, column);
}

bool
db_is_null(struct stmt *q, int column)
{
	return is_marked(q) ? sqlite_db_is_null(plain(q), column) : pg_db_is_null(q, column);
}

const void *
db_bytes(struct stmt *q, int column, size_t *len)
{
	return is_marked(q) ? sqlite_db_bytes(plain(q), column, len) : pg_db_bytes(q, column, len);
}

void
db_blob(struct stmt *q, int column, void *out, size_t len)
{
	if (is_marked(q))
		sqlite_db_blob(plain(q), column, out, len);
	else
		pg_db_blob(q, column, out, len);
}
