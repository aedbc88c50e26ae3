#ifndef PROVIDER_PHRASES_H
#define PROVIDER_PHRASES_H
/*
 * The phrases of provider-outline, in the languages that it knows. Every phrase is about
 * the article and its writing; none states a fact.
 *
 * A phrase with "{}" has a place for one value (phrases_fill()). Values are titles in
 * quotation marks, so that no language has to inflect them.
 *
 * To add a language: one table in the phrases-*.c of its neighbours, its stop words in
 * stopwords.c, and its tag in tests/unit/provider/phrases.c and
 * tests/api/provider/provider-outline-speaks-the-workspace-language.t.
 */
#include <stdbool.h>
#include <stddef.h>

struct ctx;

enum { PHRASES_PARTS = 4, PHRASES_POINTS = 3, PHRASES_LEADS = 4, PHRASES_QUESTIONS = 4 };

struct phrases {
	const char *tag; /* "en", "zh-Hant" */
	const char *open; /* quotation marks, with their spaces */
	const char *close;
	const char *overview; /* title over the theme {} */
	const char *about; /* the article is about {} */
	const char *summary; /* the same, and what its four parts say */
	const char *description; /* the same for search engines: {}: what … */
	const char *angle;
	const char *audience;
	struct {
		const char *heading;
		const char *points[PHRASES_POINTS];
		const char *todo; /* what its writer must do */
	} parts[PHRASES_PARTS];
	const char *leads[PHRASES_LEADS]; /* introduce a note's points */
	const char *bare; /* a section of which only the heading {} is known */
	const char *questions[PHRASES_QUESTIONS]; /* the first is about {} */
	const char *todo_title;
	const char *todo; /* for a section with points */
	const char *todo_bare; /* for one without */
	const char *todo_angle; /* Angle: {} */
	const char *todo_audience; /* Audience: {} */
	const char *todo_keywords; /* Keywords: {} */
	const char *todo_order; /* The order in full: {} */
	const char *todo_questions; /* introduces questions to be answered */
	const char *reading; /* heading over links */
	const char *reading_own; /* introduces links to own articles */
	const char *reading_sources; /* introduces the brief's sources */
	const char *see; /* See also: {} */
	const char *cover_alt; /* a picture with the words {} */
};

/* A table of languages and their number. */
struct phrases_family {
	const struct phrases *list;
	size_t count;
};
extern const struct phrases_family phrases_germanic; /* en de nl */
extern const struct phrases_family phrases_romance; /* fr es it pt */
extern const struct phrases_family phrases_slavic; /* pl ru uk */
extern const struct phrases_family phrases_western; /* tr ar he fa */
extern const struct phrases_family phrases_eastern; /* hi ja ko zh */

/* Returns the phrases in the language of `tag`; English ones if it is not known. */
const struct phrases *phrases_find(const char *tag);

/* Whether the tag's language is `language` ("zh" of "zh-Hant-TW"). */
bool phrases_is_language(const char *tag, const char *language);

/* Returns the phrase with `value` in place of "{}". */
const char *phrases_fill(struct ctx *c, const char *phrase, const char *value);

/* Returns `text` in the language's quotation marks. */
const char *phrases_quote(struct ctx *c, const struct phrases *p, const char *text);

#endif
