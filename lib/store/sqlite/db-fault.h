#ifndef STORE_DB_FAULT_H
#define STORE_DB_FAULT_H
/* What a fault of SQLite means for the process (docs/platform.md §2.5). Private to
 * this floor. */
#include <sqlite3.h>

/* Returns the meaning of a result of SQLite's, as a whole sentence for a person.
 * `system_error` is the errno behind it, or 0. */
const char *db_fault_sentence(int result, int system_error);

/* Logs the connection's last error with `what` (SQL, or a word), undoes the
 * transaction, and ends the process: with 503 if the fault may pass, else with 500. */
_Noreturn void db_fault(sqlite3 *handle, const char *what);

#endif
