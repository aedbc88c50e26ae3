#ifndef ARTICLE_ARTICLE_PICTURES_H
#define ARTICLE_ARTICLE_PICTURES_H
/*
 * The pictures of a workspace (table picture of db/schema.sql; docs/console.md §4.6): those
 * that somebody uploaded in the console, and those that its articles brought with them. The
 * files are those of article/media.h. No route of the API reads the table.
 *
 * A picture that was removed from the list keeps its row, with added_at 0, while its file stays
 * (an edition or a save names it): so its bytes still count for the account.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "article/media.h"
#include "base/ctx.h"
#include "content/snapshot.h"

struct picture_row {
	char digest[MEDIA_DIGEST];
	const char *name; /* "<digest>.<ext>" */
	const char *alternative; /* "": none is given yet */
	int64_t width, height, bytes;
	int64_t added_at;
	const char *person; /* UUID; NULL: it came with an article */
};

/* Finds a picture of a workspace; false if the workspace has none of this digest. */
bool
picture_list_find(struct ctx *c, int64_t workspace_id, const char *digest, struct picture_row *out);

/* Returns the name of such a picture (arena), or NULL. */
const char *picture_list_name(struct ctx *c, int64_t workspace_id, const char *digest);

/* Lists at most `max` pictures, newest first, and returns their number. With `before` (or
 * NULL) those after that one. */
size_t picture_list_page(struct ctx *c, int64_t workspace_id, const struct picture_row *before,
    struct picture_row *out, size_t max);

/* The same from the other side: those before `after`, the newest first. */
size_t picture_list_back(struct ctx *c, int64_t workspace_id, const struct picture_row *after,
    struct picture_row *out, size_t max);

/* Adds a picture that `person` uploaded. One that is in the list comes to its begin, with
 * the new alternative text if there is one. In the writing transaction, like the next
 * functions. */
void picture_list_add(struct ctx *c, int64_t workspace_id, const char *digest,
    const char *alternative, const char *person);

/* Changes the alternative text; false if the workspace has no such picture. */
bool picture_list_describe(
    struct ctx *c, int64_t workspace_id, const char *digest, const char *alternative);

/* Removes a picture from the list; false if it is not there. Its row goes with its file
 * (picture_list_forget()). */
bool picture_list_remove(struct ctx *c, int64_t workspace_id, const char *digest);

/* Removes all pictures of a workspace from its list. */
void picture_list_remove_all(struct ctx *c, int64_t workspace_id);

/* Removes the pictures that are stored no more from all lists. */
void picture_list_forget(struct ctx *c);

/* Returns the bytes of all pictures of an account, also of those that were removed from a list
 * while their file stays; those of two workspaces count twice. */
int64_t picture_list_bytes(struct ctx *c, int64_t account_id);

/*
 * Where stored pictures are shown (table picture_use of db/schema.sql): by the working copy
 * of an article and by its last edition. The files of lib/article that write those call the
 * first two functions; no route of the API reads the table. A text names a picture by its
 * short name (media:…) or by its address (…/media/…).
 */

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
 * its list . In the writing transaction. */
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
