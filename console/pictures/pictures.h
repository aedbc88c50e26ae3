#ifndef PICTURES_H
#define PICTURES_H
/* What the screens share that show or take pictures: pictures.c, picture-page.c,
 * editor-cover.c. */
#include "action/picture-actions.h"
#include "console/answer.h"

#define PICTURES_ACCEPT "image/jpeg,image/png,image/webp,image/gif"

/* Returns the address of a picture's file on this origin (arena); `name` is
 * "<digest>.<ext>". */
const char *pictures_address(struct ctx *c, const struct visit *v, const char *name);

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

/* Puts a refusal of upload_insert() or upload_begin() beside a field; as console_wrong(). */
MAY_REFUSE struct err *pictures_wrong(struct ctx *c, struct visit *v, struct reply *reply,
    struct form *f, const char *field, struct err *err);

#endif
