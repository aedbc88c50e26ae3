/* The people of a backup (restore.h). */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backup/archive.h"
#include "backup/restore.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "notify/mail.h"
#include "people/person.h"
#include "people/secret.h"
#include "store/db.h"
#include "store/hosts.h"
#include "store/migrate.h"
#include "store/schemas.h"
#include "system/fault.h"
#include "system/instance.h"
#include "system/work.h"

const char *
restore_people_complaint(struct ctx *c, const struct restore *r)
{
	return r->facts.people
		   ? db_file_complaint(c, restore_file(c, r, ARCHIVE_PEOPLE_UNPACKED), false)
		   : NULL;
}

/* Counts the present people. It is a restore_step: the console's store is that of the
 * instance, whichever content is open. */
static struct err *
count_present(struct ctx *c, struct restore *r)
{
	int64_t number = migrate_number(c, DB_CONSOLE);

	if (number != schemas_number(DB_CONSOLE)) {
		r->people_now = 1;
		r->people_newer = number > schemas_number(DB_CONSOLE);
		return NULL;
	}
	db_begin_read(c, DB_CONSOLE);
	r->people_now = person_count(c);
	db_commit(c);
	return NULL;
}

/* Returns the path of a file below the folder where people are prepared. */
static const char *
prepared(struct ctx *c, const struct restore *r, const char *name)
{
	return arena_printf(c->arena, "%s/people%s", r->people_room.path, name);
}

static struct err *
cannot(struct ctx *c, const char *path)
{
	return refuse(c, ERR_INTERNAL, "%s: %s; nothing was changed.", path, strerror(errno));
}

/* A signal that ends the command leaves nothing of them. */
static void
note_for_signals(struct ctx *c, const struct restore *r)
{
	static const char names[][20] = { "/console.db", "/console.db-wal", "/console.db-shm",
		"/console.db-journal", "/secret", "" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		interrupt_remove(prepared(c, r, names[i]));
	interrupt_remove(r->people_room.path);
}

/* Moves the files into a folder people/ of their own. */
static struct err *
move(struct ctx *c, struct restore *r)
{
	int fault = scratch_make(c, &r->people_room);

	if (fault != 0)
		return refuse(c, ERR_INTERNAL, "%s: %s; nothing was changed.", r->people_room.path,
		    strerror(fault));
	note_for_signals(c, r);
	if (mkdir(prepared(c, r, ""), 0700) != 0)
		return cannot(c, prepared(c, r, ""));
	if (rename(restore_file(c, r, ARCHIVE_PEOPLE_UNPACKED), prepared(c, r, "/console.db")) != 0)
		return cannot(c, prepared(c, r, "/console.db"));
	if (rename(restore_file(c, r, ARCHIVE_SECRET_UNPACKED), prepared(c, r, "/secret")) != 0)
		return cannot(c, prepared(c, r, "/secret"));
	return NULL;
}

/* Compares the schema before anything else runs on it, and brings it to this release. */
static struct err *
bring_up(struct ctx *c, struct restore *r)
{
	struct err *err = migrate_compare_console(c, r->file);
	int64_t from;

	return err != NULL ? err : migrate_run(c, DB_CONSOLE, &from);
}

/* Settles the people. */
static struct err *
settle(struct ctx *c, struct restore *r)
{
	TRY(bring_up(c, r));
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	person_settle(c, !r->people_back);
	r->people_there = person_count(c);
	db_commit(c);
	return NULL;
}

/* Counts them, and changes nobody. */
static struct err *
count_theirs(struct ctx *c, struct restore *r)
{
	TRY(bring_up(c, r));
	db_begin_read(c, DB_CONSOLE);
	r->people_there = person_count(c);
	db_commit(c);
	return NULL;
}

/* Runs a step where people/ is the prepared folder. */
static struct err *
with_prepared(struct ctx *c, struct restore *r, restore_step *step)
{
	const struct instance *present = c->instance;
	struct instance other = *present;
	struct err *err;

	other.home = r->people_room.path;
	c->instance = &other;
	err = restore_with_database(c, r, arena_printf(c->arena, "%s/galley.db", r->folder), step);
	c->instance = present;
	return err;
}

/* Tells that the backup has people who could be taken. What is wrong with them stops no
 * restore that does not take them. */
static void
tell(struct ctx *c, struct restore *r)
{
	struct err *err;

	if (!r->facts.people || r->people_now > 0 || restore_people_complaint(c, r) != NULL)
		return;
	err = move(c, r);
	if (err == NULL)
		err = with_prepared(c, r, count_theirs);
	if (err == NULL && r->people_there > 0)
		work_tell(r->work, "%s",
		    hint_say(c, "the backup holds people, and this instance has none.",
			HINT_PEOPLE_TAKE, NULL));
}

/* Removes the unpacked files, unless they were moved: nothing takes them. */
static void
forget(struct ctx *c, const struct restore *r)
{
	(void)unlink(restore_file(c, r, ARCHIVE_PEOPLE_UNPACKED));
	(void)unlink(restore_file(c, r, ARCHIVE_SECRET_UNPACKED));
}

static struct err *
check(struct ctx *c, const struct restore *r)
{
	const char *damage;

	if (!r->facts.people)
		return err_hint(c, refuse(c, ERR_INVALID, "%s holds no people.", r->file),
		    HINT_PEOPLE_STAY, NULL);
	if (r->people_now > 0)
		return err_hint(c,
		    refuse(c, ERR_CONFLICT, "This instance has people, and they stay."),
		    HINT_PEOPLE_STAY, NULL);
	damage = restore_people_complaint(c, r);
	if (damage != NULL)
		return refuse(c, ERR_INVALID, "The people in %s are damaged: %s.", r->file, damage);
	return NULL;
}

/* Returns whether the people of the backup are those of this instance at another time: only
 * they have its secret. */
static bool
are_ours(struct ctx *c, const struct restore *r)
{
	const char *here, *there;
	size_t here_len = 0, there_len = 0;

	here = fileio_read_now(c->arena,
	    arena_printf(c->arena, "%s/people/secret", c->instance->home), SECRET_SIZE, &here_len);
	there = fileio_read_now(
	    c->arena, restore_file(c, r, ARCHIVE_SECRET_UNPACKED), SECRET_SIZE, &there_len);
	return here != NULL && there != NULL && here_len == SECRET_SIZE &&
	       there_len == SECRET_SIZE && memcmp(here, there, SECRET_SIZE) == 0;
}

/* The way back after an upgrade: this program cannot open the present people. */
static struct err *
go_back(struct ctx *c, struct restore *r)
{
	r->people_back =
	    r->facts.people && restore_people_complaint(c, r) == NULL && are_ours(c, r);
	if (r->people_back)
		TRY(move(c, r));
	if (r->people_back)
		TRY(with_prepared(c, r, settle));
	if (r->people_back)
		work_tell(r->work, "%s",
		    hint_say(c,
			"people/console.db is of a newer release than this program: the people are as the backup has them. Who was disabled or lost rights since then has them again.",
			HINT_PEOPLE, NULL));
	else
		work_tell(r->work,
		    "people/console.db is of a newer release than this program, and the backup has no people of this instance: the file stays, and the console waits until that release is installed again.");
	return NULL;
}

struct err *
restore_people_prepare(struct ctx *c, struct restore *r)
{
	struct err *err = NULL;

	if (secret_exists(c))
		err = restore_with_copy(c, r, count_present);
	if (err == NULL && r->people) {
		err = check(c, r);
		if (err == NULL)
			err = move(c, r);
		return err != NULL ? err : with_prepared(c, r, settle);
	}
	if (err == NULL && r->people_newer)
		err = go_back(c, r);
	else if (err == NULL)
		tell(c, r);
	forget(c, r);
	return err;
}

/* Puts the prepared secret in place: nothing is keyed with the present one yet. */
static void
put_secret(struct ctx *c, const struct restore *r)
{
	const char *path = arena_printf(c->arena, "%s/people/secret", c->instance->home);
	const char *bytes;
	size_t len;

	bytes = fileio_read_now(c->arena, prepared(c, r, "/secret"), SECRET_SIZE, &len);
	if (bytes == NULL || len != SECRET_SIZE ||
	    !fileio_replace(c->arena, path, bytes, len, 0600))
		die("%s: %s: everything else is restored; say the same again", path,
		    strerror(errno));
}

void
restore_people_stay(struct ctx *c, const struct restore *r)
{
	if (r->people || r->people_back || r->people_newer || !secret_exists(c))
		return;
	db_open(c, DB_WAIT_TOOL_MS);
	mail_end_all(c);
	db_close(c);
}

void
restore_people_put(struct ctx *c, const struct restore *r)
{
	struct db_swap *s;

	if (!r->people && !r->people_back)
		return;
	db_open(c, DB_WAIT_TOOL_MS);
	secret_create(c);
	db_people_secret_changes(c);
	db_close(c);
	put_secret(c, r);
	(void)FAULT("restore-people");
	s = db_swap_open(c, DB_CONSOLE);
	(void)db_swap_lock(c, s, prepared(c, r, "/console.db"));
	db_swap_commit(c, s);
	db_swap_close(s);
}
