#ifndef CONSOLE_PIECE_H
#define CONSOLE_PIECE_H
/* What leads to the form of a piece of a text (docs/console.md §5.1). */
#include "action/article/piece-change.h"
#include "console/answer.h"

/* Returns where a button of the editor leads, below the article's address, or NULL: its value
 * names no piece. */
const char *piece_way(struct ctx *c, const char *value);

/* Writes the buttons of the editor that lead here, and the list of the pieces that are there. */
void piece_write_buttons(struct ctx *c, struct hwrite *w, const struct content *content);

#endif
