#ifndef STORE_DB_SCHEMA_H
#define STORE_DB_SCHEMA_H
/*
 * How much of the schema a connection knows. Private to this floor.
 *
 * SQLite parses the text of every table, index and trigger when a connection first
 * asks for one. For a process that answers one read this was two thirds of its work
 * (docs/speed.md §2), so such a process parses only the tables that it reads
 * (db_reads()). A process that makes one order parses only what orders touch
 * (db_touches()).
 */
#include <stdbool.h>

#include <sqlite3.h>

/*
 * Returns the named tables as bits; spaces separate the names. Returns 0 if one of them is
 * none that is asked for alone. "article-" is the table without its indexes, but for those that
 * its own text makes (UNIQUE): "article- article_listed" has one of them. Who writes a table
 * gets all of them in any case.
 */
unsigned db_schema_tables(const char *names);

/*
 * Parses these tables, their indexes and triggers. The connection must know no table yet
 * and be in a transaction, whose snapshot is parsed. Returns false if not everything was
 * found, because of a fault or in another schema: the connection then still knows
 * nothing, and parses the whole schema when it needs it.
 *
 * `to_write`: the connection will write these tables. An index that it does not know would
 * no longer fit its table, so the schema is then read to its end, and false is returned
 * if an object more belongs to these tables than this release knows. For reads the
 * reading ends at the last object that is needed.
 */
bool db_schema_narrow(sqlite3 *handle, unsigned tables, bool to_write);

/* Returns whether db_schema_narrow() was tested with this version of SQLite
 * (sqlite3_libversion_number()). It relies on behaviour that SQLite does not promise: with
 * another version a connection parses the whole schema. */
bool db_schema_is_tested(int version);

/* Makes the connection forget what it knows: the next statement that is prepared parses
 * the whole schema. Statements that are prepared already stay. */
void db_schema_widen(sqlite3 *handle);

#endif
