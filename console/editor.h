#ifndef EDITOR_H
#define EDITOR_H
/* What the screens of one article share: editor.c, clash.c, publish.c, history.c. */
#include "action/article/ready.h"
#include "action/article/write.h"
#include "console/console.h"

/* The names of the form's fields, by enum write_field. */
extern const char *const editor_names[WRITE_FIELDS];

/* Writes the failed checks and what is left to write. */
void editor_write_ready(struct ctx *c, struct hwrite *w, const struct ready *r);

/* Writes what differs between two texts, by words, with a few lines around it. */
void difference_write(struct hwrite *w, const char *before, const char *after);

/* Reads the answers to a clash, if the form has them. */
void clash_read(const struct visit *v, struct write *w);

/* Answers 409 with what clashes; its form sends everything again to `action`. */
void clash_show(struct ctx *c, const struct visit *v, struct reply *reply,
    const struct form *f, const struct write *w, const char *action);

#endif
