#ifndef PROVIDER_COMPOSE_H
#define PROVIDER_COMPOSE_H
/* The pieces that provider-outline puts its articles together from. */
#include <stddef.h>

#include "content/content.h"

struct ctx;

enum {
	COMPOSE_BYTES_MAX = 64 * 1024, /* of one text */
	COMPOSE_HEADING_MAX = 140, /* code points, each may need a backslash */
	COMPOSE_BLOCKS = 5, /* blocks that a section has room for */
	COMPOSE_CALLOUTS = 8 /* callouts that a section has room for */
};

/* Returns a stranger's text as text of the content: cut at `max` code points, with no
 * character that works as a mark. */
const char *compose_literal(struct ctx *c, const char *text, size_t max);

/* Returns a link with that text, cut at `max` code points; the text alone if `url` is
 * NULL. */
const char *compose_link(struct ctx *c, const char *text, size_t max, const char *url);

/* Adds a section to `content`, whose array must have room for it. The section has no
 * id: content_ids_number() gives it one. */
struct section *compose_section(struct ctx *c, struct content *content, const char *heading);

/* Add to a section. The texts must be texts of the content. A new list is empty and has
 * room for `max` items. */
void compose_paragraph(struct section *s, const char *text);
struct list *compose_list(struct ctx *c, struct section *s, size_t max);
void compose_item(struct list *list, const char *text);
void compose_todo(struct section *s, const char *title, const char *text);

#endif
