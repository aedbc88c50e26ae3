/* Makes the copy of a backup that a restore prepares, or that a check reads
 * (restore.h). */
#include "article/media.h"
#include "backup/archive.h"
#include "backup/restore.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "doctor/verify.h"
#include "store/db.h"
#include "store/migrate.h"
#include "store/schemas.h"
#include "system/instance.h"

static void
add_text(struct ctx *c, const char ***list, size_t *count, const char *text)
{
	*list = arena_grow(c->arena, *list, *count * sizeof(**list), (*count + 1) * sizeof(**list));
	(*list)[(*count)++] = text;
}

const char *
restore_file(struct ctx *c, const struct restore *r, const char *name)
{
	return arena_printf(c->arena, "%s/%s", r->folder, name);
}

struct err *
restore_with_copy(struct ctx *c, struct restore *r, restore_step *step)
{
	return restore_with_database(c, r, restore_file(c, r, "galley.db"), step);
}

struct err *
restore_with_database(struct ctx *c, struct restore *r, const char *path, restore_step *step)
{
	const struct instance *present = c->instance;
	struct instance copy = *present;
	struct err *err;

	copy.db = path;
	db_close(c);
	c->instance = &copy;
	db_open(c, DB_WAIT_TOOL_MS);
	err = step(c, r);
	db_rollback(c);
	db_close(c);
	c->instance = present;
	return err;
}

struct teller {
	struct ctx *c;
	struct restore *r;
};

static void
tell_missing(void *arg, const char *name)
{
	struct teller *t = arg;
	struct restore *r = t->r;
	struct ctx *c = t->c;
	struct arena scratch, *kept = c->arena;
	const char *fault = NULL;
	bool here;
	size_t len;

	if (archive_has_name(&r->facts, name))
		return;
	arena_init(&scratch, 4 * PICTURE_BYTES_MAX);
	c->arena = &scratch;
	here = media_read(c, name, &len, &fault) != NULL;
	c->arena = kept;
	arena_release(&scratch);
	if (here)
		return;
	add_text(c, &r->pictures, &r->picture_count, name);
	work_tell(r->work, "%s",
	    hint_say(c,
		arena_printf(c->arena,
		    "the picture %s is not in the backup, or damaged there, and was left out: give it again.",
		    name),
		HINT_PICTURE, NULL));
}

struct err *
restore_tell_pictures(struct ctx *c, struct restore *r)
{
	struct teller teller = { c, r };

	db_begin_read(c, DB_CONTENT);
	media_list(c, tell_missing, &teller);
	db_commit(c);
	return NULL;
}

/* Brings the copy to this release's schema, and checks it. */
static struct err *
check_copy(struct ctx *c, struct restore *r)
{
	int64_t now = schemas_number(DB_CONTENT);
	struct err *err;

	if (!db_is_ours(c))
		return refuse(c, ERR_INVALID, "The database in %s is not Galley's.", r->file);
	/* This check comes first: a foreign trigger must not run in the
	 * migrations. These refuse a newer schema themselves. */
	r->from = db_version(c);
	err = r->from > now ? NULL : migrate_compare(c, r->file, r->from);
	if (err == NULL)
		err = migrate_run(c, DB_CONTENT, &r->from);
	if (err == NULL && r->from != now)
		err = migrate_compare(c, r->file, now);
	if (err == NULL)
		err = verify_run(c, r->work, true, r->each, r->arg, &r->broken);
	return err;
}

struct err *
restore_unpack(struct ctx *c, struct restore *r, bool media,
    void (*each)(void *arg, const struct verify *check))
{
	const char *damage;
	struct err *err;

	err = archive_read(c, r->work, r->file, r->folder, media ? r->room : NULL, &r->facts);
	if (err != NULL)
		return err;
	damage = db_file_complaint(c, restore_file(c, r, "galley.db"), false);
	if (damage != NULL)
		return refuse(
		    c, ERR_INVALID, "The database in %s is damaged: %s.", r->file, damage);
	r->each = each;
	return restore_with_copy(c, r, check_copy);
}
