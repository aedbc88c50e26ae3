#include "job/job.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "store/ahead.h"
#include "store/db.h"

/* The columns of a job, with the uuid of the research job that it was ordered with. */
#define COLUMNS                                                                                    \
	"j.id, j.uuid, j.account_id, j.workspace_id, j.kind, j.topic, "                            \
	"j.image,"                                                                                 \
	" j.auto_publish, j.research_id, r.uuid, j.article_uuid,"                                  \
	" j.reserved_credits, j.created_at, j.status, j.stage, j.error,"                           \
	" j.error_code, j.cost, j.settled_at, j.tries, j.deaths, j.run_after,"                     \
	" j.claimed_at, j.claimed_boot_at, j.claimed_boot, j.lease_token,"                         \
	" j.lease_until, j.lease_boot, j.lease_locked, j.steps, j.usage,"                          \
	" j.brief"
#define ROWS                                                                                       \
	"SELECT " COLUMNS " FROM job j LEFT JOIN job r ON r.id = "                                 \
	"j.research_id"

static const char *const kind_names[] = { "article", "research" };
static const char *const status_names[] = { "queued", "running", "completed", "failed" };

const char *
job_kind_name(enum job_kind kind)
{
	return kind_names[kind];
}

const char *
job_status_name(enum job_status status)
{
	return status_names[status];
}

/* Returns the index of `name` in a table of `count` names. The CHECKs of the schema
 * allow no other name. */
static unsigned
place(const char *const *names, unsigned count, const char *name)
{
	for (unsigned i = 0; i < count; i++) {
		if (strcmp(names[i], name) == 0)
			return i;
	}
	die("the database holds a job with the word %s", name);
}

static void
read_order(struct stmt *q, struct job *j)
{
	j->id = db_int(q, 0);
	j->uuid = db_text(q, 1);
	j->account_id = db_int(q, 2);
	j->workspace_id = db_int(q, 3);
	j->kind = (enum job_kind)place(kind_names, 2, db_text(q, 4));
	j->topic = db_text(q, 5);
	j->image = db_int(q, 6) != 0;
	j->auto_publish = db_int(q, 7) != 0;
	j->research_id = db_int(q, 8);
	j->research_uuid = db_text(q, 9);
	j->article_uuid = db_text(q, 10);
	j->reserved_credits = db_int(q, 11);
	j->created_at = db_int(q, 12);
}

static void
read_state(struct stmt *q, struct job *j)
{
	j->status = (enum job_status)place(status_names, 4, db_text(q, 13));
	j->stage = db_text(q, 14);
	j->error = db_text(q, 15);
	j->error_code = db_text(q, 16);
	j->cost = db_int(q, 17);
	j->settled_at = db_int(q, 18);
	j->tries = db_int(q, 19);
	j->deaths = db_int(q, 20);
	j->run_after = db_int(q, 21);
	j->claimed_at = db_int(q, 22);
	j->claimed_boot_at = db_int(q, 23);
	j->claimed_boot = db_text(q, 24);
	j->leased = !db_is_null(q, 25);
	db_blob(q, 25, j->token, JOB_TOKEN);
	j->lease_until = db_int(q, 26);
	j->lease_boot = db_text(q, 27);
	j->lease_locked = db_int(q, 28) != 0;
	j->steps = db_text(q, 29);
	j->usage = db_text(q, 30);
	j->brief = db_text(q, 31);
}

static void
from_row(struct stmt *q, struct job *out)
{
	read_order(q, out);
	read_state(q, out);
}

static struct job *
one(struct ctx *c, struct stmt *q)
{
	struct job *found = NULL;

	if (db_row(q)) {
		found = arena_alloc(c->arena, sizeof(*found));
		from_row(q, found);
	}
	db_reset(q);
	return found;
}

/* `canonical` lives as long as the statement needs it. */
static struct stmt *
look_for(struct ctx *c, int64_t workspace_id, const char *canonical)
{
	struct stmt *q = db_prepare(c, ROWS " WHERE j.uuid = :uuid"
					    " AND (j.workspace_id = :workspace OR :workspace = 0)");

	db_bind_text(q, ":uuid", canonical);
	db_bind_int(q, ":workspace", workspace_id);
	return q;
}

struct job *
job_find(struct ctx *c, int64_t workspace_id, const char *uuid)
{
	char canonical[UUID_TEXT];

	if (!uuid_parse(uuid, canonical))
		return NULL;
	return one(c, look_for(c, workspace_id, canonical));
}

#ifdef STORE_PG
void
job_ask(struct ctx *c, int64_t workspace_id, const char *uuid)
{
	ahead_ask(look_for(c, workspace_id, uuid));
}
#endif

struct job *
job_of(struct ctx *c, int64_t id)
{
	struct stmt *q = db_prepare(c, ROWS " WHERE j.id = :id");
	struct job *found;

	db_bind_int(q, ":id", id);
	found = one(c, q);
	if (found == NULL)
		die("job %lld is not there", (long long)id);
	return found;
}

void
job_orderer(struct ctx *c, int64_t id, struct job_orderer *out)
{
	struct stmt *q = db_prepare(c, "SELECT api_key_id, ordered_by FROM job"
				       " WHERE id = :id");

	memset(out, 0, sizeof(*out));
	db_bind_int(q, ":id", id);
	if (db_row(q)) {
		out->key_id = db_int(q, 0);
		out->ordered_by = db_text(q, 1);
	}
	db_reset(q);
}

void
job_list(struct ctx *c, const struct workspace *w, int64_t limit,
    void (*each)(void *arg, const struct job *job), void *arg)
{
	struct stmt *q =
	    db_prepare(c, ROWS " WHERE j.account_id = :account"
			       " AND j.workspace_id = :workspace"
			       " ORDER BY j.created_at DESC, j.id DESC LIMIT :limit /*many*/");
	struct job job;

	db_bind_int(q, ":account", w->account_id);
	db_bind_int(q, ":workspace", w->id);
	db_bind_int(q, ":limit", limit);
	while (db_row(q)) {
		from_row(q, &job);
		each(arg, &job);
	}
}

void
job_list_open(struct ctx *c, void (*each)(void *arg, const struct job *job), void *arg)
{
	/* This reads the whole index job_open, which holds the open jobs and no others. */
	struct stmt *q = db_prepare(c, ROWS " WHERE /*scan*/"
					    " j.settled_at IS NULL ORDER BY j.created_at, j.id");
	struct job job;

	while (db_row(q)) {
		from_row(q, &job);
		each(arg, &job);
	}
}

/* Returns the research id of the job object: the brief that an article was ordered
 * with; a completed research job is a brief itself. */
static const char *
research_of(const struct job *job)
{
	if (job->kind == JOB_ARTICLE)
		return job->research_uuid;
	return job->status == JOB_COMPLETED ? job->uuid : NULL;
}

void
job_to_json(struct jwrite *w, const struct job *job)
{
	bool completed = job->status == JOB_COMPLETED;
	bool failed = job->status == JOB_FAILED;

	jwrite_object(w);
	jwrite_member_text(w, "id", job->uuid);
	jwrite_member_text(w, "job_id", job->uuid);
	jwrite_member_text(w, "kind", job_kind_name(job->kind));
	jwrite_member_text(w, "status", job_status_name(job->status));
	jwrite_member_text(w, "stage", job->stage);
	jwrite_member_text(w, "error", failed ? job->error : NULL);
	jwrite_member_text(w, "error_code", failed ? job->error_code : NULL);
	jwrite_member_text(w, "article_id", completed ? job->article_uuid : NULL);
	jwrite_member_text(w, "research_id", research_of(job));
	jwrite_name(w, "research");
	if (job->brief == NULL)
		jwrite_null(w);
	else
		jwrite_raw(w, job->brief, strlen(job->brief));
	jwrite_member_int(w, "cost", job->cost);
	jwrite_member_int(w, "reserved_credits", job->reserved_credits);
	jwrite_member_time(w, "created_at", job->created_at);
	if (job->settled_at != 0)
		jwrite_member_time(w, "settled_at", job->settled_at);
	else
		jwrite_member_null(w, "settled_at");
	jwrite_object_end(w);
}
