/* Keeps the state that a restore replaces (restore.h). */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/pepper.h"
#include "article/media.h"
#include "backup/archive.h"
#include "backup/restore.h"
#include "base/ctx.h"
#include "store/db-hosts.h"
#include "store/db.h"
#include "store/schemas.h"
#include "system/filelock.h"
#include "system/instance.h"

static void
tell_unknown(struct ctx *c, const struct work *work, const char *state)
{
	work_tell(work, "the present database %s: %s", state,
	    hint_say(c,
		"keys that were revoked after the backup work again, accounts that were suspended are not, what was withdrawn or removed is shown again, and what was closed is open.",
		HINT_LISTS, NULL));
}

/* Reads from the copy of the present state what must not be undone, and which of
 * its pictures are missing. */
static struct err *
look(struct ctx *c, struct restore *r)
{
	if (db_is_ours(c) && db_version(c) > 0)
		archive_find_missing(&r->archive);
	if (db_version(c) != schemas_number(DB_CONTENT)) {
		if (r->database_at == 0)
			tell_unknown(c, r->work, "is of another release");
		return NULL;
	}
	db_begin_read(c, DB_CONTENT);
	restore_find_ended(c, r);
	restore_find_present(c, r);
	restore_find_pictures(c, r);
	db_commit(c);
	return NULL;
}

static struct err *
fetch_pictures(struct ctx *c, struct restore *r)
{
	(void)r;
	archive_fetch_pictures(c);
	return NULL;
}

/* Keeps the present state in an archive. The database is its last file, so that
 * only the database is written again. */
static struct err *
keep_state(struct ctx *c, struct restore *r)
{
	const char *copy = r->copy, *wrong;
	struct archive *a = &r->archive;
	struct err *err = NULL;

	(void)unlink(copy);
	wrong = db_swap_copy_to(c, r->swap, copy);
	if (wrong != NULL)
		return refuse(c, ERR_INTERNAL, "The database cannot be copied: %s.", wrong);
	if (r->database_at == 0) {
		err = archive_add_secrets(a);
		if (err == NULL)
			err = archive_add_people(a);
	} else {
		err = archive_back_to(a, r->database_at);
	}
	if (err == NULL && db_has_hosts())
		err = restore_with_database(c, r, copy, fetch_pictures);
	if (err == NULL)
		err = archive_add_pictures(a);
	if (err == NULL)
		err = restore_with_database(c, r, copy, look);
	r->database_at = a->tar.written;
	return err != NULL ? err : archive_add_database(a, copy);
}

/* Keeps the present state while no picture can be removed that the copy names. */
static struct err *
keep_held(struct ctx *c, struct restore *r)
{
	int held = media_hold(c, false);
	struct err *err;

	if (held < 0)
		return refuse(c, ERR_INTERNAL, "run/media.lock: %s.", strerror(errno));
	err = keep_state(c, r);
	filelock_release(held);
	return err;
}

static void
tell_damaged(const struct restore *r)
{
	work_tell(r->work, "the present %s damaged (%s); what there is is kept in %s.",
	    r->damage != NULL ? "database is" : "pepper is",
	    r->damage != NULL ? r->damage : "it must have 32 bytes", r->kept);
}

static struct err *
refuse_damaged(struct ctx *c, const struct err *err)
{
	if (db_has_hosts())
		return err_hint(c,
		    refuse(c, ERR_INTERNAL,
			"%s Nothing was changed. Make an empty database and another instance with it, and restore there.",
			err->message),
		    HINT_INIT, NULL);
	return err_hint(c,
	    refuse(c, ERR_INTERNAL,
		"%s Nothing was changed. Move %s and the files of that name with -wal and -shm away while nothing runs, make a new database, and restore again.",
		err->message, c->instance->db),
	    HINT_INIT, NULL);
}

/* Keeps the pages of a damaged database as they are: nothing can be read from it. A server still
 * gives its rows, and the pictures that this host has no copy of. */
static struct err *
keep_pages(struct ctx *c, struct restore *r)
{
	struct archive_facts facts;
	struct err *err = NULL;

	if (db_has_hosts())
		err = restore_with_database(c, r, c->instance->db, fetch_pictures);
	if (err == NULL)
		err = archive_write(c, r->work, r->kept, true, true, false, &facts);
	if (err != NULL)
		return refuse_damaged(c, err);
	tell_damaged(r);
	archive_tell_damaged(c, r->work, &facts, r->kept);
	tell_unknown(c, r->work, "is damaged");
	return NULL;
}

static bool
has_pepper(struct ctx *c)
{
	struct stat st;

	return stat(c->instance->pepper, &st) == 0 && st.st_size == PEPPER_SIZE;
}

/* Keeps the present state. Without its pepper that is not a backup, but the
 * restore continues. */
struct err *
restore_keep(struct ctx *c, struct restore *r)
{
	bool whole = r->damage == NULL && has_pepper(c);
	struct err *err;

	db_close(c);
	r->swap = db_swap_open(c, DB_CONTENT);
	r->kept = archive_beside(c, "before-restore", whole ? "tar" : "damaged.tar");
	if (r->damage != NULL)
		return keep_pages(c, r);
	err = archive_make_room(c, &r->scratch, &r->copy);
	if (err == NULL)
		err = archive_begin(c, r->work, r->kept, !whole, &r->archive);
	if (err == NULL)
		err = keep_held(c, r);
	if (err == NULL && !whole)
		tell_damaged(r);
	return err;
}

struct err *
restore_keep_again(struct ctx *c, struct restore *r, bool held)
{
	return held ? keep_state(c, r) : keep_held(c, r);
}

struct err *
restore_keep_end(struct ctx *c, struct restore *r)
{
	struct err *err;

	(void)c;
	if (r->archive.file.fd < 0)
		return NULL;
	err = archive_end(&r->archive, true);
	if (err == NULL)
		archive_tell_damaged(c, r->work, &r->archive.facts, r->kept);
	return err;
}

void
restore_keep_drop(struct restore *r)
{
	if (r->swap != NULL)
		db_swap_close(r->swap);
	r->swap = NULL;
	archive_drop(&r->archive);
	scratch_remove(&r->scratch);
}
