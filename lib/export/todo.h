#ifndef EXPORT_TODO_H
#define EXPORT_TODO_H
/*
 * Callouts of kind todo say what is left to write. They are part of drafts
 * only, never of an edition (export.md §1, design §5).
 */
#include "content/content.h"

struct arena;

/* `content` itself when it has none; else a copy without them, in which the
 * blocks that placed them are gone and the other callouts' indexes fit. Shares
 * everything else with `content`. */
const struct content *
todo_removed(struct arena *a, const struct content *content);

#endif
