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
};

/*
 * Writes the instance, whose database is open, to `path`: under another name
 * first, so that a backup of that name which is there already stays until the
 * new one is whole. Refuses a path that the web server would serve, and what
 * cannot be read or written.
 */
MAY_REFUSE struct err *archive_write(struct ctx *c, const char *path,
    struct archive_facts *facts);

/* The same of an instance whose database is damaged, and not open: its pages as
 * they are. For a look into, not for restore. */
MAY_REFUSE struct err *archive_write_damaged(struct ctx *c, const char *path,
    struct archive_facts *facts);

/*
 * Lays galley.db, pepper and galley.conf of the archive at `path` into `folder`
 * (which is there), and its media where they belong: media files are named by
 * their content, so that adding some never changes what is there. Refuses what
 * is no backup, or damaged.
 */
MAY_REFUSE struct err *archive_read(struct ctx *c, const char *path,
    const char *folder, struct archive_facts *facts);

/* "DIR/db/WHAT-20260901T080000Z.tar", for backups beside the database. */
const char *archive_beside(struct ctx *c, const char *what,
    const char *extension);

#endif
