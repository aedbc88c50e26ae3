#ifndef PROVIDER_COVER_PAINT_H
#define PROVIDER_COVER_PAINT_H
/*
 * Draws a cover with Pango and cairo: 1200 × 675 pixels, the title set large in the
 * language's own direction, the publisher's name below it, on a quiet ground. Title and
 * name decide its colours and shapes. The same title, name, language and fonts give the
 * same bytes.
 *
 * Only bin/galley-cover may call it: the libraries end the process, or never return,
 * when memory or threads run short (both were seen), and many machines do not have
 * them. Other programs call cover_draw() (cover.h), which starts that program.
 */
#include <stdbool.h>

struct ctx;

/* Draws the cover into the file `path`. Returns false, and logs the reason, without
 * fonts, without a glyph for a letter of the title, or without room on the disk. */
bool cover_paint(struct ctx *c, const char *title, const char *publisher, const char *language,
    const char *path);

/* Draws the text of a cover with Pango: shaped, broken into lines, and set at the side
 * where a line of the language begins, in the current colour of cairo. */

#endif
