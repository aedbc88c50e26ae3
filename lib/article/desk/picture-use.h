#ifndef ARTICLE_DESK_PICTURE_USE_H
#define ARTICLE_DESK_PICTURE_USE_H
/*
 * Where stored pictures are shown (table picture_use of db/schema.sql): by the working copy
 * of an article and by its last edition. The files of lib/article that write those call the
 * first two functions; no route of the API reads the table. A text names a picture by its
 * short name (media:…) or by its address (…/media/…).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ctx.h"
#include "content/snapshot.h"

/* Calls `each` with the begin of 64 hex digits for everything in a text that may name a
 * picture. */
void picture_use_in(
    const char *text, size_t len, void (*each)(void *arg, const char *digest), void *arg);

/* A text of an article that was just written. */
struct picture_use_text {
	int64_t workspace_id, article_id;
	bool published; /* it is the last edition; else the working copy */
	const struct snapshot *snapshot;
	const char *json; /* of its content */
	size_t json_len;
};

/* Notes what the text shows. Pictures of a working copy that are new in the workspace join
 * its list (picture-list.h). In the writing transaction. */
void picture_use_note(struct ctx *c, const struct picture_use_text *text);

/* Deletes what was noted of an article, before its row is deleted. */
void picture_use_delete(struct ctx *c, int64_t article_id);

/* Returns whether the working copy or the last edition of any article shows the picture. */
bool picture_use_is_known(struct ctx *c, const char *digest);

/* An article that shows a picture. */
struct picture_use {
	const char *article; /* UUID */
	const char *title;
	bool trashed;
	bool draft; /* the working copy shows it */
	bool published; /* the last edition shows it */
};

/* Lists the articles of a workspace that show a picture, at most `max`, and returns their
 * number; *more: there are more. */
size_t picture_use_list(struct ctx *c, int64_t workspace_id, const char *digest,
    struct picture_use *out, size_t max, bool *more);

#endif
