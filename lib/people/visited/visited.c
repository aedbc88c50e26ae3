#include "people/visited/visited.h"

#include "base/ctx.h"
#include "store/db.h"

void
visited_insert(struct ctx *c, int64_t task_id, const struct visited *v)
{
	struct stmt *q = db_prepare(c, "INSERT INTO visited_page (task_id, number, article)"
				       " VALUES (:task, :number, :article)");

	db_bind_int(q, ":task", task_id);
	db_bind_int(q, ":number", v->number);
	db_bind_text(q, ":article", v->article);
	db_run(q);
}

bool
visited_next(struct ctx *c, int64_t task_id, struct visited *out)
{
	struct stmt *q = db_prepare(c, "SELECT number, article, url, looked_at, findings"
				       " FROM visited_page WHERE task_id = :task AND looked_at = 0"
				       " ORDER BY number LIMIT 1");
	bool found;

	db_bind_int(q, ":task", task_id);
	found = db_row(q);
	if (found)
		*out = (struct visited) { .number = db_int(q, 0),
			.article = db_text(q, 1),
			.url = db_text(q, 2),
			.looked_at = db_int(q, 3),
			.findings = db_text(q, 4) };
	db_reset(q);
	return found;
}

int64_t
visited_last_at(struct ctx *c, int64_t task_id)
{
	struct stmt *q = db_prepare(c, "SELECT coalesce(max(looked_at), 0) FROM visited_page"
				       " WHERE task_id = :task");
	int64_t at;

	db_bind_int(q, ":task", task_id);
	at = db_row(q) ? db_int(q, 0) : 0;
	db_reset(q);
	return at;
}

void
visited_note(struct ctx *c, int64_t task_id, const struct visited *v)
{
	struct stmt *q =
	    db_prepare(c, "UPDATE visited_page SET url = :url, looked_at = :now,"
			  " findings = :findings WHERE task_id = :task AND number = :number");

	db_bind_text(q, ":url", v->url);
	db_bind_int(q, ":now", c->now);
	db_bind_text(q, ":findings", v->findings);
	db_bind_int(q, ":task", task_id);
	db_bind_int(q, ":number", v->number);
	db_run(q);
}

void
visited_list(
    struct ctx *c, int64_t task_id, void (*each)(void *arg, const struct visited *v), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT number, article, url, looked_at, findings"
	    " FROM visited_page WHERE task_id = :task AND looked_at > 0 ORDER BY number");

	db_bind_int(q, ":task", task_id);
	while (db_row(q))
		each(arg, &(struct visited) { .number = db_int(q, 0),
			      .article = db_text(q, 1),
			      .url = db_text(q, 2),
			      .looked_at = db_int(q, 3),
			      .findings = db_text(q, 4) });
}

void
visited_forget(struct ctx *c, const char *workspace, int64_t task_id)
{
	struct stmt *q =
	    db_prepare(c, "DELETE FROM visited_page WHERE task_id IN"
			  " (SELECT id FROM task WHERE workspace = :workspace AND kind = :kind"
			  " AND id < :task)");

	db_bind_text(q, ":workspace", workspace);
	db_bind_text(q, ":kind", VISITED_KIND);
	db_bind_int(q, ":task", task_id);
	db_run(q);
}
