#ifndef STORE_DB_STATS_H
#define STORE_DB_STATS_H
/* The query planner's counters, in test builds only. Private to this floor. */
#include <sqlite3.h>

#ifdef GALLEY_TEST
/*
 * Call it when a statement's rows end. With GALLEY_STATS=FILE in the environment it
 * appends a line: full-scan steps, sorts, virtual machine steps, SQL. A statement that
 * scanned a table or sorted is a BUG unless its text says scan or sort in a comment
 * (HACKING.md).
 */
void db_stats(sqlite3_stmt *q);
#else
#define db_stats(q) ((void)0)
#endif

#endif
