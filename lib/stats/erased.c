#include "stats/erased.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "stats/views.h"
#include "store/db.h"
#include "system/fault.h"

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

void
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
