#ifndef ACTION_SAVES_H
#define ACTION_SAVES_H
/*
 * The past of an article in the console: its editions and its saves (article/save.h). Two of
 * them, or one and the working copy, are compared; one of them becomes the working copy
 * again. saves_bring_back() changes the article's workspace (DB_CHANGES_WORKSPACE); the
 * others read.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/workspace.h"
#include "article/article.h"
#include "base/err.h"

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
