#ifndef CONTENT_LANG_TABLE_H
#define CONTENT_LANG_TABLE_H
/*
 * The table behind lang.h: what is known of each language.
 *
 * To add a language: one row in lang-table.c, in the order of the tags.
 */
#include <stddef.h>

/* The row holds the texts themselves: each address in a table costs every process something
 * at its start (docs/speed.md §6). */
struct lang_row {
	char tag[8]; /* primary subtag, or one with a script */
	char locale[8]; /* Open Graph's (docs/export.md §2), or "" */
	char labels[3][96]; /* by enum lang_label: the heading ... */
	char others[3][160]; /* ... and its other usual names, separated by
				  "|"; "" for none */
};

/* Returns the row of the tag's language; NULL when there is none. Chinese written in
 * traditional characters (by script, or by its region) has its own row. */
const struct lang_row *lang_table_row(const char *tag);

/* Returns the length of the primary subtag. */
size_t lang_table_primary(const char *tag);

/* Returns the script subtag (4 letters) of a well-formed tag, or NULL. Points into the
 * tag. */
const char *lang_table_script(const char *tag);

/* Returns the region subtag (2 letters or 3 digits) of a well-formed tag, or NULL. */
const char *lang_table_region(const char *tag);

#endif
