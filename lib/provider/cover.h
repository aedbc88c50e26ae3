#ifndef PROVIDER_COVER_H
#define PROVIDER_COVER_H
/*
 * The cover of an article, which the program galley-cover beside this one draws
 * (cover-paint.h). What a machine lacks is never a failure: without that program, Pango
 * or fonts there is no cover, and a crash of the program costs only the cover.
 */
#include <stdbool.h>

struct ctx;

#define COVER_FILE "cover.png"

enum { COVER_WIDTH = 1200, COVER_HEIGHT = 675 };

/*
 * Draws a cover into the file `path`, in at most 20 seconds. If it cannot, it returns
 * false, logs the reason and leaves no file.
 */
bool cover_draw(struct ctx *c, const char *title, const char *publisher, const char *language,
    const char *path);

#endif
