#include "stats/reader.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "store/db.h"

#define LOOKED_AT 20

int64_t
reader_get(struct ctx *c, const char *uuid, const char *workspace, int64_t at)
{
	struct stmt *q = db_prepare(c, "SELECT id FROM reader WHERE uuid = :uuid");
	int64_t id;

	db_bind_text(q, ":uuid", uuid);
	id = db_row(q) ? db_int(q, 0) : 0;
	db_reset(q);
	if (id != 0)
		return id;
	q = db_prepare(c, "INSERT INTO reader (uuid, workspace, requested_at, read_at,"
			  " listed_at, refused_at, refused_status, refused_code, looked_at)"
			  " VALUES (:uuid, :workspace, :at, 0, 0, 0, 0, '', :now) RETURNING id");
	db_bind_text(q, ":uuid", uuid);
	db_bind_text(q, ":workspace", workspace);
	db_bind_int(q, ":at", at);
	db_bind_int(q, ":now", c->now);
	return db_insert(q);
}

/* Runs an UPDATE of a reader's row that has :id and :at. */
static void
note_time(struct stmt *q, int64_t reader_id, int64_t at)
{
	db_bind_int(q, ":id", reader_id);
	db_bind_int(q, ":at", at);
	db_run(q);
}

static void
note_last(struct ctx *c, int64_t reader_id, const struct reader_request *r)
{
	note_time(db_prepare(c, "UPDATE reader SET requested_at = :at"
				" WHERE id = :id AND requested_at < :at"),
	    reader_id, r->at);
	if (r->reads)
		note_time(db_prepare(c, "UPDATE reader SET read_at = :at"
					" WHERE id = :id AND read_at < :at"),
		    reader_id, r->at);
	if (r->reads && r->ended)
		note_time(db_prepare(c, "UPDATE reader SET listed_at = :at"
					" WHERE id = :id AND listed_at < :at"),
		    reader_id, r->at);
}

static void
note_day(struct ctx *c, int64_t reader_id, const struct reader_request *r)
{
	struct stmt *q =
	    db_prepare(c, "INSERT INTO reading (reader_id, day, requests,"
			  " not_modified) VALUES (:id, :day, 1, :same)"
			  " ON CONFLICT (reader_id, day) DO UPDATE SET"
			  " requests = reading.requests + 1,"
			  " not_modified = reading.not_modified + excluded.not_modified");

	db_bind_int(q, ":id", reader_id);
	db_bind_int(q, ":day", r->at / CLOCK_DAY);
	db_bind_int(q, ":same", r->status == 304);
	db_run(q);
}

static void
note_refusal(struct ctx *c, int64_t reader_id, const struct reader_request *r)
{
	struct stmt *q =
	    db_prepare(c, "INSERT INTO refusal (reader_id, day, status, requests)"
			  " VALUES (:id, :day, :status, 1) ON CONFLICT (reader_id, day, status)"
			  " DO UPDATE SET requests = refusal.requests + 1");

	db_bind_int(q, ":id", reader_id);
	db_bind_int(q, ":day", r->at / CLOCK_DAY);
	db_bind_int(q, ":status", r->status);
	db_run(q);
	q = db_prepare(c, "UPDATE reader SET refused_at = :at, refused_status = :status,"
			  " refused_code = :code WHERE id = :id AND refused_at <= :at");
	db_bind_int(q, ":id", reader_id);
	db_bind_int(q, ":at", r->at);
	db_bind_int(q, ":status", r->status);
	db_bind_text(q, ":code", r->code != NULL ? r->code : "");
	db_run(q);
}

static void
note_article(struct ctx *c, int64_t reader_id, const struct reader_request *r)
{
	struct stmt *q = db_prepare(c,
	    "INSERT INTO fetched (reader_id, article, revision,"
	    " fetched_at) VALUES (:id, :article, :revision, :at)"
	    " ON CONFLICT (reader_id, article) DO UPDATE SET revision = excluded.revision,"
	    " fetched_at = excluded.fetched_at"
	    " WHERE fetched.fetched_at <= excluded.fetched_at");

	db_bind_int(q, ":id", reader_id);
	db_bind_text(q, ":article", r->article);
	db_bind_text(q, ":revision", r->revision);
	db_bind_int(q, ":at", r->at);
	db_run(q);
}

void
reader_count(struct ctx *c, int64_t reader_id, const struct reader_request *r)
{
	note_last(c, reader_id, r);
	note_day(c, reader_id, r);
	if (r->status >= 400)
		note_refusal(c, reader_id, r);
	if (r->article != NULL)
		note_article(c, reader_id, r);
}

#define COLUMNS                                                                                    \
	"id, uuid, workspace, requested_at, read_at, listed_at, refused_at,"                       \
	" refused_status, refused_code"

static void
each_row(struct stmt *q, void (*each)(void *arg, const struct reader *r), void *arg)
{
	struct reader r;

	while (db_row(q)) {
		r = (struct reader) { db_int(q, 0), db_text(q, 1), db_text(q, 2), db_int(q, 3),
			db_int(q, 4), db_int(q, 5), db_int(q, 6), (int)db_int(q, 7),
			db_text(q, 8) };
		each(arg, &r);
	}
}

void
reader_list(struct ctx *c, const char *workspace, void (*each)(void *arg, const struct reader *r),
    void *arg)
{
	struct stmt *q = db_prepare(c, "SELECT " COLUMNS " FROM reader"
				       " WHERE workspace = :workspace");

	db_bind_text(q, ":workspace", workspace);
	each_row(q, each, arg);
}

void
reader_list_silent(struct ctx *c, int64_t before, int64_t limit,
    void (*each)(void *arg, const struct reader *r), void *arg)
{
	struct stmt *q =
	    db_prepare(c, "SELECT " COLUMNS " FROM reader"
			  " WHERE requested_at < :before AND read_at > 0"
			  " ORDER BY requested_at DESC LIMIT :limit /*scan*/ /*sort*/");

	db_bind_int(q, ":before", before);
	db_bind_int(q, ":limit", limit);
	each_row(q, each, arg);
}

void
reader_fetched(struct ctx *c, int64_t reader_id,
    void (*each)(void *arg, const struct reader_article *a), void *arg)
{
	struct stmt *q = db_prepare(c, "SELECT article, revision, fetched_at FROM fetched"
				       " WHERE reader_id = :id /*many*/");
	struct arena *kept = c->arena, row;

	db_bind_int(q, ":id", reader_id);
	arena_init(&row, (size_t)64 * 1024);
	c->arena = &row;
	for (; db_row(q); arena_reset(&row))
		each(arg, &(struct reader_article) { db_text(q, 0), db_text(q, 1), db_int(q, 2) });
	c->arena = kept;
	arena_release(&row);
}

void
reader_days(struct ctx *c, int64_t reader_id, int64_t from,
    void (*each)(void *arg, int64_t day, int64_t requests, int64_t not_modified), void *arg)
{
	struct stmt *q = db_prepare(c, "SELECT day, requests, not_modified FROM reading"
				       " WHERE reader_id = :id AND day >= :from ORDER BY day");

	db_bind_int(q, ":id", reader_id);
	db_bind_int(q, ":from", from);
	while (db_row(q))
		each(arg, db_int(q, 0), db_int(q, 1), db_int(q, 2));
}

void
reader_refusals(struct ctx *c, int64_t reader_id, int64_t from,
    void (*each)(void *arg, int64_t day, int status, int64_t requests), void *arg)
{
	struct stmt *q =
	    db_prepare(c, "SELECT day, status, requests FROM refusal"
			  " WHERE reader_id = :id AND day >= :from ORDER BY day, status");

	db_bind_int(q, ":id", reader_id);
	db_bind_int(q, ":from", from);
	while (db_row(q))
		each(arg, db_int(q, 0), (int)db_int(q, 1), db_int(q, 2));
}

static void
remove_days(struct ctx *c, int64_t day)
{
	struct stmt *q = db_prepare(c, "DELETE FROM reading WHERE day < :day");

	db_bind_int(q, ":day", day);
	db_run(q);
	q = db_prepare(c, "DELETE FROM refusal WHERE day < :day");
	db_bind_int(q, ":day", day);
	db_run(q);
}

void
reader_clean(struct ctx *c, int64_t day, bool (*exists)(struct ctx *c, const char *workspace))
{
	const char *workspaces[LOOKED_AT];
	int64_t ids[LOOKED_AT];
	size_t count = 0;
	struct stmt *q;

	remove_days(c, day);
	q = db_prepare(c, "SELECT id, workspace FROM reader ORDER BY looked_at"
			  " LIMIT :max /*scan*/");
	db_bind_int(q, ":max", LOOKED_AT);
	for (; db_row(q); count++) {
		ids[count] = db_int(q, 0);
		workspaces[count] = db_text(q, 1);
	}
	for (size_t i = 0; i < count; i++) {
		if (exists(c, workspaces[i])) {
			q = db_prepare(c, "UPDATE reader SET looked_at = :now WHERE id = :id");
			db_bind_int(q, ":now", c->now);
		} else {
			q = db_prepare(c, "DELETE FROM reader WHERE id = :id");
		}
		db_bind_int(q, ":id", ids[i]);
		db_run(q);
	}
}
