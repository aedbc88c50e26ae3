#ifndef ACTION_PAST_H
#define ACTION_PAST_H
/* Actions that look back at the editions of an article. They only read. */
#include <stdbool.h>
#include <stddef.h>

#include "action/action.h"
#include "article/article-row.h"
#include "article/article.h"
#include "base/err.h"

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

#endif
