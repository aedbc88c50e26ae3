#include "command/job/job-print.h"

#include <string.h>

#include "base/jwrite.h"

static void
member_json(struct jwrite *w, const char *name, const char *json)
{
	jwrite_name(w, name);
	if (json == NULL)
		jwrite_null(w);
	else
		jwrite_raw(w, json, strlen(json));
}

static void
member_time(struct jwrite *w, const char *name, int64_t at)
{
	if (at == 0)
		jwrite_member_null(w, name);
	else
		jwrite_member_time(w, name, at);
}

void
job_print_json(struct ctx *c, struct jwrite *w, const struct job *job, bool whole)
{
	struct job_orderer by;

	job_orderer(c, job->id, &by);
	jwrite_object(w);
	jwrite_member_text(w, "id", job->uuid);
	jwrite_member_text(w, "kind", job_kind_name(job->kind));
	jwrite_member_text(w, "status", job_status_name(job->status));
	jwrite_member_text(w, "stage", job->stage);
	jwrite_member_text(w, "topic", job->topic);
	jwrite_member_bool(w, "image", job->image);
	jwrite_member_bool(w, "auto_publish", job->auto_publish);
	jwrite_member_text(
	    w, "article_id", job->status == JOB_COMPLETED ? job->article_uuid : NULL);
	jwrite_member_text(w, "research_id", job->research_uuid);
	jwrite_member_int(w, "cost", job->cost);
	jwrite_member_int(w, "reserved_credits", job->reserved_credits);
	member_time(w, "created_at", job->created_at);
	member_time(w, "claimed_at", job->claimed_at);
	member_time(w, "run_after", job->run_after);
	member_time(w, "settled_at", job->settled_at);
	jwrite_member_int(w, "tries", job->tries);
	jwrite_member_int(w, "deaths", job->deaths);
	jwrite_member_bool(w, "leased", job->leased);
	jwrite_member_text(w, "ordered_by", by.ordered_by);
	jwrite_member_text(w, "error", job->error);
	jwrite_member_text(w, "error_code", job->error_code);
	member_json(w, "usage", job->usage);
	if (whole) {
		member_json(w, "steps", job->steps);
		member_json(w, "brief", job->brief);
	}
	jwrite_object_end(w);
}
