/* Checks whether a backup is good (restore.h). */
#include <string.h>

#include "access/workspace.h"
#include "article/media.h"
#include "backup/restore.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "doctor/verify.h"
#include "job/scratch.h"
#include "store/db.h"

/* The state of a check: the copy, the findings, and the names of its media, in
 * order. */
struct look {
	struct restore restore;
	struct ctx *c;
	struct restore_finding *found;
};

static void
add(struct ctx *c, const char ***list, size_t *count, const char *text)
{
	*list = arena_grow(c->arena, *list, *count * sizeof(**list), (*count + 1) * sizeof(**list));
	(*list)[(*count)++] = text;
}

static void
add_problem(struct look *look, const char *text)
{
	struct restore_finding *found = look->found;

	if (found->problem_count < VERIFY_TOLD)
		add(look->c, &found->problems, &found->problem_count, text);
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

static void
keep_name(void *arg, const struct workspace *w)
{
	struct look *look = arg;

	add(look->c, &look->found->workspaces, &look->found->workspace_count, w->settings.name);
}

static struct err *
look_inside(struct ctx *c, struct restore *r)
{
	struct look *look = r->arg;

	for (size_t i = 0; i < r->facts.damaged_count; i++)
		add_problem(look,
		    arena_printf(c->arena, "the image %s is damaged", r->facts.damaged[i].name));
	db_begin_read(c, DB_CONTENT);
	media_list(c, find_media, look);
	workspace_list(c, keep_name, look);
	db_commit(c);
	return NULL;
}

static struct err *
check_in(struct ctx *c, struct look *look)
{
	struct restore *r = &look->restore;
	const char *complaint;
	struct err *err;

	err = restore_unpack(c, r, false, keep_broken);
	if (err == NULL)
		err = restore_with_copy(c, r, look_inside);
	if (err != NULL)
		return err;
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
