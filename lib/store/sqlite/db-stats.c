#include "store/sqlite/db-stats.h"

#ifdef GALLEY_TEST

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"

static void
note(const char *path, int scans, int sorts, int steps, const char *sql)
{
	char line[4096];
	int len = snprintf(line, sizeof(line), "%d %d %d %s\n", scans, sorts, steps, sql);
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0)
		return;
	if (len >= (int)sizeof(line))
		len = (int)sizeof(line) - 1;
	(void)!write(fd, line, (size_t)len);
	close(fd);
}

void
db_stats(sqlite3_stmt *q)
{
	int scans = sqlite3_stmt_status(q, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1);
	int sorts = sqlite3_stmt_status(q, SQLITE_STMTSTATUS_SORT, 1);
	int steps = sqlite3_stmt_status(q, SQLITE_STMTSTATUS_VM_STEP, 1);
	const char *path = getenv("GALLEY_STATS");
	const char *sql = sqlite3_sql(q);

	if (path != NULL && steps > 0)
		note(path, scans, sorts, steps, sql);
	if (scans > 0 && strstr(sql, "/*scan*/") == NULL)
		BUG("scans a table: %s", sql);
	if (sorts > 0 && strstr(sql, "/*sort*/") == NULL)
		BUG("sorts without an index: %s", sql);
}

#else

/* Only test builds have this: see db-stats.h. */
typedef int db_stats_is_empty;

#endif
