/* Before a restore: whether the backup is good, and what it would replace (restore.h). */
#include <stdlib.h>
#include <string.h>

#include "access/account.h"
#include "access/workspace.h"
#include "article/article.h"
#include "article/media.h"
#include "backup/restore.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "doctor/verify.h"
#include "job/job.h"
#include "job/scratch.h"
#include "store/db.h"
#include "store/schemas.h"
#include "system/instance.h"

/* The state of a check: the copy, the findings, and the names of its media, in
 * order. */
struct look {
	struct restore restore;
	struct ctx *c;
	struct restore_finding *found;
};

static void
add_to(struct ctx *c, const char ***list, size_t *count, const char *text)
{
	*list = arena_grow(c->arena, *list, *count * sizeof(**list), (*count + 1) * sizeof(**list));
	(*list)[(*count)++] = text;
}

static void
add_problem(struct look *look, const char *text)
{
	struct restore_finding *found = look->found;

	if (found->problem_count < VERIFY_TOLD)
		add_to(look->c, &found->problems, &found->problem_count, text);
}

static void
keep_broken(void *arg, const struct verify *check)
{
	struct look *look = arg;

	if (check->count > 0)
		add_problem(
		    look, arena_printf(look->c->arena, "%s: %zu fault%s, such as: %s", check->name,
			      check->count, check->count == 1 ? "" : "s", check->problems[0]));
}

static void
find_media(void *arg, const char *name)
{
	struct look *look = arg;
	const struct archive_facts *facts = &look->restore.facts;

	for (size_t i = 0; i < facts->damaged_count; i++) {
		if (strcmp(facts->damaged[i].name, name) == 0)
			return;
	}
	if (!archive_has_name(facts, name))
		add_problem(look, arena_printf(look->c->arena, "the image %s is missing", name));
}

static struct err *
look_inside(struct ctx *c, struct restore *r)
{
	struct look *look = r->arg;
	const struct workspace *w;

	for (size_t i = 0; i < r->facts.damaged_count; i++)
		add_problem(look,
		    arena_printf(c->arena, "the image %s is damaged", r->facts.damaged[i].name));
	db_begin_read(c, DB_CONTENT);
	media_list(c, find_media, look);
	for (struct stmt *q = workspace_list(c); (w = workspace_next(c, q)) != NULL;)
		add_to(
		    c, &look->found->workspaces, &look->found->workspace_count, w->settings.name);
	db_commit(c);
	return NULL;
}

static struct err *
check_in(struct ctx *c, struct look *look)
{
	struct restore *r = &look->restore;
	const char *complaint;

	TRY(restore_unpack(c, r, false, keep_broken));
	TRY(restore_with_copy(c, r, look_inside));
	complaint = restore_conf_complaint(c, r);
	if (complaint != NULL)
		add_problem(look,
		    arena_printf(c->arena, "its galley.conf would not be used: %s", complaint));
	complaint = restore_people_complaint(c, r);
	if (complaint != NULL)
		add_problem(look, arena_printf(c->arena, "its people are damaged: %s", complaint));
	look->found->bytes = r->facts.bytes;
	look->found->media = r->facts.media;
	look->found->schema = r->from;
	return NULL;
}

struct err *
restore_check(struct ctx *c, const struct work *work, const char *path, struct restore_finding *out)
{
	struct look look = { .restore = { .work = work, .file = path }, .c = c, .found = out };
	struct scratch scratch;
	struct err *err;
	int fault;

	memset(out, 0, sizeof(*out));
	fault = scratch_make(c, &scratch);
	if (fault != 0)
		return refuse(c, ERR_INTERNAL, "%s: %s.", scratch.path, strerror(fault));
	look.restore.folder = scratch.path;
	look.restore.arg = &look;
	err = check_in(c, &look);
	scratch_remove(&scratch);
	return err;
}

/* ---- what a restore would replace, and by what */

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
count_article(struct restore_side *s, const struct article *a)
{
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
count_workspace(struct restore_side *s, const struct workspace *w)
{
	struct article a;

	s->workspaces++;
	if (w->announced_at > s->changed_at)
		s->changed_at = w->announced_at;
	add_thing(s, w->uuid, "workspace", w->settings.name);
	for (int status = ARTICLE_DRAFT; status < ARTICLE_DELETED; status++)
		for (struct stmt *q =
			 article_list(s->c, w->id, (enum article_status)status, INT64_MAX);
		     article_next(q, &a);)
			count_article(s, &a);
	job_list(s->c, w, INT64_MAX, count_job, s);
}

static void
count_account(struct restore_side *s, const struct account *account)
{
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
	const struct workspace *w;
	const struct account *account;

	s->c = c;
	db_begin_read(c, DB_CONTENT);
	for (struct stmt *q = workspace_list(c); (w = workspace_next(c, q)) != NULL;)
		count_workspace(s, w);
	for (struct stmt *q = account_list(c); (account = account_next(c, q)) != NULL;)
		count_account(s, account);
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
	struct err *err;

	TRY(archive_make_room(c, &scratch, &copy));
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
	memset(out, 0, sizeof(*out));
	TRY(read_archive(c, work, file, &out->then));
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
