#ifndef TASK_MOVING_MOVING_FILES_H
#define TASK_MOVING_MOVING_FILES_H
/*
 * The files of an import: the upload itself, or what was unpacked of it into
 * run/console/opened-UUID (docs/console.md §4.11). Strangers made them: they are read by the
 * readers of import/ alone, and nothing outside of that folder is.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "people/task.h"
#include "system/beneath.h"

struct ctx;

#define MOVING_FETCHED                                                                             \
	"fetched-" /* a file in run/console/, with the upload's UUID: the journal
				     of pictures that were fetched (moving-pictures.h) */

struct moving_files {
	const char *sent; /* the upload's path */
	bool archive;
	const char *opened; /* the folder of an archive; "" of a plain file */
	const char *const *paths; /* of exports */
	size_t count;
	bool has_pictures;
	struct beneath pictures; /* the folder that has them */
};

/* Says where they are, and whether it is an archive. Refuses a file that is gone. */
MAY_REFUSE struct err *
moving_files_find(struct ctx *c, const struct moving *m, struct moving_files *out);

/* Returns whether another host has the upload of this import, as far as this one can know: it was
 * not worked on for less than a day. Later each host says that the file is gone. In a transaction
 * of DB_CONSOLE. */
bool moving_files_are_elsewhere(struct ctx *c, const struct task *t);

/* Finds the exports, and the folder of their pictures. Refuses an archive without one. */
MAY_REFUSE struct err *
moving_files_list(struct ctx *c, const struct moving *m, struct moving_files *out);

/* Returns a sentence without the folders in which the files are: people never saw them. */
const char *
moving_files_words(struct ctx *c, const struct moving_files *files, const char *sentence);

#endif
