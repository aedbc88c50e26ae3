#ifndef STORE_DB_SCHEMA_H
#define STORE_DB_SCHEMA_H
/*
 * How much of the schema a connection knows: for the files of this floor, and for the
 * trainer of SQLite's profile (musl/train.c), which has it do the same.
 *
 * SQLite parses the text of every table, index and trigger when a connection first
 * asks for one. For a process that answers one read this was two thirds of what it
 * did (docs/speed.md §2), so such a process knows only what it reads (db_reads()).
 */
#include <stdbool.h>

#include <sqlite3.h>

/* The tables that are named, separated by blanks, as bits; 0 when one of them is none
 * that requests read. */
unsigned db_schema_tables(const char *names);

/*
 * Parses what belongs to these tables: themselves, their indexes and triggers. For a
 * connection that knows no table yet, in a transaction, whose snapshot it is of.
 * False when not all was found, because of a fault or in another schema: then nothing
 * is known still, and will be asked for as if this had not been called.
 */
bool db_schema_narrow(sqlite3 *handle, unsigned tables);

/* Forgets what is known, so that all is parsed when next a statement is prepared.
 * Those that are prepared already stay. */
void db_schema_widen(sqlite3 *handle);

#endif
