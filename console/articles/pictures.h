#ifndef CONSOLE_PICTURES_H
#define CONSOLE_PICTURES_H
/* Pictures where others show and take them: the cover, in the editor. */
#include "action/picture-actions.h"
#include "console/answer.h"

#define PICTURES_ACCEPT "image/jpeg,image/png,image/webp,image/gif"

/* Returns what a picture is called where people choose: its alternative text, or its date
 * (arena). */
const char *pictures_label(struct ctx *c, const struct picture_row *p);

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
