/* Compares what a restore would replace with what it would bring (restore.h). */
#include <stdlib.h>
#include <string.h>

#include "access/account.h"
#include "access/workspace.h"
#include "article/article.h"
#include "backup/restore.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "doctor/verify.h"
#include "job/job.h"
#include "store/db.h"
#include "store/schemas.h"
#include "system/instance.h"

static void
add_thing(struct restore_side *s, const char *uuid, const char *kind, const char *name)
{
	if (s->count == s->room) {
		size_t more = s->room == 0 ? 64 : 2 * s->room;
		s->things = arena_grow(s->c->arena, s->things, s->room * sizeof(*s->things),
		    more * sizeof(*s->things));
		s->room = more;
	}
	s->things[s->count++] = (struct restore_thing) { uuid, kind, name };
}

static void
count_article(void *arg, const struct article *a)
{
	struct restore_side *s = arg;

	s->articles++;
	s->published += a->status == ARTICLE_PUBLISHED;
	if (a->updated_at > s->changed_at)
		s->changed_at = a->updated_at;
	add_thing(s, a->uuid, "article", a->title);
}

static void
count_job(void *arg, const struct job *job)
{
	struct restore_side *s = arg;

	s->jobs++;
	if (job->created_at > s->changed_at)
		s->changed_at = job->created_at;
}

static void
count_workspace(void *arg, const struct workspace *w)
{
	struct restore_side *s = arg;

	s->workspaces++;
	if (w->announced_at > s->changed_at)
		s->changed_at = w->announced_at;
	add_thing(s, w->uuid, "workspace", w->settings.name);
	for (int status = ARTICLE_DRAFT; status < ARTICLE_DELETED; status++)
		article_list(s->c, w->id, (enum article_status)status, INT64_MAX, count_article, s);
	job_list(s->c, w, INT64_MAX, count_job, s);
}

static void
count_account(void *arg, const struct account *account)
{
	struct restore_side *s = arg;

	s->credits += account->available;
	if (account->created_at > s->changed_at)
		s->changed_at = account->created_at;
}

static int
by_uuid(const void *a, const void *b)
{
	const struct restore_thing *x = a, *y = b;

	return strcmp(x->uuid, y->uuid);
}

static void
read_side(struct ctx *c, struct restore_side *s)
{
	s->c = c;
	db_begin_read(c, DB_CONTENT);
	workspace_list(c, count_workspace, s);
	account_list(c, count_account, s);
	db_commit(c);
	if (s->count > 0)
		qsort(s->things, s->count, sizeof(*s->things), by_uuid);
}

static struct err *
read_backup(struct ctx *c, struct restore *r)
{
	read_side(c, r->arg);
	return NULL;
}

static void
pass_over(void *arg, const struct verify *check)
{
	(void)arg;
	(void)check;
}

/* Reads the archive into a scratch folder, which is removed at the end. */
static struct err *
read_archive(struct ctx *c, const struct work *work, const char *file, struct restore_side *then)
{
	struct restore r = { .work = work, .file = file, .arg = then };
	const char *copy;
	struct scratch scratch;
	struct err *err = archive_make_room(c, &scratch, &copy);

	if (err != NULL)
		return err;
	r.folder = scratch.path;
	err = restore_unpack(c, &r, false, pass_over);
	if (err == NULL)
		err = restore_with_copy(c, &r, read_backup);
	scratch_remove(&scratch);
	return err;
}

struct err *
restore_compare(
    struct ctx *c, const struct work *work, const char *file, struct restore_comparison *out)
{
	struct err *err;

	memset(out, 0, sizeof(*out));
	err = read_archive(c, work, file, &out->then);
	if (err != NULL)
		return err;
	if (db_file_complaint(c, c->instance->db, true) != NULL) {
		out->unknown = "is damaged";
		return NULL;
	}
	db_open(c, DB_WAIT_TOOL_MS);
	if (db_version(c) == schemas_number(DB_CONTENT))
		read_side(c, &out->now);
	else
		out->unknown = "is of another release";
	db_close(c);
	return NULL;
}

bool
restore_side_has(const struct restore_side *s, const struct restore_thing *it)
{
	return s->count > 0 && bsearch(it, s->things, s->count, sizeof(*it), by_uuid) != NULL;
}
