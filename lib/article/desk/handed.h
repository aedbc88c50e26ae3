#ifndef ARTICLE_DESK_HANDED_H
#define ARTICLE_DESK_HANDED_H
/*
 * Articles that somebody handed in for review (columns handed_in_… of the table desk;
 * docs/console.md §5.1). A later edition ends it, whatever made that edition: the row holds
 * the version that the article had. In the trash an article is not handed in.
 */
#include <stdbool.h>
#include <stdint.h>

#include "article/article.h"

struct handed {
	int64_t at; /* 0: it is not handed in */
	const char *by; /* UUID of the person */
};

/* Reads whether the article is handed in; false if it is not. */
bool handed_find(struct ctx *c, const struct article *a, struct handed *out);

/* Hands the article in, as of c->now. In a writing transaction. */
void handed_set(struct ctx *c, const struct article *a, const char *person);

/* Ends it, if it is handed in. In a writing transaction. */
void handed_end(struct ctx *c, const struct article *a);

/* Calls `each` for what is handed in in a workspace, the oldest first, at most `limit`. The article
 * and the struct live as long as the call, their texts as long as the request. */
void handed_list(struct ctx *c, int64_t workspace_id, int64_t limit,
    void (*each)(void *arg, const struct article *a, const struct handed *h), void *arg);

#endif
