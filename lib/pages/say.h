#ifndef PAGES_SAY_H
#define PAGES_SAY_H
/* Pages of a workspace that show no article, because there is none. */
#include "pages/pages-answer.h"
#include "web/reply.h"

/* Answers with a whole page that says a sentence and leads back to the list. Both texts are
 * tr_mark()s. */
void say_page(struct ctx *c, const struct site *s, struct reply *reply, int status,
    const char *title, const char *sentence);

/* The same of an address whose parameters are wrong, and of one that never was. */
void say_wrong(struct ctx *c, const struct site *s, struct reply *reply);
void say_unknown(struct ctx *c, const struct site *s, struct reply *reply);

#endif
