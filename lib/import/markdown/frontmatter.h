#ifndef IMPORT_FRONTMATTER_H
#define IMPORT_FRONTMATTER_H
/*
 * The head of a document: YAML between lines of `---`, or TOML between lines of
 * `+++`, as one tree of values (docs/export.md §5). fields.h says what
 * the keys mean.
 *
 * YAML is read by libyaml's events, TOML 1.0 here. Both are bounded: FRONT_BYTES_MAX,
 * FRONT_DEPTH_MAX; names must not be given twice, YAML's aliases are refused. A `galley: {…}` on
 * one line is taken out before YAML sees it (JSON is not quite YAML), and has no bound but the
 * document's.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

struct ctx;

enum { FRONT_BYTES_MAX = 256 * 1024, FRONT_DEPTH_MAX = 16 };

enum front_kind {
	FRONT_NULL,
	FRONT_SCALAR, /* text */
	FRONT_LIST, /* items */
	FRONT_TABLE /* items, each with its name */
};

struct front_value {
	enum front_kind kind;
	const char *name; /* in a table, else NULL */
	const char *text; /* of a scalar, as written: "2026-09-01", "true" */
	bool quoted; /* certainly a string, whatever it looks like */
	struct front_value *items;
	size_t count, cap;
	unsigned line; /* of the document, from 1 */
	bool closed; /* TOML: nothing may be added to it later */
	bool headed; /* TOML: a line "[name]" named this table */
};

/*
 * Reads the head of a document of valid UTF-8. *root is a table, empty when
 * there is no head; *body the byte and *body_line the line where the body
 * begins. Refusals name the line and what is wrong.
 */
MAY_REFUSE struct err *frontmatter_read(struct ctx *c, const char *text, size_t len,
    struct front_value *root, size_t *body, unsigned *body_line);

/* Writes a value as JSON; what looks like a number, a boolean or null and is
 * not quoted becomes one. */
void frontmatter_json(struct buf *out, const struct front_value *value);

#endif
