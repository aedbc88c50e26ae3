#ifndef IMPORT_BODY_H
#define IMPORT_BODY_H
/*
 * The body of an article as Markdown, without front matter, as a form of the console shows it
 * (docs/console.md §5.1). What Markdown has no form for (markdown.h, extra.h) is taken from
 * the content that the text was made from, by section and block.
 */
#include "access/settings.h"
#include "base/err.h"
#include "content/snapshot.h"

struct losses;
struct places;

/* Returns the body of a content (arena). */
const char *body_text(struct ctx *c, const struct content *content);

/* Returns the body of a file of Markdown: without front matter, and with \n at the end of its
 * lines. Refuses bytes that are no text, and front matter that is none; the sentence names the
 * line. */
MAY_REFUSE struct err *body_of_file(struct ctx *c, const char *bytes, size_t len, const char **out);

/*
 * Reads a body that was made from `base` and edited. `title` is that of the article now: a
 * first line "# TITLE" is no part of the text. The same body gives the same content, byte
 * for byte. Refuses what markdown_read() refuses; a line in the sentence is one of the body.
 */
MAY_REFUSE struct err *body_read(struct ctx *c, const struct settings *settings,
    const struct snapshot *base, const char *title, const char *text, struct content *out);

/* The same, and says where each part of the content is in the text (sections.h). `places` is all
 * zero, but for its head. */
MAY_REFUSE struct err *
body_places(struct ctx *c, const struct settings *settings, const struct snapshot *base,
    const char *title, const char *text, struct content *out, struct places *places);

/* Says what a text of the working copy `s` loses when it is read: what its author wrote, and no
 * reader of the article sees so. The lines are those of the text. */
void body_losses(struct ctx *c, const struct settings *settings, const struct snapshot *s,
    const char *text, struct losses *out);

/*
 * Returns (arena) a text of `now` that is as near as it can be to `source`, a text of `was`:
 * the parts that both have keep their bytes, and so does what is between them and is no part of
 * a content. With `except` the part that begins in this line of body_text() of `now` is taken
 * from there (0: none). NULL if the text would be read otherwise, or is too long.
 */
const char *body_carry(struct ctx *c, const struct settings *settings, const struct snapshot *was,
    const char *source, const struct snapshot *now, unsigned except);

#endif
