#ifndef IMPORT_ITEM_H
#define IMPORT_ITEM_H
/* What is imported, how, and what became of it: for import.h and the files behind it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "system/beneath.h"

struct article;

enum import_action { IMPORT_CREATED, IMPORT_UPDATED, IMPORT_UNCHANGED };

/* Returns the name in results: created, updated, unchanged. */
const char *import_action_name(enum import_action action);

/* A picture that is part of the program (the demo's). */
struct import_embedded {
	const char *name; /* of its file; NULL ends a list */
	const unsigned char *bytes;
	size_t len;
};

struct import_options {
	bool publish; /* publish what is no draft and not dated ahead */
	bool unfinished; /* publish also what has callouts of kind todo */
	bool force; /* overwrite what changed since `base` */
	bool move; /* also the slug of a published article (moved_check()) */
	const char *id; /* the only article that may be written: an editor's
			     text (no other is looked for), or NULL */
	const char *base; /* its token as the text was made from it, or NULL:
			     then the front matter's */
	const struct beneath *media; /* where pictures are looked for that are
			not beside their document, or NULL */
	int64_t *room; /* bytes of pictures that may be stored; NULL: all that come */
	bool dry; /* nothing is stored: what would come of it is told */
	const char *source; /* what the path of a file is remembered by, before its name in
			its folder; NULL: the folder's real path */
	const struct import_embedded *pictures; /* what relative paths of a
				text that is no file name, or NULL */
};

struct import_result {
	const char *id; /* of the article */
	const char *slug; /* of its working copy */
	const char *status; /* draft or published */
	enum import_action action;
	const char **notes; /* what was changed or dropped on the way in */
	size_t note_count;
	size_t missing_pictures; /* each has its note */
};

/* Tells what became of an article: `fresh`, it was created; `touched`, it was changed.
 * Leaves the notes. */
void import_result_set(struct import_result *r, const struct article *a, bool fresh, bool touched);

/* A file on its way in. */
struct import_item {
	const char *path; /* as it is told */
	const struct beneath *folder; /* that was named: nothing outside of it
					 is read */
	const char *name; /* the path from there */
	struct err *err; /* why it was refused; nothing of it is stored then */
	struct import_result result; /* also then it has the notes */
};

#endif
