#ifndef PAGES_PAGE_ARTICLE_H
#define PAGES_PAGE_ARTICLE_H
/* What the pages of a workspace show of an article: a card of a list, and all of it; the topics in
 * the head of each page; the ways to other pages. lib/pages/pages.css has the look. */
#include <stdbool.h>

struct buf;
struct ctx;
struct hwrite;
struct item;
struct layout;
struct site;

/* Sets the topics of a page that is the list of this section; "": of all, NULL: neither. One topic
 * alone leads nowhere else, so there are none then. */
void article_topics(struct ctx *c, const struct site *s, const char *section, struct layout *out);

/* Writes an article of a list. The `first` one of all is large, and names its topic. */
void article_card(
    struct ctx *c, struct hwrite *w, const struct site *s, const struct item *item, bool first);

/* Writes an article (ITEM_WHOLE): its html, and below it topics, its own address and its
 * neighbours. */
void article_write(struct ctx *c, struct hwrite *w, struct site *s, const struct item *item);

/* Begin and end the list of ways to other pages. */
void article_ways_begin(struct hwrite *w, const char *language);
void article_ways_end(struct hwrite *w);

/* Adds a value to an address, with an escape for each byte that is no letter, digit, or one of
 * -._~ */
void article_add_value(struct buf *out, const char *value);

#endif
