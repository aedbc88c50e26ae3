#ifndef ACTION_PIECE_CHANGE_H
#define ACTION_PIECE_CHANGE_H
/* The change of a piece while it is made: first the text (piece-write.c), then the content that is
 * read from it (piece-content.c). Private to these two. */
#include <stdbool.h>

#include "action/piece/piece.h"

struct changing {
	struct ctx *c;
	struct piece_write *w;
	const struct settings *settings;
	const struct snapshot *s; /* the working copy */
	struct piece_text before, after;
	struct piece_spot spot; /* of the piece in `before` */
	unsigned line; /* of the piece in `after` */
	unsigned changed; /* lines of `before` up to this one have not moved */
	int moved; /* by so much the others have */
};

/* ---- piece-content.c: `after` was read from the changed text */

/* Markdown names captions and titles by number, so a table that comes before another one
 * would take its caption: each keeps its own. */
void piece_keep_own(struct changing *g);

/* Gives the piece in `after` what its form says and Markdown cannot. Returns whether the piece is
 * there as its form says it. */
bool piece_patch(struct changing *g);

/* Returns whether the sections are the same; a new one may only be that before the first
 * heading. */
bool piece_same_sections(const struct changing *g);

/* Returns whether `after` has one piece less of this kind, and the same sections. */
bool piece_is_gone(const struct changing *g);

#endif
