#ifndef ARTICLE_BROWSE_H
#define ARTICLE_BROWSE_H
/* Pages of a workspace's articles for people, by the time that they were created. */
#include "article/article.h"

struct browse {
	/* What is asked. */
	int64_t workspace_id;
	enum article_status status;
	bool changed;     /* only those whose working copy is not what is published */
	bool newer;       /* behind the key towards newer ones; else towards older ones */
	int64_t at;       /* the key: created_at and id of an article; */
	const char *uuid; /* NULL: from the newest on */
	int64_t limit;
};

/* Calls `each` in the order of the way, away from the key. */
void browse_articles(struct ctx *c, const struct browse *b,
    void (*each)(void *arg, const struct article *a), void *arg);

#endif
