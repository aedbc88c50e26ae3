#ifndef COMMAND_ARCHIVE_H
#define COMMAND_ARCHIVE_H
/*
 * An instance as one tar, mode 0600 (design §6): galley.db (a copy that was
 * checked), pepper, galley.conf and media/. What `backup` writes, what `restore`
 * reads, and what restore and migrate keep of what they replace.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct archive_facts {
	int64_t bytes; /* of the tar */
	int64_t media; /* files */
	const char **names; /* archive_read(): of media, as they came */
};

/*
 * Writes the instance, whose database is open, to `path`: under another name
 * first, so that a backup of that name which is there already stays until the
 * new one is whole. Refuses a path that the web server would serve, what cannot
 * be read or written, and while a restore changes the instance.
 */
MAY_REFUSE struct err *archive_write(struct ctx *c, const char *path,
    struct archive_facts *facts);

/* The same of an instance whose database or pepper is lost or damaged; the
 * database is not open: its pages as they are. For a look into, not for
 * restore. */
MAY_REFUSE struct err *archive_write_damaged(struct ctx *c, const char *path,
    struct archive_facts *facts);

/*
 * Lays galley.db, pepper and galley.conf of the archive at `path` into `folder`
 * (which is there) and, with `media`, its media where they belong: media files
 * are named by their content, so that adding some never changes what is there.
 * Without it they are read and compared with their names. Refuses what is no
 * backup, or damaged.
 */
MAY_REFUSE struct err *archive_read(struct ctx *c, const char *path,
    const char *folder, bool media, struct archive_facts *facts);

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
