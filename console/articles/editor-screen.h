#ifndef CONSOLE_EDITOR_SCREEN_H
#define CONSOLE_EDITOR_SCREEN_H
/* What the editor's files share, and what other screens of one article take from them. */
#include "action/article/article-writing.h"
#include "action/article/piece-change.h"
#include "action/article/publish-check.h"
#include "action/picture-actions.h"
#include "console/answer.h"

struct editing;
struct jwrite;
struct losses;
struct piece_spot;
struct reviewed;

/* The names of the form's fields, by enum write_field. */
extern const char *const editor_names[WRITE_FIELDS];

/* ---- the form (editor-form.c) */

/* Makes the table of fields that this person has here, and the form. `a` NULL: a new
 * article; `h` NULL: it is not handed in. */
void editor_form(struct ctx *c, const struct visit *v, const struct article *a,
    const struct handed *h, struct form *f);

/* Fills the form with what is stored. */
void editor_fill(struct ctx *c, struct form *f, const struct write_view *view);

/* Gives the fields for language and tags suggestions: what the newest articles have. */
void editor_suggest(struct ctx *c, const struct visit *v, struct form *f);

/* Returns whether the editor has a field with this name. */
bool editor_has_field(const char *name);

/* Returns whether the form has this field here. */
bool editor_has(const struct form *f, const char *name);

/* Returns whether a button was pressed that this person has here. */
bool editor_pressed(const struct form *f, const char *name);

/* Refuses a field that is shown read-only and was sent with another content. Call it before
 * the form is read. */
MAY_REFUSE struct err *
editor_check_readonly(struct ctx *c, const struct visit *v, const struct form *f);

/* Takes what the form says; what is read-only stays as it is. */
void
editor_take(const struct visit *v, const struct form *f, const struct article *a, struct write *w);

/* ---- the text as a file (editor-form.c) */

/* Returns whether a file was sent whose text takes the place of what was typed. */
bool editor_has_file(const struct visit *v);

/* Puts the text of the file in the place of the field "text". Call it before the form is read.
 * Refuses (param "text") a file that is not text. */
MAY_REFUSE struct err *editor_take_file(struct ctx *c, struct visit *v);

/* ---- the cover (editor-form.c) */

/* Gives the form's cover its choices: the newest pictures, and the present cover (NULL: none
 * is known). */
void editor_cover_offer(struct ctx *c, const struct visit *v, struct form *f, const char *present);

/* Takes the file, if one was sent: upload_begin(). Returns false if it is refused: the form
 * and the reply say why. `view` NULL: a new article. */
bool editor_cover_begin(struct ctx *c, struct visit *v, struct reply *reply, struct form *f,
    const struct write_view *view, struct write *w);

/* Ends it: upload_end(). */
void editor_cover_end(struct ctx *c, const struct visit *v, struct write *w, bool kept);

/* Says beside the file that it is gone from a form that comes back. */
void editor_cover_again(const struct visit *v, struct form *f);

/* Writes the present cover, small. */
void editor_write_cover(struct hwrite *w, const struct editing *e);

/* ---- the page (editor-page.c) */

/* What the working copy of an article measures, as the checks count it. */
struct editor_measure {
	size_t words;
	int64_t minutes; /* of reading */
	const char *length; /* both in words: "1204 words · 6 minutes to read" */
	const char *address; /* where readers find it, or would; NULL: it would have none */
};

void editor_measure(
    struct ctx *c, const struct visit *v, const struct article *a, struct editor_measure *out);

struct editing {
	struct ctx *c;
	const struct visit *v;
	const struct article *article; /* NULL: a new one */
	const struct content *content; /* of the article, or NULL */
	const char *saved_by; /* the name of who saved last, "" for the reader; or NULL */
	int64_t saved_at;
	const struct form *form;
	const struct ready *ready; /* "Check": what it found, or NULL */
	const struct piece_spot *spots; /* where that is, or NULL */
	const struct losses *losses; /* of the text of a form that was not sent, or NULL */
	const struct reviewed *reviewed; /* NULL: a new article */
	bool unpublished; /* the page answers "Unpublish" */
	const char *action;
	const struct write_view *view; /* of a form that was sent, or NULL */
	struct editor_measure measure; /* editor_page() fills it in; zero of a new article */
};

/* Returns the address of an article below the root (arena). */
const char *editor_address(struct ctx *c, const struct visit *v, const char *id);

/* Answers with the page. */
void editor_page(struct editing *e, struct reply *reply);

/* Writes a drawing of lines, in a square of 24 units; `class` may be NULL. */
void editor_write_icon(struct hwrite *w, const char *class, const char *path);

/* Write the bar above the text, and the panel beside it (editor-panel.c). */
void editor_write_bar(struct hwrite *w, const struct editing *e);
void editor_write_panel(struct hwrite *w, const struct editing *e);

/* Writes the failed checks and what is left to write. With `spots`, the places of the failing
 * pieces and of those of the to-dos after them in the text of the page, the script leads there. */
void editor_write_ready(struct ctx *c, const struct visit *v, struct hwrite *w,
    const struct ready *r, const struct piece_spot *spots);

/* Finds these places; NULL if this person has no use for them. */
MAY_REFUSE struct err *editor_find_spots(
    struct ctx *c, const struct visit *v, const struct ready *r, const struct piece_spot **out);

/* ---- what the text loses (editor-page.c) */

/* Finds what readers will not see as it is written in the text that a form shows. */
void editor_find_losses(
    struct ctx *c, const struct visit *v, const struct write_view *view, struct losses *out);

struct editor_losses {
	struct ctx *c;
	const struct visit *v;
	const char *text; /* in which they are */
	const struct losses *losses;
	bool here; /* the page has the text; the script fills the list after each save */
};

/* Writes it as a list of links to the places; nothing where nothing is lost. */
void editor_write_losses(struct hwrite *w, const struct editor_losses *l);

/* Writes it as the member "losses" of an answer to the script. */
void
editor_losses_json(struct jwrite *w, struct ctx *c, const char *text, const struct losses *losses);

/* ---- the review (editor-page.c) */

/* Reads what was said about the article, and who said it. */
MAY_REFUSE struct err *
review_read(struct ctx *c, const struct visit *v, const char *id, const struct reviewed **out);

/* Returns how much was said; writes that the article is handed in, if it is; and what was said. */
size_t review_count(const struct reviewed *r);
void review_write_state(struct hwrite *w, const struct reviewed *r);
void review_write_comments(struct hwrite *w, const struct reviewed *r);

/* ---- the script (editor-script.c) */

/* A sentence that the script says; the table ends with NULL. */
struct editor_says {
	const char *name, *sentence;
};
extern const struct editor_says editor_view_says[]; /* of the visual view: editor-blocks.c */

/* An answer to the editor's script. */
struct script {
	struct ctx *c;
	const struct visit *v;
	struct reply *reply;
	const struct write *write; /* NULL where none is asked for */
};

/* Answer that it was saved, with what others changed meanwhile; what clashes; and what is wrong
 * with the form. */
MAY_REFUSE struct err *script_saved(const struct script *s);
void script_clashed(const struct script *s);
void script_refused(const struct script *s, const struct form *f);

/* Writes an error as an object. A sentence of the reader of Markdown names its line. A `value`
 * takes the place of what was sent. `field`, `value`: or NULL. */
void script_error(struct jwrite *w, const char *field, const char *text, const char *value);

/* Answers that a picture was stored, with what shows it in a text. */
void script_stored(const struct script *s, const char *markdown);

/* ---- history.c */

/* Writes what differs between two texts, by words, with a few lines around it. */
void difference_write(struct hwrite *w, const char *before, const char *after);

/* ---- published.c: what the editor says after "Unpublish" (docs/console.md §5.2) */

bool unpublished_is(struct ctx *c, const struct visit *v, const struct article *a);
void
unpublished_write(struct hwrite *w, struct ctx *c, const struct visit *v, const struct article *a);

/* ---- piece.c: what leads to the form of a piece of a text (docs/console.md §5.1) */

/* Returns where a button of the editor leads, below the article's address, or NULL: its value
 * names no piece. */
const char *piece_way(struct ctx *c, const char *value);

/* Writes the buttons of the editor that lead here, and the list of the pieces that are there. */
void piece_write_buttons(struct ctx *c, struct hwrite *w, const struct content *content);

/* ---- pictures.c: where others show and take them: the cover, in the editor */

#define PICTURES_ACCEPT "image/jpeg,image/png,image/webp,image/gif"

/* Returns what a picture is called where people choose: its alternative text, or its date
 * (arena). */
const char *pictures_label(struct ctx *c, const struct picture_row *p);

/* Returns the address of a picture's file on this origin (arena); `name` is
 * "<digest>.<ext>". */
const char *pictures_address(struct ctx *c, const struct visit *v, const char *name);

/* Writes a picture, small, with its size said before it loads. */
void pictures_write(struct hwrite *w, struct ctx *c, const struct visit *v,
    const struct picture_row *p, const char *alternative);

/*
 * Takes the file of a field: upload_begin(). Returns false if there is none, or it is
 * refused: then the form says why, and the reply has its status (413, 422 or 503).
 */
bool pictures_take(struct ctx *c, struct visit *v, struct reply *reply, struct form *f,
    const char *field, struct upload *u);

#endif
