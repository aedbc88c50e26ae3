#ifndef CONSOLE_PUBLISH_H
#define CONSOLE_PUBLISH_H
/* What the editor's page says after "Publish" and "Unpublish" (docs/console.md §5.2). */
#include "console/answer.h"

struct article;

/* Looks where the article is now, for the page that answers "Publish". NULL: the page is not that
 * answer. It is its own transactions. */
struct published;
const struct published *
published_look(struct ctx *c, const struct visit *v, const struct article *a);

/* Writes it, above the editor. */
void published_write(struct hwrite *w, const struct published *p);

#endif
