#include "store/db-fault.h"

#include <stddef.h>

#include "base/log.h"

/* Seconds for Retry-After, 0 for what will not pass by itself. */
static int
passes_in(int code)
{
	switch (code) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
	case SQLITE_PROTOCOL:
	case SQLITE_SCHEMA:
		return 2;
	case SQLITE_FULL:
	case SQLITE_IOERR:
	case SQLITE_READONLY:
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
	case SQLITE_NOMEM:
	case SQLITE_NOTADB:
		return 60;
	default:
		return 0;
	}
}

void
db_fault(sqlite3 *handle, const char *what)
{
	int extended = sqlite3_extended_errcode(handle);
	int code = extended & 0xFF;
	const char *text = sqlite3_errmsg(handle);
	int wait = passes_in(code);
	char copy[512];

	sqlite3_snprintf((int)sizeof(copy), copy, "%s", text);
	if (!sqlite3_get_autocommit(handle))
		sqlite3_exec(handle, "ROLLBACK", NULL, NULL, NULL);
	if (wait > 0)
		die_passing(wait, "database (%d): %s: %s", extended, copy, what);
	die("database (%d): %s: %s", extended, copy, what);
}
