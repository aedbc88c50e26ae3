/*
 * SQLite reads the rows of the schema in their order and parses the text of each. Before
 * it parses one, it calls look() (SQLITE_TRACE_ROW). If the text is not wanted, look()
 * sets SQLite's limit so low that the parser stops at its first word; after the last
 * wanted text it interrupts the reading, unless the connection is to write. SQLite then goes on with what it has, as it does
 * for schemas that somebody wants to repair (SQLITE_DBCONFIG_WRITABLE_SCHEMA, which is on
 * only during this).
 */
#include "store/db-schema.h"

#include <stddef.h>
#include <string.h>

/* The tables that requests of the API ask for, and then those of the console's lists, of both
 * stores; and how many objects belong to each: the table, its indexes, its triggers. A unit
 * test counts them. */
static const struct {
	char name[12];
	int objects;
} tables[] = {
	{ "api_key", 3 },
	{ "article", 4 },
	{ "edition", 2 },
	{ "export", 1 },
	{ "job", 6 },
	{ "account", 2 },
	{ "ledger", 5 },
	{ "workspace", 2 },
	{ "desk", 5 },
	{ "person", 4 },
	{ "membership", 5 },
	{ "session", 4 },
};

#define TABLES (sizeof(tables) / sizeof(tables[0]))

/* The versions of SQLite with which this was tested, as sqlite3_libversion_number() gives
 * them. A new one is added after tests/unit/store/db-schema.c passed with it. */
static const int tested[] = { 3040001 };

struct reading {
	sqlite3 *handle;
	unsigned wanted; /* tables, as bits */
	bool to_write;   /* the reading goes to the end of the schema */
	int left;        /* objects of theirs that are not read yet */
	int longest;     /* bytes of a text, as the connection had it set */
};

/* Returns the bit of a table; 0 for others. */
static unsigned
bit(const char *name, size_t len)
{
	for (size_t i = 0; i < TABLES; i++) {
		if (strncmp(tables[i].name, name, len) == 0 &&
		    tables[i].name[len] == '\0')
			return 1U << i;
	}
	return 0;
}

unsigned
db_schema_tables(const char *names)
{
	unsigned all = 0;

	while (*names != '\0') {
		size_t len = strcspn(names, " ");
		unsigned one = bit(names, len);
		if (one == 0)
			return 0;
		all |= one;
		names += len + (names[len] == ' ');
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

/* SQLite calls this when it has read a row of the schema and parses it next. */
static int
look(unsigned event, void *arg, void *row, void *unused)
{
	struct reading *r = arg;
	const char *table = (const char *)sqlite3_column_text(row, 2);
	bool wanted = table != NULL && (bit(table, strlen(table)) & r->wanted) != 0;

	(void)event;
	(void)unused;
	if (r->left == 0 && !r->to_write) {
		sqlite3_interrupt(r->handle);
		return 0;
	}
	r->left -= wanted;
	sqlite3_limit(r->handle, SQLITE_LIMIT_SQL_LENGTH, wanted ? r->longest : 0);
	return 0;
}

static int
objects(unsigned wanted)
{
	int all = 0;

	for (size_t i = 0; i < TABLES; i++)
		all += (wanted >> i & 1) != 0 ? tables[i].objects : 0;
	return all;
}

bool
db_schema_narrow(sqlite3 *handle, unsigned wanted, bool to_write)
{
	struct reading r = { handle, wanted, to_write, objects(wanted),
		sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, -1) };

	sqlite3_db_config(handle, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
	sqlite3_trace_v2(handle, SQLITE_TRACE_ROW, look, &r);
	/* This is the only call that makes SQLite read the schema and does nothing else. */
	(void)sqlite3_table_column_metadata(handle, "main", "sqlite_master", NULL,
	    NULL, NULL, NULL, NULL, NULL);
	sqlite3_trace_v2(handle, 0, NULL, NULL);
	sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, r.longest);
	sqlite3_db_config(handle, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0, NULL);
	if (r.left != 0)
		db_schema_widen(handle);
	return r.left == 0;
}

void
db_schema_widen(sqlite3 *handle)
{
	(void)sqlite3_exec(handle, "PRAGMA writable_schema = RESET", NULL, NULL,
	    NULL);
}
