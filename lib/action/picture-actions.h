#ifndef ACTION_PICTURE_ACTIONS_H
#define ACTION_PICTURE_ACTIONS_H
/*
 * The pictures of a workspace: how a person gives one, what their list shows, what is changed.
 *
 * A picture that a person gives (docs/console.md §4.6). Its file is written before the
 * transaction that names it, and has its name, by which the web server gives it, from
 * upload_insert() on:
 *
 * 	struct upload u = { .bytes = …, .len = …, .alternative = …, .person = uuid };
 * 	err = upload_begin(c, workspace, &u);
 * 	if (err == NULL) {
 * 		begin a writing transaction in the workspace
 * 		err = upload_insert(c, workspace, &u);
 * 		end it with err
 * 		upload_end(c, &u, err == NULL);
 * 	}
 *
 * upload_add() does all that follows upload_begin(), for a picture alone. A process that is killed
 * leaves a file that nothing names; a mark in run/console/uploads/ says so, and a later upload
 * removes both.
 */
#include <stdbool.h>
#include <stddef.h>

#include "access/workspace.h"
#include "article/article-pictures.h"
#include "article/article.h"
#include "article/media.h"
#include "article/purge.h"
#include "base/err.h"

struct upload {
	/* What is asked. */
	const void *bytes;
	size_t len;
	const char *alternative; /* "": none */
	const char *person; /* UUID */

	/* What became of it. */
	struct media media;
	const char *marked; /* the file's name; NULL: none is marked */
};

/*
 * Removes the metadata and writes the file under another name. No transaction may be open. Refuses
 * (ERR_INVALID, or ERR_TOO_LARGE) what is no picture that can be stored, with a sentence
 * that says what to do; more than account_mib of galley.conf allows (ERR_TOO_LARGE); and
 * (ERR_UNAVAILABLE) what the disk has no room for.
 */
MAY_REFUSE struct err *upload_begin(struct ctx *c, const struct workspace *w, struct upload *u);

/* Adds the picture to the list of the workspace, and gives its file its name. In the writing
 * transaction. Refuses more than account_mib again: others may have come meanwhile. */
MAY_REFUSE struct err *upload_insert(struct ctx *c, const struct workspace *w, struct upload *u);

/* Ends it, after the transaction. Of one that is not `kept`, the file goes unless it is that
 * of a stored picture; a file that was there before stays while a backup reads it. */
void upload_end(struct ctx *c, struct upload *u, bool kept);

/*
 * Pictures that lost their rows (purge_rows()): the first marks their files, in the writing
 * transaction; the second removes them after that, and returns how many are gone. A backup holds
 * the files for as long as it reads them, and nobody waits for it here: then the marks stay, and a
 * later upload removes the files.
 */
void upload_mark_gone(struct ctx *c, const struct purge_media *m);

size_t upload_remove_gone(struct ctx *c, const struct purge_media *m);

/* The action, after upload_begin(); it changes the workspace (DB_CHANGES_WORKSPACE). */
MAY_REFUSE struct err *upload_add(struct ctx *c, const struct workspace *w, struct upload *u);

/*
 * ---- Pictures that are there
 *
 * The changes are of the workspace (DB_CHANGES_WORKSPACE).
 */

/* A picture and where it is shown. */
struct picture_view {
	struct picture_row picture;
	struct picture_use *uses;
	size_t use_count;
	bool more_uses; /* there are more */
	bool is_logo; /* the workspace's settings name it */
	const char *markdown; /* what puts it into a text */
};

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

/* Reads one picture with its first uses. Refuses (ERR_NOT_FOUND) one that the
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
