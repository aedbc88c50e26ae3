#ifndef CONTENT_LANG_TABLE_H
#define CONTENT_LANG_TABLE_H
/*
 * The table behind lang.h: what is known of each language.
 *
 * To add a language: one row in lang-table.c, in the order of the tags.
 */
#include <stddef.h>

struct lang_row {
	const char *tag; /* primary subtag, or one with a script */
	const char *locale; /* Open Graph's (export.md §2), or NULL */
	const char *labels[3]; /* by enum lang_label: the heading ... */
	const char *others[3]; /* ... and its other usual names, separated by
				  "|"; "" for none */
};

/* The row of the tag's language; NULL when there is none. Chinese written in
 * traditional characters (by script, or by its region) has its own row. */
const struct lang_row *lang_table_row(const char *tag);

/* The length of the primary subtag. */
size_t lang_table_primary(const char *tag);

/* The script subtag (4 letters) of a well-formed tag, or NULL. Points into the
 * tag. */
const char *lang_table_script(const char *tag);

/* The region subtag (2 letters or 3 digits) of a well-formed tag, or NULL. */
const char *lang_table_region(const char *tag);

#endif
