#ifndef IMPORT_TAGSOUP_H
#define IMPORT_TAGSOUP_H
/* HTML of strangers: as the tree that gumbo makes of it (node_*), and one tag as it is written
 * (tag_*). */
#include <gumbo.h>
#include <stdbool.h>
#include <stddef.h>

struct ctx;

/* Parses HTML and returns the root of its tree, which lives in the arena: a whole page,
 * or a `fragment`, as the content of a <div>. Any bytes give a tree. */
const GumboNode *node_parse(struct ctx *c, const char *html, size_t len, bool fragment);

/* Returns an attribute's value; NULL if the node has none, or is no element. */
const char *node_attribute(const GumboNode *node, const char *name);

/* Returns whether the node is text. */
bool node_is_text(const GumboNode *node);

/*
 * One tag of raw HTML, found as the HTML standard's tokenizer finds it (§13.2.5,
 * but for some errors): where it ends, its name, its attributes as written.
 * Points into the text that was read.
 */
struct tag {
	const char *name; /* as written */
	size_t name_len;
	bool closing; /* "</name>" */
	bool self_closing; /* "<name/>" */
	const char *attributes; /* after the name */
	const char *end; /* after the ">" */
};

/* Reads the tag that begins with the "<" at `p`. False when there is none, or
 * when it is not closed before `end`. */
bool tag_read(const char *p, const char *end, struct tag *tag);

/* Whether the tag has this name, in any case. */
bool tag_is(const struct tag *tag, const char *name);

/* Whether its name is in `names`, which are separated and enclosed by spaces
 * (" div p "), in any case. */
bool tag_is_in(const struct tag *tag, const char *names);

struct tag_attribute {
	const char *name;
	size_t name_len;
	const char *value; /* without quotes, character references as written */
	size_t value_len;
};

/* Reads the attribute at *p (at first tag->attributes) and moves *p past it; false at the
 * end. */
bool tag_attribute(const struct tag *tag, const char **p, struct tag_attribute *out);

/* Elements that HTML lays out as blocks, as " name name … ". */
extern const char tag_blocks[];

#endif
