#ifndef EXPORT_CHECKS_H
#define EXPORT_CHECKS_H
/*
 * The publishing checks (docs/export.md §6).
 *
 * checks.c		the list; title, description, cover, settings; the rendered headings;
 *			citations, references, links
 * checks-text.c	how much text there is, how long its sentences are, what repeats
 * checks-language.c	whether the text is in the article's language; what drafts leave behind
 */
#include <stdbool.h>
#include <stddef.h>

#include "content/content.h"
#include "content/lang.h"

struct arena;
struct ctx;
struct facts;
struct html;

#define EXPORT_CHECKS 24

/* What a check is about: where an editor can do something. */
enum export_about {
	EXPORT_TITLE,
	EXPORT_DESCRIPTION,
	EXPORT_TEXT,
	EXPORT_COVER,
	EXPORT_AUTHOR,
	EXPORT_SETTINGS
};

struct export_check {
	const char *label;
	bool passed;
	const char *reason; /* what fails and where (which heading, which
			       link), or NULL; for editors, never exported */
	size_t text; /* the text of content_walk() that fails, from 1; 0: no
			certain one */
};

/* Returns what the check with this label is about. */
enum export_about export_check_about(const char *label);

/* All checks on an article that is rendered already. */
void
checks_run(const struct facts *f, const struct html *h, struct export_check checks[EXPORT_CHECKS]);

/* ---- the inside, shared by the files above
 *
 * A check gives NULL when it is passed, else the reason: a sentence for editors that names the
 * place. All of them take time in proportion to the text. */

/* A text of the content. */
struct checks_text {
	enum content_text_kind kind;
	const char *raw; /* with its marks */
	const char *plain; /* without, citations left out */
	const char *place; /* "section \"Set up the bin\"" */
};

struct checks {
	struct arena *arena;
	struct ctx *c;
	const struct facts *f;
	const struct html *h; /* rendered */
	const struct checks_text *texts; /* in reading order */
	size_t text_count;
	size_t *text; /* a check that fails in a text sets its number, from 1 */
	const char **ids; /* of the html, without prefix, sorted; set while
			     links are checked */
	size_t id_count;
};

/* Says that a check fails in the text with these bytes, for an editor. */
void checks_at(const struct checks *k, const char *raw);

/* Returns the beginning of a text, quoted, for a reason. */
const char *checks_excerpt(const struct checks *k, const char *text);

/* Returns a text without marks, citations and code. */
const char *checks_prose(const struct checks *k, const struct checks_text *t);

const char *checks_one_h1(const struct checks *k);
const char *checks_levels(const struct checks *k);
const char *checks_section_text(const struct checks *k);
const char *checks_enough_text(const struct checks *k);
const char *checks_sentences(const struct checks *k);
const char *checks_repeats(const struct checks *k);
const char *checks_placeholders(const struct checks *k);
const char *checks_language(const struct checks *k);

/* What is known of a language's texts. */
struct checks_words {
	char tag[4]; /* primary subtag */
	char name[12]; /* in English, for reasons */
	enum lang_script script; /* of its texts */
	/* Its most frequent words, separated by spaces; "" where the script tells
	 * enough. */
	char frequent[320];
	/* What drafts and models leave behind, separated by "|"; lower case. */
	char placeholders[320];
};

/* The table, and how many languages it has. */
extern const struct checks_words checks_words[];
extern const size_t checks_words_count;

/* Returns the index of the tag's language in the table; -1 when it is not there. */
int checks_words_find(const char *tag);

#endif
