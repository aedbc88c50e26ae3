#ifndef PROVIDER_COMPOSE_H
#define PROVIDER_COMPOSE_H
/* The pieces that provider-outline puts its articles together from. */
#include <stddef.h>

#include "content/content.h"

struct ctx;

enum {
	COMPOSE_BYTES_MAX = 64 * 1024, /* of one text */
	COMPOSE_HEADING_MAX = 140, /* code points, each may need a backslash */
	COMPOSE_BLOCKS = 5, /* that a section has room for */
	COMPOSE_CALLOUTS = 8 /* the same */
};

/* A stranger's text as content text: no marks in it, cut at `max` code
 * points. */
const char *compose_literal(struct ctx *c, const char *text, size_t max);

/* A link with that text, cut at `max`; the text alone where `url` is NULL. */
const char *
compose_link(struct ctx *c, const char *text, size_t max, const char *url);

/* The next section of `content`, whose array has room for it. Without id:
 * content_number() gives one. */
struct section *
compose_section(struct ctx *c, struct content *content, const char *heading);

/* Adds to a section; texts are content texts. The list is empty, with room
 * for `max` items. */
void compose_paragraph(struct section *s, const char *text);
struct list *compose_list(struct ctx *c, struct section *s, size_t max);
void compose_item(struct list *list, const char *text);
void compose_todo(struct section *s, const char *title, const char *text);

#endif
