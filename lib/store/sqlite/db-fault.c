#include "store/sqlite/db-fault.h"

#include <errno.h>
#include <stddef.h>

#include "base/log.h"

/* Returns the seconds for Retry-After; 0 if the fault does not pass by itself. */
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

/* The meaning of SQLite's codes, and what a person can do. */
static const struct {
	int code;
	const char *sentence;
} sentences[] = {
	{ SQLITE_FULL, "The disk is full: make room on it, and say it again." },
	{ SQLITE_BUSY,
	    "The database is busy: another program has been writing to it for too long. Say it again." },
	{ SQLITE_IOERR,
	    "The disk does not take or give what it should: look at it, and into the system's log." },
	{ SQLITE_READONLY, "The database may not be written: galley doctor says what is wrong." },
	{ SQLITE_CANTOPEN, "The database cannot be opened: galley doctor says what is wrong." },
	{ SQLITE_NOTADB,
	    "The file is no database: put the right one in its place, or restore a backup." },
	{ SQLITE_CORRUPT, "The database is damaged: galley verify says more; restore a backup." },
	{ SQLITE_NOMEM, "There is not enough memory." },
	{ SQLITE_TOOBIG, "The database does not take a text of this size." },
	{ 0, "The database refused what this program asked of it: the log says more." },
};

static int
meaning_of(int code)
{
	switch (code) {
	case SQLITE_LOCKED:
	case SQLITE_PROTOCOL:
		return SQLITE_BUSY;
	case SQLITE_PERM:
		return SQLITE_READONLY;
	default:
		return code;
	}
}

const char *
db_fault_sentence(int result, int system_error)
{
	int code = meaning_of(result & 0xFF);
	size_t i;

	if (code == SQLITE_IOERR && (system_error == ENOSPC || system_error == EDQUOT))
		code = SQLITE_FULL;
	for (i = 0; sentences[i].code != 0 && sentences[i].code != code; i++)
		;
	return sentences[i].sentence;
}

void
db_fault(sqlite3 *handle, const char *what)
{
	int extended = sqlite3_extended_errcode(handle);
	int code = extended & 0xFF;
	const char *text = sqlite3_errmsg(handle);
	const char *sentence = db_fault_sentence(extended, sqlite3_system_errno(handle));
	int wait = passes_in(code);
	char copy[512];

	sqlite3_snprintf((int)sizeof(copy), copy, "%s", text);
	if (!sqlite3_get_autocommit(handle))
		sqlite3_exec(handle, "ROLLBACK", NULL, NULL, NULL);
	log_plainly(sentence);
	if (wait > 0)
		die_passing(wait, "%s database (%d): %s: %s", sentence, extended, copy, what);
	die("%s database (%d): %s: %s", sentence, extended, copy, what);
}
