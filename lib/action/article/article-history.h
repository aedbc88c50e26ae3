#ifndef ACTION_ARTICLE_HISTORY_H
#define ACTION_ARTICLE_HISTORY_H
/*
 * The history of an article: its editions, the saves of the console, and how one of them becomes
 * the working copy again.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/workspace.h"
#include "action/action.h"
#include "action/article/article-actions.h"
#include "article/article-row.h"
#include "article/article.h"
#include "base/err.h"

/* ---- Editions */

struct past {
	const struct article *article;

	/* Filled by past_list(). */
	const struct edition *editions; /* newest first */
	size_t count;

	/* Filled by past_compare(). */
	struct edition edition;
	const struct snapshot *before; /* the edition */
	const struct snapshot *after; /* what publishing would make now */
	bool same; /* they are equal */
};

/* Lists the editions of the article with this id. */
MAY_REFUSE struct err *past_list(struct ctx *c, const char *id, struct past *out);

/* Compares an edition with what publishing would make of the working copy now.
 * `version` may be FIND_NEWEST. */
MAY_REFUSE struct err *
past_compare(struct ctx *c, const char *id, int64_t version, struct past *out);

/* Whether the edition is what the API shows of the article. */
bool past_is_shown(const struct article *a, const struct edition *e);

struct revert {
	/* What is asked. */
	const char *id; /* of the article */
	int64_t version; /* of the edition */
	bool move; /* take the slug of the edition too, if the article is published */

	/* What became of it. */
	struct saved saved;
};

/* Makes the edition the working copy again; what is published stays. Changes the article's
 * workspace (DB_CHANGES_WORKSPACE). Without `move` a published article keeps its slug
 * if the edition has another one. */
MAY_REFUSE struct err *revert_article(struct ctx *c, struct revert *r);

/*
 * ---- Editions and saves in the console
 *
 * Its editions and its saves (article/save.h). Two of
 * them, or one and the working copy, are compared; one of them becomes the working copy
 * again. saves_bring_back() changes the article's workspace (DB_CHANGES_WORKSPACE); the
 * others read.
 */

/* An edition or a save. */
struct saves_one {
	bool is_edition;
	int64_t number; /* the edition's version; the save's internal id */
	int64_t at;
	const char *person; /* UUID; NULL: not known */
	const char *title;
	bool present; /* the working copy is equal to it, or was made an edition so */
};

struct saves {
	const struct article *article;
	struct saves_one *list; /* newest first */
	size_t count;
};

/* Lists all. Refuses an article of another workspace. */
MAY_REFUSE struct err *
saves_look(struct ctx *c, const struct workspace *w, const char *id, struct saves *out);

/* Returns title and text of one as lines of Markdown; `name` is "e3" for the third edition,
 * "s15" for the save with the id 15, NULL for the working copy. Refuses one that is not
 * there. */
MAY_REFUSE struct err *saves_lines(
    struct ctx *c, const struct workspace *w, const char *id, const char *name, const char **out);

/* Makes one the working copy again, and keeps the present one as a save. A published
 * article keeps its slug, unless `move`. Refuses one that is not there, and an article in the
 * trash. */
MAY_REFUSE struct err *
saves_bring_back(struct ctx *c, const char *id, const char *name, const char *person, bool move);

#endif
