/*
 * SQLite reads the rows of the schema in their order and parses the text of each. Before
 * it parses one, it calls look() (SQLITE_TRACE_ROW). If the text is not wanted, look() changes
 * its first letter in the row's own copy, so that SQLite passes over the row. If it is a table
 * that the connection only reads, a shorter text takes its place. After the last wanted text
 * look() interrupts the reading, unless the connection is to write. SQLite then goes on with
 * what it has, as it does for schemas that somebody wants to repair
 * (SQLITE_DBCONFIG_WRITABLE_SCHEMA, which is on only during this).
 */
#include "store/sqlite/db-schema.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "brief.h"

/* The tables that requests of the API ask for, each with its objects (the table, its indexes, its
 * triggers; a unit test counts them) and, of these, the table and what its text makes. */
#define BRIEF_TABLES(TABLE)                                                                        \
	TABLE(article, 4, 2)                                                                       \
	TABLE(edition, 2, 2)                                                                       \
	TABLE(export, 1, 1)                                                                        \
	TABLE(account, 2, 2)                                                                       \
	TABLE(workspace, 2, 2)

/* As the store keeps them, and as a reader needs them (db/brief.sh). They are apart from what
 * every request reads, and have no addresses, which the start would have to write. */
#define TEXTS(name, objects, own)                                                                  \
	char whole_##name[sizeof(WHOLE_##name)], brief_##name[sizeof(BRIEF_##name)];
#define SAID(name, objects, own) .whole_##name = WHOLE_##name, .brief_##name = BRIEF_##name,
static const struct texts {
	BRIEF_TABLES(TEXTS)
} texts __attribute__((section("schema_texts"))) = { BRIEF_TABLES(SAID) };

static const struct table {
	char name[15];
	uint8_t objects, own;
	uint16_t whole, whole_len, brief, brief_len; /* in texts */
} tables[] = {
#define ROW(name, objects, own)                                                                    \
	{ #name, objects, own, offsetof(struct texts, whole_##name), sizeof(WHOLE_##name) - 1,     \
		offsetof(struct texts, brief_##name), sizeof(BRIEF_##name) - 1 },
	BRIEF_TABLES(ROW)
	/* Parsed whole: who asks for an order would touch more pages, and gain less. */
	{ "api_key", 3, 3, 0, 0, 0, 0 },
	{ "job", 6, 2, 0, 0, 0, 0 },
	{ "ledger", 5, 1, 0, 0, 0, 0 },
};

#define TABLES (sizeof(tables) / sizeof(tables[0]))

/* The indexes that are asked for by name, with a table that comes without its indexes. */
static const char indexes[][18] = { "article_listed", "article_announced" };

#define INDEXES (sizeof(indexes) / sizeof(indexes[0]))

/* A table has two bits: the second says that its indexes are not wanted, but those that have
 * a bit of their own. */
#define WANTED(i) (1U << (i))
#define BARE(i) (1U << (TABLES + (i)))
#define NAMED(i) (1U << (2 * TABLES + (i)))
_Static_assert(2 * TABLES + INDEXES <= 32, "each has a bit");

/* The versions of SQLite with which this was tested, as sqlite3_libversion_number() gives
 * them. A new one is added after tests/unit/store/db-schema.c passed with it. */
static const int tested[] = { 3040001 };

struct reading {
	sqlite3 *handle;
	unsigned wanted; /* tables, as bits */
	bool to_write; /* the reading goes to the end of the schema */
	int left; /* objects of theirs that are not read yet */
};

/* Returns the index of a table; TABLES for others. */
static size_t
index_of(const char *name, size_t len)
{
	size_t i = 0;

	while (i < TABLES &&
	       (tables[i].name[0] != name[0] || strncmp(tables[i].name, name, len) != 0 ||
		   tables[i].name[len] != '\0'))
		i++;
	return i;
}

/* Returns the bit of an index; 0 for others. */
static unsigned
named(const char *name, size_t len)
{
	for (size_t i = 0; i < INDEXES; i++) {
		if (strncmp(indexes[i], name, len) == 0 && indexes[i][len] == '\0')
			return NAMED(i);
	}
	return 0;
}

unsigned
db_schema_tables(const char *names)
{
	unsigned all = 0;

	while (*names != '\0') {
		size_t len = strcspn(names, " -");
		size_t i = index_of(names, len);
		unsigned one = i < TABLES ? WANTED(i) : named(names, len);
		if (one == 0)
			return 0;
		all |= one;
		names += len;
		if (*names == '-') {
			all |= i < TABLES ? BARE(i) : 0;
			names++;
		}
		names += *names == ' ';
	}
	return all;
}

bool
db_schema_is_tested(int version)
{
	for (size_t i = 0; i < sizeof(tested) / sizeof(tested[0]); i++) {
		if (tested[i] == version)
			return true;
	}
	return false;
}

static bool
is_equal(const char *a, const char *b, size_t len)
{
	uint64_t x, y;

	/* Eight bytes at a time: musl compares single ones. */
	for (; len >= sizeof(x); len -= sizeof(x), a += sizeof(x), b += sizeof(y)) {
		memcpy(&x, a, sizeof(x));
		memcpy(&y, b, sizeof(y));
		if (x != y)
			return false;
	}
	return memcmp(a, b, len) == 0;
}

/* Gives SQLite the brief text of a table in the place of the whole one. A table whose text is
 * another one (a migration made it) keeps that. */
static void
be_brief(const struct table *t, char *sql, size_t len)
{
	const char *all = (const char *)&texts;

	if (len == t->whole_len && len >= t->brief_len && is_equal(sql, all + t->whole, len))
		memcpy(sql, all + t->brief, (size_t)t->brief_len + 1);
}

/* Returns whether this row of the schema is wanted. An index that a table's own text makes has
 * no text, and comes with the table. */
static bool
is_wanted(const struct reading *r, size_t table, const char *sql, void *row)
{
	const char *name;

	if (table == TABLES || (r->wanted & WANTED(table)) == 0)
		return false;
	if ((r->wanted & BARE(table)) == 0 || sql == NULL || strncmp(sql, "CREATE TA", 9) == 0)
		return true;
	name = (const char *)sqlite3_column_text(row, 1);
	return name != NULL && (r->wanted & named(name, strlen(name))) != 0;
}

/* SQLite calls this when it has read a row of the schema and parses it next. The text is the
 * row's own copy. */
static int
look(unsigned event, void *arg, void *row, void *unused)
{
	struct reading *r = arg;
	const char *table = (const char *)sqlite3_column_text(row, 2);
	char *sql = (char *)(uintptr_t)sqlite3_column_text(row, 4);
	size_t i = table != NULL ? index_of(table, strlen(table)) : TABLES;
	bool wanted = is_wanted(r, i, sql, row);

	(void)event;
	(void)unused;
	if (r->left == 0 && !r->to_write) {
		sqlite3_interrupt(r->handle);
		return 0;
	}
	r->left -= wanted;
	if (sql == NULL)
		return 0;
	if (!wanted)
		sql[0] = '-';
	else if (!r->to_write)
		be_brief(&tables[i], sql, (size_t)sqlite3_column_bytes(row, 4));
	return 0;
}

static int
objects(unsigned wanted)
{
	int all = 0;

	for (size_t i = 0; i < TABLES; i++)
		all += (wanted & WANTED(i)) == 0 ? 0
		       : (wanted & BARE(i)) != 0 ? tables[i].own
						 : tables[i].objects;
	for (size_t i = 0; i < INDEXES; i++)
		all += (wanted & NAMED(i)) != 0;
	return all;
}

bool
db_schema_narrow(sqlite3 *handle, unsigned wanted, bool to_write)
{
	struct reading r = { .handle = handle, .to_write = to_write };

	/* Who writes a table writes all its indexes. */
	r.wanted = to_write ? wanted & (WANTED(TABLES) - 1) : wanted;
	r.left = objects(r.wanted);

	sqlite3_db_config(handle, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
	sqlite3_trace_v2(handle, SQLITE_TRACE_ROW, look, &r);
	/* This is the only call that makes SQLite read the schema and does nothing else. */
	(void)sqlite3_table_column_metadata(
	    handle, "main", "sqlite_master", NULL, NULL, NULL, NULL, NULL, NULL);
	sqlite3_trace_v2(handle, 0, NULL, NULL);
	sqlite3_db_config(handle, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0, NULL);
	if (r.left != 0)
		db_schema_widen(handle);
	return r.left == 0;
}

void
db_schema_widen(sqlite3 *handle)
{
	(void)sqlite3_exec(handle, "PRAGMA writable_schema = RESET", NULL, NULL, NULL);
}
