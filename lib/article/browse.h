#ifndef ARTICLE_BROWSE_H
#define ARTICLE_BROWSE_H
/*
 * Articles of a workspace for people, in the order of the times that they were created or
 * changed. The first order has an index. The second has none, because an index would cost
 * every writer: each question reads the head of every article of the status.
 */
#include "article/article.h"

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

/* Looks at an article behind the key; `tags` is its JSON array. Both live as long as the
 * request. Returns whether there should be more. */
typedef bool browse_each(void *arg, const struct article *a, const char *tags);

/* Calls `each` in the order of the way, away from the key. */
void browse_articles(struct ctx *c, const struct browse *b, browse_each *each, void *arg);

/* Calls `each` for the articles about which people agreed something (desk.h), in any order. */
void browse_desk(struct ctx *c, const struct browse *b, browse_each *each, void *arg);

/* Calls `each` for articles as article_list() does (article.h), with the content of the working
 * copy as it is stored, which is valid for the time of the call. */
void browse_contents(struct ctx *c, const struct browse *b,
    void (*each)(void *arg, const struct article *a, const char *content, size_t len), void *arg);

/* The same with the working copy, which is read into `scratch` for the time of the call. */
struct arena;
void browse_working_copies(struct ctx *c, const struct browse *b, struct arena *scratch,
    void (*each)(void *arg, const struct article *a, const struct snapshot *copy), void *arg);

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

/* Returns whether a JSON array of tags holds this one, which is folded (lang_fold()). */
bool browse_has_tag(struct ctx *c, const char *tags, const char *folded);

#endif
