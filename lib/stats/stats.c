#include "stats/stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "stats/views.h"
#include "store/db.h"
#include "store/migrate.h"
#include "store/schemas.h"
#include "system/console-conf.h"
#include "system/fault.h"
#include "system/instance.h"

/* ---- what people erased */

const struct erased *
erased_list(struct ctx *c, size_t *count)
{
	struct stmt *q = db_prepare(c, "SELECT count(*) FROM erased /*scan*/");
	struct erased *list;
	size_t max;

	max = db_row(q) ? (size_t)db_int(q, 0) : 0;
	db_reset(q);
	list = arena_array(c->arena, max + 1, sizeof(*list));
	q = db_prepare(c, "SELECT workspace, from_day, to_day, erased_at FROM erased /*scan*/");
	for (*count = 0; *count < max && db_row(q); (*count)++) {
		list[*count] = (struct erased) { .workspace = db_text(q, 0),
			.from_day = db_int(q, 1),
			.to_day = db_int(q, 2),
			.erased_at = db_int(q, 3) };
	}
	db_reset(q);
	return list;
}

/* Removes marks from before this time: nothing older than them is counted any more. */
static void
erased_clean(struct ctx *c, int64_t before)
{
	struct stmt *q = db_prepare(c, "DELETE FROM erased WHERE erased_at < :before /*scan*/");

	db_bind_int(q, ":before", before);
	db_run(q);
}

/* A mark that takes in earlier ones replaces them. */
static void
mark(struct ctx *c, const char *workspace, int64_t from_day, int64_t to_day)
{
	struct stmt *q =
	    db_prepare(c, "DELETE FROM erased WHERE workspace = :workspace"
			  " AND from_day >= :from AND to_day <= :to AND erased_at <= :now");

	db_bind_text(q, ":workspace", workspace);
	db_bind_int(q, ":from", from_day);
	db_bind_int(q, ":to", to_day);
	db_bind_int(q, ":now", c->now);
	db_run(q);
	q = db_prepare(c, "INSERT INTO erased (workspace, from_day, to_day, erased_at)"
			  " VALUES (:workspace, :from, :to, :now)");
	db_bind_text(q, ":workspace", workspace);
	db_bind_int(q, ":from", from_day);
	db_bind_int(q, ":to", to_day);
	db_bind_int(q, ":now", c->now);
	db_run(q);
}

int64_t
erased_run(struct ctx *c, const char *workspace, int64_t from_day, int64_t to_day)
{
	int64_t views;

	db_begin_write(c, DB_STATS, DB_CHANGES_NOTHING, 0, 0);
	views = view_erase(c, workspace, from_day, to_day);
	mark(c, workspace, from_day, to_day);
	(void)FAULT("stats-erased");
	db_commit(c);
	/* What was deleted still is in the log beside the file. */
	if (!db_empty_log(c))
		log_line(
		    "stats.db: others read it: the log beside it keeps what was erased until they have ended");
	return views;
}

/* ---- what is too old */

int64_t
aged_first_day(int64_t now, int64_t months)
{
	char text[CLOCK_TEXT];
	int64_t count, at = 0;
	int day;

	clock_format_date(text, now);
	count = strtol(text, NULL, 10) * 12 + strtol(text + 5, NULL, 10) - 1 - months;
	/* Each month has a 28th. */
	day = (int)strtol(text + 8, NULL, 10);
	(void)snprintf(text, sizeof(text), "%04d-%02d-%02d", (int)(count / 12),
	    (int)(count % 12) + 1, day > 28 ? 28 : day);
	return clock_parse_date(text, &at) ? at / CLOCK_DAY : 0;
}

void
aged_run(struct ctx *c)
{
	struct console_conf conf;
	int64_t first;
	bool old;

	db_begin_read(c, DB_STATS);
	old = view_is_old(c);
	db_rollback(c);
	if (!old)
		return;
	console_conf_read(c, &conf);
	db_begin_write(c, DB_STATS, DB_CHANGES_NOTHING, 0, 0);
	first = aged_first_day(c->now, conf.stats_months);
	view_clean(c, first);
	erased_clean(c, first * CLOCK_DAY);
	(void)FAULT("stats-purged");
	db_commit(c);
}

/* ---- the file */

static bool
exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

const char *
stats_folder(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->home, "stats");
}

bool
stats_create(struct ctx *c)
{
	const char *folder = stats_folder(c);
	struct err *err;
	int64_t from;

	if (!exists(folder) && access(c->instance->home, W_OK) != 0)
		return false;
	if (!fileio_make_folder(folder, 0700))
		return false;
	db_create_beside(c, DB_STATS, db_is_write_ahead(c));
	if (migrate_number(c, DB_STATS) == schemas_number(DB_STATS))
		return true;
	err = migrate_run(c, DB_STATS, &from);
	if (err != NULL)
		log_line("%s", err->message);
	return err == NULL;
}

bool
stats_is_ready(struct ctx *c)
{
	return exists(db_file_of(c, DB_STATS)) &&
	       migrate_number(c, DB_STATS) == schemas_number(DB_STATS);
}
