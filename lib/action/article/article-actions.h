#ifndef ACTION_ARTICLE_ACTIONS_H
#define ACTION_ARTICLE_ACTIONS_H
/*
 * Actions on one article: create it, look at it, edit it, set its fields, review it, destroy it.
 * Publishing and the trash are in publish-actions.h, the form of the console in article-writing.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/workspace.h"
#include "action/action.h"
#include "action/article/publish-actions.h"
#include "article/article-row.h"
#include "article/article.h"
#include "article/desk.h"
#include "article/media.h"
#include "article/purge.h"
#include "article/revision.h"
#include "base/err.h"
#include "export/export.h"
#include "import/import.h"

/* What an action that saved a working copy returns. */
struct saved {
	const struct article *article;
	int64_t unfinished; /* places that are left to write in the working copy */
	bool moves; /* publishing gives the article another address */
	const char *from; /* then: addresses, or slugs if none is configured */
	const char *to;
};

/* Fills `out`. Call it inside the transaction that saved. */
void
saved_read(struct ctx *c, const struct workspace *w, const struct article *a, struct saved *out);

/* ---- Creating, and looking
 *
 * Looking only reads. */

/* Makes a draft with this title in workspace `w`, which was read in an earlier
 * transaction. Its slug is made of the title, its language is the workspace's. Changes
 * that workspace (DB_CHANGES_WORKSPACE). */
MAY_REFUSE struct err *create_draft(
    struct ctx *c, const struct workspace *w, const char *title, const struct article **out);

/* An article as it is looked at: its working copy, what is published, or an edition. */
struct look {
	const struct workspace *workspace;
	const struct article *article;
	const struct export_source *source; /* of what is looked at */
	int64_t unfinished; /* places that are left to write in the working copy */
	struct later_view later; /* the date at which it is published */
	bool is_edition;
	struct edition edition; /* if is_edition */
};

/* Looks at the working copy of the article with this id. */
MAY_REFUSE struct err *look_at_copy(struct ctx *c, const char *id, struct look *out);

/* Looks at what is published of it. Refuses an article that is not published. */
MAY_REFUSE struct err *look_at_published(struct ctx *c, const char *id, struct look *out);

/* Looks at an edition of it (find_edition()). */
MAY_REFUSE struct err *
look_at_edition(struct ctx *c, const char *id, int64_t version, struct look *out);

/*
 * ---- Editing
 *
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

/*
 * ---- Fields
 *
 * Sets fields of an article from text (docs/design.md §6): those of the working copy,
 * and two that act at once.
 *
 *	struct set set = { .move = true };
 *	err = set_read(c, place, name, &set);
 *	err = set_field(c, &set, "title", "Compost");	each field
 *	err = set_write(c, &set);
 *
 * set_write() is the action; it changes the article's workspace (DB_CHANGES_WORKSPACE).
 */
struct set {
	bool move; /* also the slug of a published article */

	const struct article *read; /* as set_read() found it */
	struct snapshot *snapshot; /* the working copy, changed in memory */
	const char *published_url; /* as it will be; NULL: none */
	int64_t created_at; /* as it will be */
	struct media image; /* stored, if has_image */
	bool has_image; /* its row is to be inserted */
	const char *doubt; /* of the last field: what may be wrong, or NULL */

	struct saved saved; /* filled by set_write() */
};

/* Reads the article that is named. */
MAY_REFUSE struct err *
set_read(struct ctx *c, const struct find_place *place, const char *name, struct set *out);

/*
 * Sets one field in memory; "" clears it. Refuses an unknown field and a wrong value.
 * article_save() checks the rest, above all the lengths. A picture file is stored at
 * once; no transaction may be open for that.
 */
MAY_REFUSE struct err *
set_field(struct ctx *c, struct set *set, const char *field, const char *value);

/* Writes the fields. Refuses an article that was changed since set_read(), and another
 * slug of a published article without `move`. */
MAY_REFUSE struct err *set_write(struct ctx *c, struct set *set);

/*
 * ---- Review
 *
 * The review of an article (docs/console.md §5.1): a writer hands it in and may take it back,
 * a person who publishes hands it back or publishes it, which ends the review
 * (article/desk.h). Every member may say something. Who may do which of them is for the
 * caller to ask; these functions hold the rest of the rules.
 *
 * The acts are a part of a save: write_article() calls them in its transaction. `comment` is
 * what the person says with the act; NULL and "" are none.
 */

/* Returns whether this person handed the article in, and so may take it back. */
bool review_is_own(const struct handed *h, const char *person);

/* Hands the article in. Refuses (ERR_CONFLICT) one that is handed in, and one that was not
 * changed since it was published. */
MAY_REFUSE struct err *
review_hand_in(struct ctx *c, const struct article *a, const char *person, const char *comment);

/* Hands it back. Refuses (ERR_CONFLICT) an article that is not handed in. */
MAY_REFUSE struct err *
review_hand_back(struct ctx *c, const struct article *a, const char *person, const char *comment);

/* Takes it back. Refuses (ERR_CONFLICT) an article that this person did not hand in. */
MAY_REFUSE struct err *
review_take_back(struct ctx *c, const struct article *a, const char *person, const char *comment);

/* Says something, with no act. Refuses a comment that is too long. */
MAY_REFUSE struct err *
review_say(struct ctx *c, const struct article *a, const char *person, const char *comment);

#define REVIEW_SHOWN 100

/* What people said about an article, the newest first. */
struct review {
	struct handed handed;
	struct comment comments[REVIEW_SHOWN];
	size_t count;
};

/* Reads it. Refuses an article of another workspace. */
MAY_REFUSE struct err *
review_look(struct ctx *c, const struct workspace *w, const char *id, struct review *out);

/*
 * ---- Destroying
 *
 * Actions that destroy articles of the trash for good. What is to be destroyed is found
 * first, so that a person can be asked; then the articles of each workspace are destroyed
 * in one transaction, which changes that workspace (DB_CHANGES_WORKSPACE).
 */

/* Articles as they were when they were found; all zero is none. */
struct destroy {
	/* What is asked: a backup that is running keeps the files of the pictures. Of one that
	 * does not wait for it, a later upload removes them. */
	bool waits_not;

	const struct article **articles;
	size_t count;
	size_t room;

	/* Filled by destroy_workspace(), for the articles of that workspace. */
	bool *done;
	struct err **refused; /* of each article: why it was not destroyed, or NULL */
	struct purge_media media; /* pictures that they named */
};

/* Adds an article. */
void destroy_add(struct ctx *c, struct destroy *d, const struct article *a);

/* Adds the articles that came into the trash more than `span` microseconds ago: those of
 * the workspace of `place`; of all workspaces if none is named and none was chosen. */
MAY_REFUSE struct err *
destroy_find_old(struct ctx *c, const struct find_place *place, int64_t span, struct destroy *d);

/* Destroys those articles of `d` that are in this workspace. Each article can be refused
 * alone. */
MAY_REFUSE struct err *destroy_workspace(struct ctx *c, struct destroy *d, int64_t workspace_id);

/* Then destroys the files of the pictures that only those articles named, and returns their
 * number. No transaction may be open. */
size_t destroy_pictures(struct ctx *c, struct destroy *d);

#endif
