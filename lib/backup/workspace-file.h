#ifndef BACKUP_WORKSPACE_FILE_H
#define BACKUP_WORKSPACE_FILE_H
/*
 * One workspace as a file, with which a customer moves to another instance (docs/design.md §6): a
 * tar archive, mode 0600, of one snapshot. Its files, in this order:
 *
 *	0             "Galley workspace 1", a sentence, then a line "DIGEST  NAME BYTES" for each
 *	              file that follows
 *	1             the id, the settings, the list of pictures (JSON)
 *	DIGEST.png …  pictures
 *	2, 3, …       articles, the trash too (article/moved-article.h)
 *	2.1, 2.2, …   the editions of article 2, after it
 *
 * Keys, jobs, credits and people are not in it, nor History, comments and dates, which name
 * people, nor what leads readers or websites to an instance: the word of the pages, notify_url,
 * links to previews.
 *
 * The file that is read is a stranger's. No name in it becomes a path. There are limits,
 * also those of what people type; all that readers see is made here, of sources.
 */
#include <stddef.h>
#include <stdint.h>

#include "access/workspace.h"
#include "article/media.h"
#include "backup/archive.h"
#include "base/err.h"

struct work;

struct workspace_file {
	const char *uuid, *name; /* of the workspace */
	int64_t bytes;
	int64_t articles, published, pictures;
	struct archive_damaged
	    *damaged; /* pictures that were left out of a file that was written */
	size_t damaged_count;
	bool many; /* another workspace here has the name */
};

#define WORKSPACE_FILE_FORMAT "Galley workspace 1\n"

/* Limits: files, bytes of the list, of a text, of all files. */
#define WORKSPACE_FILE_COUNT_MAX ((size_t)200000)
#define WORKSPACE_FILE_LIST_MAX ((size_t)32 * 1024 * 1024)
#define WORKSPACE_FILE_TEXT_MAX ((size_t)8 * 1024 * 1024)
#define WORKSPACE_FILE_BYTES_MAX ((int64_t)64 * 1024 * 1024 * 1024)

/* Writes the digest of a file's bytes: that of media.h. */
void workspace_file_digest(const void *bytes, size_t len, char out[MEDIA_DIGEST]);

/* Writes the workspace to `path`: a work. Refuses a file that exists, a folder that the web server
 * serves, and a workspace over the limits. */
MAY_REFUSE struct err *workspace_export(struct ctx *c, const struct work *work,
    const struct workspace *w, const char *path, struct workspace_file *out);

/*
 * Makes the workspace of the file at `path`, for an account (id or name): a work. It keeps its id
 * and those of its articles, gets a new epoch, and /sync announces what is published, once. Refuses
 * what does not fit, and an id that this instance has or had. After a refusal, a kill too, there is
 * no workspace. Closes the database.
 */
MAY_REFUSE struct err *workspace_import(struct ctx *c, const struct work *work, const char *path,
    const char *account, struct workspace_file *out);

#endif
