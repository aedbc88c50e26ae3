#ifndef CONTENT_INLINE_PARSER_H
#define CONTENT_INLINE_PARSER_H
/*
 * The private part of inline.h, shared by its three files:
 *
 * inline.c		cuts a text into pieces; links and code
 * inline-stars.c	pairs runs of asterisks
 * inline-token.c	makes tokens of the pieces
 *
 * Two passes, as CommonMark's appendix describes them: the text is cut into
 * pieces, links being decided at their "]"; runs of asterisks are paired when
 * a link, or the whole text, ends. What makes it linear: the last place of
 * every length of backtick run is known, addresses nest a fixed number of
 * parentheses, and a search for an opening run never passes the place where
 * one of its kind failed before.
 */
#include <stdbool.h>
#include <stddef.h>

/* One end of a pair of marks, in the list of the run that gave it. */
struct mark {
	bool strong;
	struct mark *next;
};

/*
 * A run of asterisks. The pairs that it ends are on its left, those that it begins on its
 * right. Asterisks that are not used up are between them, as text.
 */
struct run {
	const char *at;
	size_t len; /* asterisks not used up */
	size_t whole; /* asterisks at first */
	bool can_open, can_close;
	struct mark *ends, **ends_tail; /* innermost first */
	struct mark *begins; /* outermost first */
	struct run *before, *after; /* among the runs still to be paired */
};

enum piece_kind { TEXT, CODE, CITE, STARS, BRACKET, LINK, LINK_END };

struct piece {
	enum piece_kind kind;
	const char *text; /* in the source; of a link: the clean address */
	size_t len;
	struct run *run; /* of STARS */
};

/* A "[" that may begin a link. */
struct bracket {
	size_t piece;
	struct run *last_run; /* the newest run when it was met, or NULL */
	struct bracket *below;
};

struct parser {
	struct arena *arena;
	const char *text, *end, *p;
	struct piece *pieces;
	size_t count, cap;
	struct run *first_run, *last_run;
	struct bracket *brackets; /* the newest first */
	const char **ticks; /* [n]: the last run of n backticks; NULL at first */
	size_t ticks_max;
};

/* Adds a piece. It may move when the next one is added. */
struct piece *inline_piece(struct parser *ps, enum piece_kind kind, const char *text, size_t len);

/* Takes the next `len` bytes as text. */
void inline_literal(struct parser *ps, size_t len);

/* Takes the run of asterisks at ps->p. */
void inline_stars(struct parser *ps);

/* Pairs the runs after `bottom` (NULL: all) and forgets those left over. */
void inline_stars_pair(struct parser *ps, struct run *bottom);

/* Returns the tokens of all pieces. */
struct inline_token *inline_tokens(const struct parser *ps, size_t *count);

#endif
