#ifndef ACTION_PICTURE_H
#define ACTION_PICTURE_H
/*
 * The pictures of a workspace (docs/console.md §4.6): what the list shows, and what is
 * changed of a picture that is there. upload.h adds one. The changes are of the workspace
 * (DB_CHANGES_WORKSPACE).
 */
#include <stdbool.h>
#include <stddef.h>

#include "access/workspace.h"
#include "article/article.h"
#include "article/desk/picture-list.h"
#include "article/desk/picture-use.h"
#include "base/err.h"

/* A picture and where it is shown. */
struct picture_view {
	struct picture_row picture;
	struct picture_use *uses;
	size_t use_count;
	bool more_uses; /* there are more */
	bool is_logo; /* the workspace's settings name it */
	const char *markdown; /* what puts it into a text */
};

#define PICTURE_USES_SHOWN 100

/* A page of the list. Fill in `older` or `newer` with the key of the address, or NULL. */
struct picture_page {
	/* What is asked. */
	const char *older, *newer;
	size_t limit;
	bool bare; /* without uses */

	/* What there is. */
	struct picture_view *list;
	size_t count;
	const char *next, *before; /* keys of the pages beside it, or NULL */
};

/* Reads a page, newest first; of each picture at most 3 uses. */
void picture_page_look(struct ctx *c, const struct workspace *w, struct picture_page *page);

/* Reads one picture with PICTURE_USES_SHOWN uses. Refuses (ERR_NOT_FOUND) one that the
 * workspace has not. */
MAY_REFUSE struct err *picture_look(
    struct ctx *c, const struct workspace *w, const char *digest, struct picture_view *out);

/* Changes the alternative text. What articles say of the picture stays. */
MAY_REFUSE struct err *picture_describe(
    struct ctx *c, const struct workspace *w, const char *digest, const char *alternative);

/* Removes a picture from the list, and its file if nothing names it any more. Refuses
 * (ERR_CONFLICT) one that an article or the workspace's settings show. */
MAY_REFUSE struct err *picture_remove(struct ctx *c, const struct workspace *w, const char *digest);

#endif
