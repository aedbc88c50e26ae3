#ifndef STORE_BOTH_MOVE_PARTS_H
#define STORE_BOTH_MOVE_PARTS_H
/* The part of a move that is SQLite's (move-lite.c). Private to this folder. */
#include "store/move.h"

int64_t move_lite_number(struct ctx *c, enum db_store store);

/* Closes or opens the files of the instance. The content is the last one. */
void move_lite_mark(struct ctx *c, bool closed, void (*change)(struct ctx *c));

void move_lite_look(struct ctx *c, move_look *look, struct digest *into);

#endif
