#ifndef ARTICLE_DESK_PICTURE_LIST_H
#define ARTICLE_DESK_PICTURE_LIST_H
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

struct ctx;

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

/* Lists at most `max` pictures, newest first, and returns their number. With `before` (or
 * NULL) those behind that one. */
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

/* Adds a picture that an article shows, unless it is in the list or is no stored one. */
void picture_list_found(
    struct ctx *c, int64_t workspace_id, const char *digest, const char *alternative);

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

#endif
