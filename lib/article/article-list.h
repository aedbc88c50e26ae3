#ifndef ARTICLE_ARTICLE_LIST_H
#define ARTICLE_ARTICLE_LIST_H
/*
 * What the API lists, read by index: only the rows that are returned, in the
 * snapshot of the request, at a million articles as at ten.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "article/article.h"
#include "article/revision.h"

struct arena;
struct stored_bytes;

/* Where a page of articles begins: after this article (docs/contract.md §4.2: newest
 * first by creation time and id). */
struct feed_position {
	int64_t created_at;
	const char *uuid;
};

struct feed_page {
	struct article *articles; /* uuid, dates, state; no title, slug, source */
	char (*revisions)[TOKEN_TEXT]; /* x1 of each */
	struct stored_bytes *bytes; /* of each (stored.h); NULL: not read yet */
	size_t count;
	bool more;
};

/* At most `limit` articles after `from` (NULL: the first), `offset` skipped;
 * fewer where their stored lengths pass `bytes_max` (never less than one). */
void
feed_list(struct ctx *c, const struct workspace *w, bool drafts, const struct feed_position *from,
    int64_t offset, int64_t limit, int64_t bytes_max, struct feed_page *out);

/* One article as the API shows it: published, or with `drafts` a draft; false
 * when there is no such article. `bytes`, unless NULL, are for stored_append(), which comes
 * next: read here only where that saves a round trip. */
bool feed_find(struct ctx *c, const struct workspace *w, bool drafts, const char *uuid,
    struct article *out, char revision[TOKEN_TEXT], struct stored_bytes *bytes);

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

/*
 * Articles of a workspace for people, in the order of the times that they were created or
 * changed. The first order has an index. The second has none, because an index would cost
 * every writer: each question reads the head of every article of the status.
 */

struct browse {
	/* What is asked. */
	int64_t workspace_id;
	enum article_status status;
	bool by_change; /* by updated_at; else by created_at */
	bool up; /* from the older to the newer; else the other way */
	int64_t at; /* the key: that time, and the id, of an article; */
	const char *uuid; /* NULL: from the beginning of the way on */
	int64_t limit;
};

/* What a list shows of a working copy, besides the article's row. */
struct browse_shown {
	const char *tags; /* a JSON array */
	const char *author; /* its name, or NULL */
	const char *cover; /* an address, or media:<digest>.<ext>; or NULL */
};

/* Looks at an article after the key. Both live as long as the request. Returns whether there should
 * be more. */
typedef bool browse_each(void *arg, const struct article *a, const struct browse_shown *shown);

/* Calls `each` in the order of the way, away from the key. */
void browse_articles(struct ctx *c, const struct browse *b, browse_each *each, void *arg);

/* Calls `each` for the articles about which people agreed something (desk.h), in any order. */
void browse_desk(struct ctx *c, const struct browse *b, browse_each *each, void *arg);

/* Calls `each` for the articles that article_list() names (article.h), with the content of the
 * working copy as it is stored, which is valid for the time of the call. */
void browse_contents(struct ctx *c, const struct browse *b,
    void (*each)(void *arg, const struct article *a, const char *content, size_t len), void *arg);

/* The same with the working copy, which is read into `scratch` for the time of the call. */
void browse_working_copies(struct ctx *c, const struct browse *b, struct arena *scratch,
    void (*each)(void *arg, const struct article *a, const struct snapshot *copy), void *arg);

/* How many articles each list of people has. Of more than BROWSE_COUNTED one more is counted: so it
 * costs the same in every workspace. */
#define BROWSE_COUNTED 500

struct browse_counts {
	int64_t drafts, published, in_review, scheduled;
	bool trash; /* all that there is is in the trash */
	bool desk; /* people agreed something about some of it, at one time */
};

void browse_counts(struct ctx *c, int64_t workspace_id, struct browse_counts *out);

#define BROWSE_LANGUAGES_MAX 20
#define BROWSE_TAGS_MAX 50

/* What the newest articles of a workspace have, the newest first, each once whatever its case.
 * Lives as long as the request. */
struct browse_words {
	const char *languages[BROWSE_LANGUAGES_MAX], *tags[BROWSE_TAGS_MAX];
	size_t language_count, tag_count;
};

/* Reads them from the newest 50 drafts and the newest 50 published articles. */
void browse_words(struct ctx *c, int64_t workspace_id, struct browse_words *out);

/* Returns the tags of a JSON array, NULL after the last one (arena). */
const char **browse_tags(struct ctx *c, const char *tags);

/* Returns whether a JSON array of tags holds this one, which is folded (lang_fold()). */
bool browse_has_tag(struct ctx *c, const char *tags, const char *folded);

#endif
