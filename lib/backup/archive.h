#ifndef BACKUP_ARCHIVE_H
#define BACKUP_ARCHIVE_H
/*
 * An instance as one tar, mode 0600 (docs/design.md §6): galley.db (a copy that was
 * checked), pepper, galley.conf and media/. What `backup` writes, what `restore`
 * reads, and what restore and migrate keep of what they replace.
 *
 * A picture is compared with its name when it is written and when it is read: one
 * that is damaged is left out and named, and all else is whole.
 *
 * archive.c		writing
 * archive-media.c	its pictures
 * archive-read.c	reading
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "system/fresh.h"
#include "backup/tar.h"
#include "job/scratch.h"
#include "system/work.h"

/* A picture that is not in the archive, though it belongs there. */
struct archive_damaged {
	const char *name; /* "<digest>.<ext>" */
	const char *why;  /* "its bytes are not those that its name says" */
};

struct archive_facts {
	int64_t bytes; /* of the tar */
	int64_t media; /* pictures in it */
	const char **names; /* of them; in order where the archive was written */
	struct archive_damaged *damaged;
	size_t damaged_count;
};

/*
 * Writes the instance, whose database is open, to `path`, which gets its name when
 * it is whole. A file of that name is replaced if `replace`, else refused. Refuses
 * a path that the web server would serve, what cannot be read or written, and
 * while a restore changes the instance. Pictures that are damaged or missing are
 * left out: facts->damaged.
 *
 * `damaged`: of an instance whose database or pepper is lost or damaged; the
 * database is not open: its pages as they are. For a look into, not for restore.
 */
MAY_REFUSE struct err *archive_write(struct ctx *c, const struct work *work,
    const char *path, bool damaged, bool replace, struct archive_facts *facts);

/* Tells of the damaged pictures, and what to do. */
void archive_tell_damaged(const struct work *work,
    const struct archive_facts *facts, const char *path);

/* Looks at the file that a backup would replace: *made_at is the time of a backup, -1
 * where the file is empty or missing. Refuses a file that is no backup. */
MAY_REFUSE struct err *archive_find_old(struct ctx *c, const char *path,
    int64_t *made_at);

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
	bool damaged; /* what archive_write() says of it */
};

/* Makes a folder for a copy of the database, and the path of the copy. */
MAY_REFUSE struct err *archive_make_room(struct ctx *c, struct scratch *out,
    const char **copy);

/* Begins one. What is refused leaves nothing that archive_drop() would have to
 * remove, and it may be called. */
MAY_REFUSE struct err *archive_begin(struct ctx *c, const struct work *work,
    const char *path, bool damaged, struct archive *a);

/* Adds pepper and galley.conf; a copy of the database; all pictures that are not
 * in it yet. The copy is older than the list of pictures, so that none is
 * missed. */
MAY_REFUSE struct err *archive_add_secrets(struct archive *a);
MAY_REFUSE struct err *archive_add_database(struct archive *a,
    const char *copy);
MAY_REFUSE struct err *archive_add_pictures(struct archive *a);

/* Notes the pictures that the open database names and that are not there. */
void archive_find_missing(struct archive *a);

/* Takes back what was added since a->tar.written was `place`; pictures stay noted:
 * none of them may be among it. */
MAY_REFUSE struct err *archive_back_to(struct archive *a, int64_t place);

/* Ends it and gives it its name. Fills a->facts. */
MAY_REFUSE struct err *archive_end(struct archive *a, bool replace);

/* Removes what was written; nothing after archive_end() succeeded. */
void archive_drop(struct archive *a);

/* Adds to the facts; puts their names in order, in which archive_has_name() finds
 * one. */
void archive_note_name(struct ctx *c, struct archive_facts *facts,
    const char *name);
void archive_note_damaged(struct ctx *c, struct archive_facts *facts,
    const char *name, const char *why);
void archive_sort_names(struct archive_facts *facts);
bool archive_has_name(const struct archive_facts *facts, const char *name);

/*
 * Lays galley.db, pepper and galley.conf of the archive at `path` into `folder`
 * (which is there) and, with `media`, its media where they belong: media files
 * are named by their content, so that adding some never changes what is there;
 * a file that is damaged is replaced. Without it they are read and compared with
 * their names. A picture that is damaged in the archive is left out
 * (facts->damaged). Refuses what is no backup, or damaged otherwise.
 */
MAY_REFUSE struct err *archive_read(struct ctx *c, const struct work *work,
    const char *path, const char *folder, bool media,
    struct archive_facts *facts);

/* Removes from `folder` what writers of archives that were killed left there a
 * day ago or longer: hidden files whose names begin with `.NAME`. */
void archive_sweep(struct ctx *c, const char *folder, const char *name);

/* Refuses a path that the web server would serve. */
MAY_REFUSE struct err *archive_check_place(struct ctx *c, const char *path);

/* "20260901T080000Z": now, for names of backups. In the arena. */
const char *archive_time(struct ctx *c);

/* "DIR/db/WHAT-20260901T080000Z.tar", for backups beside the database. */
const char *archive_beside(struct ctx *c, const char *what,
    const char *extension);

#endif
