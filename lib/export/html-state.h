#ifndef EXPORT_HTML_STATE_H
#define EXPORT_HTML_STATE_H
/* The article that is being rendered: what html.c, html-block.c and html-text.c share. */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "export/facts.h"

/* A caption that names a region, as screen readers say it: one space for many, no
 * difference of case. */
struct html_name {
	const char *text;
	const struct html_name *next;
};
#define HTML_NAMES 256

struct html {
	const struct facts *facts;
	struct buf out;
	const struct reference **cited; /* in order of first use */
	size_t cited_count;
	size_t words; /* docs/export.md §5, "Words" */
	size_t cjk;
	size_t *numbers; /* of each reference; 0: not cited so far */
	size_t tables; /* regions so far: tables with a caption */
	const struct html_name *names[HTML_NAMES]; /* theirs, hashed */
	struct arena scratch; /* of one text at a time; see html-text.h */
};

#endif
