#ifndef ACTION_PIECE_CHANGE_H
#define ACTION_PIECE_CHANGE_H
/*
 * The change of one piece of an article's text (piece-look.h). It changes the lines of that piece,
 * and nothing else of the text; what Markdown has no form for (a caption, a title) goes into the
 * content. It changes the article's workspace (DB_CHANGES_WORKSPACE).
 */
#include <stdbool.h>

#include "action/article/piece-look.h"
#include "base/err.h"

struct piece_write {
	/* What is asked. */
	const char *id; /* of the article */
	const char *person; /* UUID */
	struct piece_key key;
	struct piece piece;
	const char *place; /* of a new one: the value of a struct piece_place */
	const char *seen; /* of another one: what the form showed */
	bool removes; /* takes it out of the text; `piece` is not read */

	/* What became of it. */
	bool saved; /* false: nothing was different */
};

/*
 * Writes the piece. Refuses (ERR_CONFLICT, param "seen") one that somebody else changed since
 * it was shown, an article in the trash, and (ERR_INVALID) a text that would be something else
 * than this piece, and what article_save() refuses. With `removes` it refuses (ERR_INVALID) where
 * more than the piece would change.
 */
MAY_REFUSE struct err *piece_write(struct ctx *c, struct piece_write *w);

#endif
