#ifndef PROVIDER_PHRASES_H
#define PROVIDER_PHRASES_H
/*
 * The phrases of provider-outline, in the languages that it knows. Every phrase is about
 * the article and its writing; none states a fact.
 *
 * A phrase with "{}" has a place for one value (phrases_fill()). Values are titles in
 * quotation marks, so that no language has to inflect them.
 *
 * To add a language: a file phrases/TAG.txt (phrases.pl explains it), and its tag in
 * tests/unit/provider/phrases.c and
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
	/* Words that tell nothing about a topic, folded, each between two spaces: articles,
	 * prepositions, pronouns, auxiliary verbs, and the usual beginnings of headlines. NULL:
	 * those of the tag's language. */
	const char *stop;
};

/* Returns the phrases in the language of `tag`; English ones if it is not known. */
const struct phrases *phrases_find(const char *tag);

/* Whether the tag's language is `language` ("zh" of "zh-Hant-TW"). */
bool phrases_is_language(const char *tag, const char *language);

/* Returns the phrase with `value` in place of "{}". */
const char *phrases_fill(struct ctx *c, const char *phrase, const char *value);

/* Returns `text` in the language's quotation marks. */
const char *phrases_quote(struct ctx *c, const struct phrases *p, const char *text);

/* Whether the folded word is a stop word in the language of `tag` or in English. */
bool phrases_is_stop(const char *tag, const char *fold);

/* Returns the bytes of the Chinese function word at the beginning of `han`, at most
 * `len`; 0 if there is none or `tag` is not Chinese. */
size_t phrases_stop_han(const char *tag, const char *han, size_t len);

#endif
