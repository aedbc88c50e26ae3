/* Pages of a workspace's jobs, for people (docs/console.md §4.7). */
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "job/job.h"
#include "store/db.h"

#define WEEK (7 * 86400 * CLOCK_SECOND)
#define LOOKED_AT 10000 /* jobs of the account for one page */

static bool
is_asked(const struct job_browse *b, int64_t workspace_id, const char *kind, const char *status)
{
	bool completed = strcmp(status, job_status_name(JOB_COMPLETED)) == 0;
	bool failed = strcmp(status, job_status_name(JOB_FAILED)) == 0;

	if (workspace_id != b->workspace->id ||
	    (b->briefs && (!completed || strcmp(kind, job_kind_name(JOB_RESEARCH)) != 0)))
		return false;
	switch (b->state) {
	case JOB_BROWSE_OPEN:
		return !completed && !failed;
	case JOB_BROWSE_COMPLETED:
		return completed;
	case JOB_BROWSE_FAILED:
		return failed;
	default:
		return true;
	}
}

static struct stmt *
rows_from(struct ctx *c, const struct job_browse *b)
{
	struct stmt *q =
	    db_prepare(c, "SELECT id, created_at, workspace_id, kind, status FROM job"
			  " WHERE account_id = :account AND (created_at, id) < (:at, :id)"
			  " ORDER BY created_at DESC, id DESC LIMIT :limit");
	bool first = b->before.id == 0;

	db_bind_int(q, ":account", b->workspace->account_id);
	db_bind_int(q, ":at", first ? INT64_MAX : b->before.at);
	db_bind_int(q, ":id", first ? INT64_MAX : b->before.id);
	db_bind_int(q, ":limit", LOOKED_AT + 1);
	return q;
}

void
job_browse(struct ctx *c, struct job_browse *b)
{
	int64_t ids[JOB_BROWSE_MAX];
	struct stmt *q = rows_from(c, b);
	struct job_browse_end last = { .id = 0 };
	size_t looked = 0;

	b->count = 0;
	b->next = last;
	while (db_row(q)) {
		bool asked = is_asked(b, db_int(q, 2), db_text(q, 3), db_text(q, 4));
		if (looked++ == LOOKED_AT || (asked && b->count == b->limit)) {
			b->next = last;
			break;
		}
		/* A page that is full ends with its last job, another one with the last job
		 * that was looked at. */
		if (b->count < b->limit)
			last = (struct job_browse_end) { .at = db_int(q, 1), .id = db_int(q, 0) };
		if (asked)
			ids[b->count++] = db_int(q, 0);
	}
	db_reset(q);
	b->cut = b->next.id != 0 && b->count < b->limit;
	for (size_t i = 0; i < b->count; i++)
		b->found[i] = job_of(c, ids[i]);
}

int64_t
job_count_failed(struct ctx *c, int64_t account_id, int64_t since)
{
	struct stmt *q = db_prepare(c, "SELECT count(*) FROM job"
				       " WHERE account_id = :account AND created_at > :ordered"
				       " AND settled_at > :since AND status = 'failed'");
	int64_t count;

	db_bind_int(q, ":account", account_id);
	db_bind_int(q, ":ordered", since - WEEK);
	db_bind_int(q, ":since", since);
	count = db_row(q) ? db_int(q, 0) : 0;
	db_reset(q);
	return count;
}

void
job_list_costs(struct ctx *c, const struct workspace *w,
    void (*each)(void *arg, const char *article, int64_t credits), void *arg)
{
	struct stmt *q =
	    db_prepare(c, "SELECT workspace_id, status, article_uuid, cost FROM job"
			  " WHERE account_id = :account ORDER BY created_at DESC LIMIT :limit");

	db_bind_int(q, ":account", w->account_id);
	db_bind_int(q, ":limit", LOOKED_AT);
	while (db_row(q)) {
		if (db_int(q, 0) == w->id && !db_is_null(q, 2) &&
		    strcmp(db_text(q, 1), job_status_name(JOB_COMPLETED)) == 0)
			each(arg, db_text(q, 2), db_int(q, 3));
	}
}

const char *
job_topic_line(struct ctx *c, const struct job *job, size_t chars)
{
	size_t len = utf8_prefix(job->topic, chars);
	char *text = arena_printf(
	    c->arena, "%.*s%s", (int)len, job->topic, job->topic[len] != '\0' ? "…" : "");

	for (char *p = text; *p != '\0'; p++) {
		if ((unsigned char)*p < ' ')
			*p = ' ';
	}
	return text;
}
