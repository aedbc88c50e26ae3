#ifndef PROVIDER_COVER_PAINT_H
#define PROVIDER_COVER_PAINT_H
/*
 * The drawing of a cover, with Pango and cairo: 1200 × 675 pixels, the title set
 * large in the language's own direction, the publisher's name below it, on a
 * quiet ground whose colours and shapes follow from the two. The same title,
 * name, language and fonts give the same bytes.
 *
 * For bin/galley-cover alone: the libraries end the process, or never return,
 * when memory or threads run short (both were seen), and many machines have
 * none of them. Others say cover_draw() (cover.h), which starts that program.
 */
#include <stdbool.h>

struct ctx;

/* False, with a line in the log that says why, without fonts, without a glyph
 * for a letter of the title, without room on the disk. */
bool cover_paint(struct ctx *c, const char *title, const char *publisher,
    const char *language, const char *path);

#endif
