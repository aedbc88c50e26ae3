/* The people of an archive, and the counts of readers (archive.h). */
#include "backup/archive.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "job/scratch.h"
#include "people/secret.h"
#include "stats/stats.h"
#include "store/db.h"
#include "system/fault.h"
#include "system/instance.h"

/* Adds the copy at `copy`, and the secret that belongs to it: only a restore replaces
 * the secret. */
static struct err *
add(struct archive *a, const char *copy)
{
	struct ctx *c = a->c;
	const char *wrong = db_copy_console_to(c, copy);
	struct err *err;

	if (wrong != NULL)
		return refuse(
		    c, ERR_INTERNAL, "%s cannot be copied: %s.", db_console_path(c), wrong);
	(void)FAULT("archive-people");
	err = archive_add_file(a, ARCHIVE_PEOPLE, copy, false);
	if (err == NULL)
		err = archive_add_file(a, ARCHIVE_SECRET,
		    arena_printf(c->arena, "%s/people/secret", c->instance->home), false);
	a->facts.people = err == NULL;
	return err;
}

struct err *
archive_add_people(struct archive *a)
{
	struct ctx *c = a->c;
	int64_t place = a->tar.written;
	struct scratch scratch;
	const char *copy;
	struct err *err;

	if (!secret_exists(c))
		return NULL;
	err = archive_make_room(c, &scratch, &copy);
	if (err != NULL)
		return err;
	err = add(a, copy);
	scratch_remove(&scratch);
	if (err == NULL || !a->damaged)
		return err;
	work_tell(a->work, "people/ is left out: %s", err->message);
	return archive_back_to(a, place);
}

static struct err *
add_views(struct archive *a, const char *copy)
{
	struct ctx *c = a->c;
	const char *wrong = db_copy_views_to(c, copy);
	struct err *err;

	if (wrong != NULL)
		return refuse(
		    c, ERR_INTERNAL, "%s cannot be copied: %s.", db_file_of(c, DB_STATS), wrong);
	err = archive_add_file(a, ARCHIVE_STATS, copy, false);
	a->facts.stats = err == NULL;
	return err;
}

struct err *
archive_add_stats(struct archive *a)
{
	struct scratch scratch;
	const char *copy;
	struct err *err;

	if (!stats_is_ready(a->c))
		return NULL;
	err = archive_make_room(a->c, &scratch, &copy);
	if (err != NULL)
		return err;
	err = add_views(a, copy);
	scratch_remove(&scratch);
	return err;
}
