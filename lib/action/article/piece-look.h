#ifndef ACTION_PIECE_LOOK_H
#define ACTION_PIECE_LOOK_H
/*
 * A piece of an article's text that has a small form of its own in the console
 * (docs/console.md §5.1): a table, steps, a note, a question, a source; or one block as it is
 * typed, to which a failed check leads. These functions say what the pieces are called and what a
 * form shows, and read only; piece-change.h changes one.
 */
#include <stdbool.h>
#include <stddef.h>

#include "access/workspace.h"
#include "article/article.h"
#include "base/err.h"
#include "content/content.h"
#include "content/snapshot.h"
#include "import/markdown/sections.h"

enum piece_kind {
	PIECE_TABLE,
	PIECE_STEPS,
	PIECE_NOTE,
	PIECE_QUESTION,
	PIECE_SOURCE,
	PIECE_BLOCK,
	PIECE_KINDS
};

/* Of all cells, as many as a form can send. */
#define PIECE_CELLS_MAX 300

/*
 * Which piece. As text (a segment of an address): "table" is a new one, "table-s2-1" the
 * first table of the section s2, "steps-s2", "note-s2-1", "question-1", "source-1",
 * "text-s2-3" the third block of the section.
 */
struct piece_key {
	enum piece_kind kind;
	bool is_new;
	const char *section; /* NULL of questions and sources */
	size_t index; /* from 0 */
};

/* What its form says. Texts are Markdown as it is typed; "" for none, never NULL. */
struct piece {
	const char *title; /* a table's caption, a note's title, a source's title */
	const char ***rows; /* of a table, the head first; of steps and questions: two
				cells each */
	size_t row_count, column_count;
	bool row_header; /* of a table: the first cell of each row heads it */
	const char *align; /* of its columns (content.h), which no form shows; or NULL */
	enum callout_kind callout; /* of a note */
	const char *text; /* of a note or a block */
	const char *url, *publisher, *published, *accessed; /* of a source */
};

/* Where a new one can go: after the text of a section, a source after a paragraph. */
struct piece_place {
	const char *value;
	const char *heading; /* of the section; "" at the beginning */
	const char *excerpt; /* of the paragraph, or NULL */
};

#define PIECE_SEEN 33 /* bytes of a digest as text */

struct piece_view {
	const struct article *article;
	struct piece piece;
	char seen[PIECE_SEEN]; /* digest of the piece: what a form has changed since */
	unsigned line; /* in the text; 0: a new one */
	struct piece_place *places; /* of a new one */
	size_t place_count;
};

/* Return the key of a text; false if it is none; and its text (arena). */
bool piece_key_read(struct ctx *c, const char *text, struct piece_key *out);

const char *piece_key_write(struct ctx *c, const struct piece_key *key);

/* Calls `each` for every piece but blocks, in the order of the text. `label` is plain text
 * of the article, "" where it has none. */
void piece_each(struct ctx *c, const struct content *content,
    void (*each)(void *arg, const struct piece_key *key, const char *label), void *arg);

/* Reads what the form of a piece shows. Refuses an article of another workspace, and a
 * piece that is not there (ERR_NOT_FOUND, param "piece"). */
MAY_REFUSE struct err *piece_look(struct ctx *c, const struct workspace *w, const char *id,
    const struct piece_key *key, struct piece_view *out);

/* Where a piece is in its text: lines, from 1; 0: it is not there in a form that is known. */
struct piece_spot {
	unsigned first, last;
};

/* Finds the pieces with these texts of keys (NULL: none) in the text that a form of the editor
 * shows. Refuses an article of another workspace. */
MAY_REFUSE struct err *piece_spots(struct ctx *c, const struct workspace *w, const char *id,
    const char *const *keys, size_t count, struct piece_spot *out);

/* ---- For piece-change.h and what reads the text of a piece */

/* Reads the text that a form of the editor shows (`shown` NULL: it is made of the content), and
 * finds a piece in it. Where the text says the piece in another way than Markdown's, `out` is
 * the text that is made of the content. Refuses a piece that is not there. */
MAY_REFUSE struct err *piece_find(struct ctx *c, const struct settings *settings,
    const struct snapshot *s, const char *shown, const struct piece_key *key,
    struct placed_text *out, struct piece_spot *spot);

/* Fills the piece from the content. False if the content has no such piece. */
bool piece_fill(struct ctx *c, const struct placed_text *t, const struct piece_key *key,
    const struct piece_spot *spot, struct piece *out);

/* Writes the digest of the piece: what a form has changed since. */
void piece_seen(const struct piece *p, char out[PIECE_SEEN]);

/* Returns the last line of a question; 0: nothing comes before. */
unsigned piece_end_of_faqs(const struct places *p, size_t index);

#endif
