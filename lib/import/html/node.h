#ifndef IMPORT_NODE_H
#define IMPORT_NODE_H
/* Parses HTML of strangers (gumbo), and reads the nodes of its tree. */
#include <stdbool.h>
#include <stddef.h>

#include <gumbo.h>

struct ctx;

/* Parses HTML and returns the root of its tree, which lives in the arena: a whole page,
 * or a `fragment`, as the content of a <div>. Any bytes give a tree. */
const GumboNode *node_parse(struct ctx *c, const char *html, size_t len, bool fragment);

/* Returns an attribute's value; NULL if the node has none, or is no element. */
const char *node_attribute(const GumboNode *node, const char *name);

/* Returns whether the node is text. */
bool node_is_text(const GumboNode *node);

#endif
