#ifndef BACKUP_ARCHIVE_H
#define BACKUP_ARCHIVE_H
/*
 * An archive is an instance as one tar file, mode 0600 (docs/design.md §6): galley.db (a
 * copy that was checked), people/ (console.db, a copy as well, and its secret), pepper,
 * galley.conf and media/. An instance without people has no people/ in it. With stats/stats.db in
 * it, the counts of readers are a copy to keep: a restore leaves the present counts. `backup`
 * writes it, `restore` reads it; restore and migrate keep in one what they replace.
 *
 * The bytes of a picture are compared with its name when the picture is written and when
 * it is read. A damaged picture is left out and named; the rest of the archive is whole.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backup/tar.h"
#include "base/err.h"
#include "job/scratch.h"
#include "system/fresh.h"
#include "system/work.h"

/* A picture that belongs in the archive and is not in it. */
struct archive_damaged {
	const char *name; /* "<digest>.<ext>" */
	const char *why; /* "its bytes are not those that its name says" */
};

struct archive_facts {
	int64_t bytes; /* of the tar */
	int64_t media; /* pictures in it */
	bool people; /* people/ is in it, with its secret */
	bool stats; /* the counts of readers are in it */
	const char **names; /* their names; sorted if the archive was written */
	struct archive_damaged *damaged;
	size_t damaged_count;
};

/*
 * Writes the instance, whose database is open, to `path`; the file gets this name when it
 * is whole. A file of that name is replaced if `replace` is true, else refused. Refuses
 * a path that the web server would serve, a file that cannot be read or written, and any
 * backup while a restore changes the instance. Pictures that are damaged or missing are
 * left out: facts->damaged.
 *
 * `damaged`: the database or the pepper of the instance is lost or damaged. The database
 * is then not open, and its pages are written as they are. Such an archive can be
 * examined, not restored.
 *
 * `stats`: with the counts of readers, if there are any.
 */
MAY_REFUSE struct err *archive_write(struct ctx *c, const struct work *work, const char *path,
    bool damaged, bool replace, bool stats, struct archive_facts *facts);

/* Tells of the damaged pictures, and what to do. */
void archive_tell_damaged(
    struct ctx *c, const struct work *work, const struct archive_facts *facts, const char *path);

/* Looks at the file that a backup would replace: *made_at is the time of a backup, -1
 * where the file is empty or missing. Refuses a file that is no backup. */
MAY_REFUSE struct err *archive_find_old(struct ctx *c, const char *path, int64_t *made_at);

/* ---- the same in steps */

/* The bytes of db/pepper. */
struct archive_pepper {
	const char *bytes;
	size_t len; /* 0: it cannot be read */
};

/* An archive that is being written. */
struct archive {
	struct ctx *c;
	struct fresh file;
	struct tar tar;
	const struct work *work;
	struct archive_pepper pepper; /* when the archive was begun */
	struct archive_facts facts;
	bool damaged, stats; /* as for archive_write() */
};

#define ARCHIVE_PEOPLE_UNPACKED "console.db"
#define ARCHIVE_SECRET "people/secret"

#define ARCHIVE_SECRET_UNPACKED "people-secret"

/* Creates a folder for a copy of the database; *copy is the path of the copy. */
MAY_REFUSE struct err *archive_make_room(struct ctx *c, struct scratch *out, const char **copy);

/* Begins an archive. After a refusal nothing is left to remove, and archive_drop() may
 * be called. */
MAY_REFUSE struct err *archive_begin(
    struct ctx *c, const struct work *work, const char *path, bool damaged, struct archive *a);

/* Add pepper and galley.conf; a copy of the database; all pictures that are not in the
 * archive yet. The copy must be made before the pictures are listed: then no picture of
 * the copy is missed. */
MAY_REFUSE struct err *archive_add_secrets(struct archive *a);

MAY_REFUSE struct err *archive_add_database(struct archive *a, const char *copy);

MAY_REFUSE struct err *archive_add_pictures(struct archive *a);

/* Fetches the pictures that the open database names and this host has no copy of (media.h). */
void archive_fetch_pictures(struct ctx *c);

/* Adds people/, if the instance has it. Of an archive that is `damaged` it is left out where
 * it cannot be copied, and that is told. */
MAY_REFUSE struct err *archive_add_people(struct archive *a);

/* Notes in a->facts the pictures that the open database names and whose files are missing. */
void archive_find_missing(struct archive *a);

/* Removes what was added since a->tar.written was `place`. No picture may be among it,
 * since a->facts is not changed. */
MAY_REFUSE struct err *archive_back_to(struct archive *a, int64_t place);

/* Ends the archive and gives the file its name. Fills a->facts. */
MAY_REFUSE struct err *archive_end(struct archive *a, bool replace);

/* Removes what was written. Does nothing after archive_end() succeeded. */
void archive_drop(struct archive *a);

/* Returns whether a picture is among the names. */
bool archive_has_name(const struct archive_facts *facts, const char *name);

/*
 * Unpacks galley.db, people/, pepper and galley.conf of the archive at `path` into `folder`, which
 * exists. Into `room`, which it makes, it unpacks the pictures that are not in the instance's media
 * folder, or are damaged there: the caller shows them. If `room` is NULL, it reads the pictures and
 * compares them with their names. A picture that is damaged in the archive is left out
 * (facts->damaged). Refuses a file that is no backup, and other damage.
 */
MAY_REFUSE struct err *archive_read(struct ctx *c, const struct work *work, const char *path,
    const char *folder, const char *room, struct archive_facts *facts);

/* Removes from `folder` the unfinished files of archives whose writers were killed a day
 * ago or longer: hidden files whose names begin with `.NAME`. */
void archive_sweep(struct ctx *c, const char *folder, const char *name);

/* Refuses a path that the web server would serve. */
MAY_REFUSE struct err *archive_check_place(struct ctx *c, const char *path);

/* Returns the present time for the name of a backup, "20260901T080000Z". In the arena. */
const char *archive_time(struct ctx *c);

/* Returns "DIR/db/WHAT-20260901T080000Z.EXTENSION", the path of a backup beside the
 * database. In the arena. */
const char *archive_beside(struct ctx *c, const char *what, const char *extension);

#endif
