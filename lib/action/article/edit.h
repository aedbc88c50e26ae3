#ifndef ACTION_EDIT_H
#define ACTION_EDIT_H
/*
 * The actions around an editor: they give the working copy as a text, and save the text
 * that came of it.
 *
 *	err = edit_open(c, place, name, &e);
 *	…			a person edits e.text
 *	err = edit_save(c, &e, text, len, &result);	until it is taken
 *	err = edit_end(c, &e);
 *
 * edit_save() changes the article's workspace (DB_CHANGES_WORKSPACE); the others read.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "action/action.h"
#include "article/revision.h"
#include "base/err.h"
#include "import/import.h"

struct edit {
	bool move; /* also the slug of a published article */

	const struct article *article; /* as it was read last */
	const struct workspace *workspace;
	const char *text; /* the working copy as Markdown (docs/export.md §5) */
	size_t len;
	char base[TOKEN_TEXT]; /* of the working copy */
	int64_t unfinished; /* filled by edit_end() */
};

/* Reads the article that is named, and its text. */
MAY_REFUSE struct err *
edit_open(struct ctx *c, const struct find_place *place, const char *name, struct edit *e);

/* Saves a text as the working copy. Refuses what import_text() refuses, above all an
 * article that was changed since edit_open(). */
MAY_REFUSE struct err *edit_save(struct ctx *c, const struct edit *e, const char *text, size_t len,
    struct import_result *result);

/* Reads the article again, as it is after the editing. */
MAY_REFUSE struct err *edit_end(struct ctx *c, struct edit *e);

#endif
