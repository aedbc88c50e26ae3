#ifndef ACTION_UNFINISHED_H
#define ACTION_UNFINISHED_H
/*
 * Articles that are not finished: their working copy has callouts of kind todo
 * (export/todo.h).
 */
#include <stdint.h>

#include "article/article.h"
#include "base/err.h"

/* Refuses an article whose working copy is unfinished. The sentence names each place
 * that is left to write, by its heading and the beginning of its text. Call it inside a
 * transaction. */
MAY_REFUSE struct err *unfinished_check(struct ctx *c, const struct article *a);

/* Returns "1 place is left to write", in the arena. */
const char *unfinished_sentence(struct ctx *c, int64_t count);

#endif
