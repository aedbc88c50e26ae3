#ifndef PROVIDER_COVER_H
#define PROVIDER_COVER_H
/*
 * The cover of an article, drawn by the program galley-cover beside this one
 * (cover-paint.h). What a machine lacks is never a failure: without that program,
 * Pango or fonts there is no cover, and what happens to the process that draws
 * costs the cover and nothing else.
 */
#include <stdbool.h>

struct ctx;

#define COVER_FILE "cover.png"
#define COVER_PROGRAM "galley-cover"

enum { COVER_WIDTH = 1200, COVER_HEIGHT = 675 };

/*
 * Draws a cover into the file `path`, in at most 20 seconds. False, with a line
 * in the log that says why, when there is none; then no file is left.
 */
bool cover_draw(struct ctx *c, const char *title, const char *publisher,
    const char *language, const char *path);

#endif
