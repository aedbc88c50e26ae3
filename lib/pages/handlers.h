#ifndef PAGES_HANDLERS_H
#define PAGES_HANDLERS_H
/* What answers the rows of rows.c: handlers-list.c, handlers-article.c. */
#include "pages/pages-answer.h"
#include "web/reply.h"

/* Fills the reply, in a snapshot of the content. Where it has nothing to show it says so
 * (say.h). */
typedef void handlers_handler(struct ctx *c, struct site *s, struct reply *reply);

handlers_handler handlers_list, handlers_feed, handlers_article, handlers_theme;

#endif
