#ifndef ACTION_LOOK_H
#define ACTION_LOOK_H
/* Actions that look at an article: its working copy, what is published, or an edition.
 * They only read. */
#include <stdbool.h>
#include <stdint.h>

#include "action/dates/later.h"
#include "article/article-row.h"
#include "article/article.h"
#include "base/err.h"
#include "export/export.h"

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

#endif
