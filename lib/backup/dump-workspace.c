/* Writes workspaces, for dump.h. */
#include <string.h>

#include "access/apikey.h"
#include "article/content-state.h"
#include "backup/dump.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "job/job.h"

struct rows {
	struct dump *d;
	struct buf text;
	struct jwrite json;
};

static void
begin(struct dump *d, struct rows *rows)
{
	rows->d = d;
	dump_begin(d, &rows->text);
	jwrite_init(&rows->json, &rows->text);
}

static void
end(struct rows *rows, const struct workspace *w, const char *name)
{
	buf_add_char(&rows->text, '\n');
	dump_file(rows->d, arena_printf(rows->d->c->arena, "workspaces/%s/%s", w->uuid, name),
	    &rows->text);
}

static void
time_or_null(struct jwrite *j, const char *name, int64_t at)
{
	if (at == 0)
		jwrite_member_null(j, name);
	else
		jwrite_member_time(j, name, at);
}

static void
add_key(void *arg, const struct apikey *key)
{
	struct rows *rows = arg;
	struct jwrite *j = &rows->json;

	jwrite_object(j);
	jwrite_member_text(j, "id", key->uuid);
	jwrite_member_text(j, "display", key->display);
	jwrite_member_text(j, "label", key->label);
	jwrite_member_text(j, "scopes", scope_to_text(rows->d->c->arena, key->scopes));
	jwrite_member_time(j, "created_at", key->created_at);
	time_or_null(j, "expires_at", key->expires_at);
	time_or_null(j, "revoked_at", key->revoked_at);
	jwrite_object_end(j);
	buf_add_char(&rows->text, '\n');
}

static void
add_job(void *arg, const struct job *job)
{
	struct rows *rows = arg;
	struct jwrite *j = &rows->json;
	struct job_orderer by;

	job_orderer(rows->d->c, job->id, &by);
	jwrite_object(j);
	jwrite_member_text(j, "ordered_by", by.ordered_by);
	jwrite_member_text(j, "topic", job->topic);
	jwrite_member_bool(j, "image", job->image);
	jwrite_member_bool(j, "auto_publish", job->auto_publish);
	jwrite_name(j, "usage");
	if (job->usage == NULL)
		jwrite_null(j);
	else
		jwrite_raw(j, job->usage, strlen(job->usage));
	jwrite_name(j, "job");
	job_to_json(j, job);
	jwrite_object_end(j);
	buf_add_char(&rows->text, '\n');
}

void
dump_workspace(struct dump *d, const struct workspace *w)
{
	struct ctx *c = d->c;
	struct rows rows;

	dump_folder(d, arena_printf(c->arena, "workspaces/%s", w->uuid));
	begin(d, &rows);
	jwrite_object(&rows.json);
	workspace_state_members(c, &rows.json, w);
	workspace_state_pages(c, &rows.json, w);
	jwrite_object_end(&rows.json);
	end(&rows, w, "workspace.json");
	begin(d, &rows);
	jwrite_array(&rows.json);
	apikey_list(c, w->id, add_key, &rows);
	jwrite_array_end(&rows.json);
	end(&rows, w, "keys.json");
	begin(d, &rows);
	jwrite_array(&rows.json);
	job_list(c, w, INT64_MAX, add_job, &rows);
	jwrite_array_end(&rows.json);
	end(&rows, w, "jobs.json");
	dump_articles(d, w);
}
