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
#include "article/moved-article.h"
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

/* ---- for restore-one.c */

/* Writes a file of some articles of a workspace, those that `wants` takes, with the pictures that
 * they show and that are in the folder `media`. */
MAY_REFUSE struct err *workspace_export_some(struct ctx *c, const struct work *work,
    const struct workspace *w, const char *path, const char *media,
    bool (*wants)(void *arg, const struct article *a), void *arg, struct workspace_file *out);

/* Functions that take what is in a file, in its order; what they get lives during the call, an
 * article until its end. */
struct workspace_visitor {
	struct err *(*workspace)(void *arg, const struct workspace *then, const char *time_zone,
	    const char *const *look);
	struct err *(*article)(void *arg, struct moved_article *m);
	struct err *(*edition)(void *arg, struct moved_article *m);
	struct err *(*end)(void *arg, struct moved_article *m);
	/* An article was refused, perhaps before `article` got it: the refusal, or NULL to go on
	 * with the next one. */
	struct err *(*refused)(void *arg, const struct moved_article *m, struct err *err);
	void *arg;
};

/* Stores the pictures of a file that Galley wrote, and calls the visitor's functions. A transaction
 * that one of them has begun is undone after a refusal. */
MAY_REFUSE struct err *workspace_visit(struct ctx *c, const struct work *work, const char *path,
    const struct workspace_visitor *visitor);

/*
 * One workspace, or one article, comes back from the backup of an instance: a work. Each article
 * is a transaction: killed, the same again does the rest. The rules are those of a restore: what is
 * withdrawn, in the trash or purged now stays so, and what is closed stays closed, unless
 * `as_it_was`; no key and no credit is touched. Besides, nothing that is newer is lost: what was
 * created since stays, a working copy that is replaced is in History, what readers see is a new
 * edition. Where another article has a slug by now, it gets a number. An article that is refused
 * stays as it is, and the others come. An article that was purged comes back as a draft, if it is
 * named; pages and notify_url of a workspace that was deleted stay off.
 */
struct restore_one {
	const struct work *work;
	const char *file;
	const char *workspace; /* its id or name; NULL: an article is named */
	const char *article; /* its id */
	bool as_it_was;
	/* what was done: */
	const char *uuid, *name; /* of the workspace */
	int64_t articles; /* that are as the backup has them, or were made */
	int64_t published; /* of them: readers see what the backup has */
	const char **withheld; /* sentences, about what stays as it is */
	size_t withheld_count;
	const char **failed; /* sentences, about articles and pictures that could not come back */
	size_t failed_count;
};

MAY_REFUSE struct err *restore_one_run(struct ctx *c, struct restore_one *one);

#endif
