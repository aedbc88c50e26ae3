#ifndef ACCESS_PAGES_SETTINGS_H
#define ACCESS_PAGES_SETTINGS_H
/*
 * The words of pages' addresses, /pages/WORD/ (table word; docs/pages.md §1). A word is unique in
 * the instance, and stays its workspace's: a frame of a customer may still name an old one. All
 * functions need a transaction of DB_CONTENT. No program of the API reads these tables.
 */
#include <stdbool.h>
#include <stdint.h>

#include "access/workspace.h"
#include "base/err.h"

#define WORD_MAX 60
#define WORDS_MAX 20 /* of a workspace, with the earlier ones */

enum word_found {
	WORD_UNKNOWN, /* no pages: for a stranger all causes are the same */
	WORD_PRESENT, /* the pages of a workspace */
	WORD_PAST /* of a workspace that has another word now */
};

struct word {
	struct workspace *workspace;
	const char *present; /* its word now */
};

/* Finds the pages at a word. WORD_UNKNOWN also where the workspace was deleted or turned its
 * pages off, and where its account is not verified or is suspended. *out is set for the other
 * two (arena). */
enum word_found word_find(struct ctx *c, const char *word, struct word *out);

/* Returns the present word of a workspace, whatever its account (arena); "": its pages are off. */
const char *word_of(struct ctx *c, int64_t workspace_id);

/* Refuses (param pages) what no workspace can have: a text that is no word, and the words of
 * other addresses. "" is right: it turns pages off. */
MAY_REFUSE struct err *word_check(struct ctx *c, const char *word);

/* Returns whether the word belongs to a workspace that was deleted. */
bool word_is_left(struct ctx *c, const char *word);

/*
 * Gives the workspace this word; "" turns its pages off, and it keeps its words. In a writing
 * transaction (DB_CHANGES_ALL). Refuses (param pages) what word_check() refuses, a word that
 * another workspace has or had, one more than WORDS_MAX, and an account that is not verified.
 * `take`: a word of a deleted workspace is given away; never one of a living workspace.
 */
MAY_REFUSE struct err *
word_set(struct ctx *c, const struct workspace *w, const char *word, bool take);

/*
 * How the pages of a workspace look (table workspace_more; docs/pages.md §1). All functions
 * but the check need a transaction of DB_CONTENT. No program of the API reads this.
 */

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

#endif
