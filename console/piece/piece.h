#ifndef SCREEN_PIECE_H
#define SCREEN_PIECE_H
/* The form of a piece of a text (docs/console.md §5.1): piece.c answers, piece-form.c reads
 * and writes the form. */
#include "action/article/piece-change.h"
#include "console/answer.h"

struct piece_page {
	struct ctx *c;
	const struct visit *v;
	struct piece_key key;
	struct piece_view view;
	struct piece piece; /* what the form shows: its rows are no fields of `form` */
	struct form form;
	const char *action; /* of the form, below the root */
	const char *article; /* the article's address below the root */
	bool removes; /* the page asks only whether the piece goes */
	const char *focus; /* the name of the cell that takes the focus, or NULL */
};

/* Returns the title of the page, in the interface's language. */
const char *piece_title(const struct piece_key *key);

/* Makes the fields that this kind has, and fills them and the places in. */
void piece_form(struct piece_page *p);

/* Takes what was sent, after console_read(); and adds or removes a row or column if a button
 * for that was pressed, which it returns. */
bool piece_form_take(struct piece_page *p);

/* Drops the rows at the end of a new table or list of steps that nobody filled in. */
void piece_form_trim(struct piece_page *p);

/* Writes the page's content. `data` is a struct piece_page. */
void piece_form_write(struct hwrite *w, const void *data);

/* What follows the key in the value of a button that leads to the question whether the piece
 * goes. */
#define PIECE_REMOVES "/remove"

/* Returns where a button of the editor leads, below the article's address, or NULL: its value
 * names no piece. */
const char *piece_way(struct ctx *c, const char *value);

/* Writes the buttons of the editor that lead here, and the list of the pieces that are there. */
void piece_write_buttons(struct ctx *c, struct hwrite *w, const struct content *content);

#endif
