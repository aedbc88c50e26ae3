#ifndef ACCESS_PAGES_LOOK_H
#define ACCESS_PAGES_LOOK_H
/*
 * How the pages of a workspace look (table workspace_more; docs/pages.md §1). All functions
 * but the check need a transaction of DB_CONTENT. No program of the API reads this.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

#define PAGES_WIDTH_MIN 30
#define PAGES_WIDTH_MAX 60
#define PAGES_WIDTH 42
#define PAGES_FONT "system"

struct pages_look {
	const char *title; /* or "": the workspace's name */
	const char *accent; /* "#rrggbb" in lower case, or "": that of Galley */
	const char *font; /* "system", "serif", "sans", "mono" */
	int64_t width; /* of a line of text, in rem */
};

/* Reads how the pages of a workspace look (arena). */
void pages_look_of(struct ctx *c, int64_t workspace_id, struct pages_look *out);

/* The fields of `galley workspace set`: pages_title, pages_accent, pages_font, pages_width; NULL
 * ends them. */
extern const char *const pages_look_fields[];

/* Returns a field's value as text (arena): "42" of pages_width. */
const char *pages_look_value(struct ctx *c, const struct pages_look *look, const char *field);

/* Refuses a wrong value of a field; *clean is the value as it is stored (arena). "" is that of
 * Galley. */
MAY_REFUSE struct err *
pages_look_check(struct ctx *c, const char *field, const char *value, const char **clean);

/* Sets a field to what pages_look_check() gave. In a writing transaction (DB_CHANGES_ALL). */
void pages_look_set(struct ctx *c, int64_t workspace_id, const char *field, const char *clean);

/* Forgets how the pages of a workspace look: it is deleted. In a writing transaction. */
void pages_look_reset(struct ctx *c, int64_t workspace_id);

#endif
