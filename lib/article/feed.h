#ifndef ARTICLE_FEED_H
#define ARTICLE_FEED_H
/*
 * What the API lists, read by index: only the rows that are returned, in the
 * snapshot of the request, at a million articles as at ten.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "article/article.h"
#include "article/revision.h"

/* Where a page of articles begins: after this article (docs/contract.md §4.2: newest
 * first by creation time and id). */
struct feed_position {
	int64_t created_at;
	const char *uuid;
};

struct feed_page {
	struct article *articles; /* uuid, dates, state; no title, slug, source */
	char (*revisions)[TOKEN_TEXT]; /* x1 of each */
	size_t count;
	bool more;
};

/* Both ask ahead what feed_list() of the first page and feed_find() will ask with these arguments
 * (store/ahead.h). Of the build STORE=pg alone. */
void
feed_list_ask(struct ctx *c, const struct workspace *w, bool drafts, int64_t offset, int64_t limit);
void feed_find_ask(struct ctx *c, const struct workspace *w, const char *uuid, bool bytes);

/* At most `limit` articles after `from` (NULL: the first), `offset` skipped;
 * fewer where their stored lengths pass `bytes_max` (never less than one). */
void
feed_list(struct ctx *c, const struct workspace *w, bool drafts, const struct feed_position *from,
    int64_t offset, int64_t limit, int64_t bytes_max, struct feed_page *out);

/* One article as the API shows it: published, or with `drafts` a draft; false
 * when there is none such. `bytes`: stored_append() of it comes next, most likely. */
bool feed_find(struct ctx *c, const struct workspace *w, bool drafts, const char *uuid, bool bytes,
    struct article *out, char revision[TOKEN_TEXT]);

struct feed_change {
	const char *uuid;
	const char *title; /* of the edition */
	int64_t changed_at;
	char revision[TOKEN_TEXT]; /* m1_ */
};

struct feed_changes {
	struct feed_change *changes;
	size_t count;
	bool more;
};

/*
 * Published articles with since <= changed_at <= until, in the order of
 * (changed_at, uuid), after (after_at, after_uuid) where after_uuid is not NULL;
 * at most `limit`.
 */
void feed_sync(struct ctx *c, const struct workspace *w, const char settings[TOKEN_TEXT],
    int64_t since, int64_t until, int64_t after_at, const char *after_uuid, int64_t limit,
    struct feed_changes *out);

#endif
