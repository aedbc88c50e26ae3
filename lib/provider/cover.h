#ifndef PROVIDER_COVER_H
#define PROVIDER_COVER_H
/*
 * A cover: 1200 × 675 pixels, the title set large in the language's own
 * direction, the publisher's name below it, on a quiet ground whose colours
 * and shapes follow from the two. Drawn with Pango and cairo; the same title,
 * name, language and fonts give the same bytes.
 *
 * What a machine lacks is never a failure: without fonts, without a glyph for
 * a letter of the title, without room on the disk there is no cover. The
 * libraries end the process, or never return, when memory or threads run short
 * (both were seen): so a child process draws, and what happens to it costs the
 * cover and nothing else.
 */
#include <stdbool.h>

struct ctx;

#define COVER_FILE "cover.png"

enum { COVER_WIDTH = 1200, COVER_HEIGHT = 675 };

/*
 * Draws a cover into the file `path`, in at most 20 seconds. False, with a line
 * in the log that says why, when there is none; then no file is left.
 */
bool cover_draw(struct ctx *c, const char *title, const char *publisher,
    const char *language, const char *path);

#endif
