#ifndef EXPORT_TODO_H
#define EXPORT_TODO_H
/*
 * Callouts of kind todo say what is left to write. They are part of drafts
 * only, never of an edition (docs/export.md §1, docs/design.md §5). An article whose working
 * copy has one is unfinished.
 */
#include <stdint.h>

#include "content/content.h"

struct arena;

/* Calls `each` with every todo callout in reading order of the sections, and the
 * heading of its section, which is "" for the beginning. */
void todo_each(const struct content *content,
    void (*each)(void *arg, const char *heading, const struct callout *todo), void *arg);

/* Counts them. */
int64_t todo_count(const struct content *content);

/* Returns `content` itself when it has none; else a copy without them, in which the
 * blocks that placed them are gone and the other callouts' indexes fit. Shares
 * everything else with `content`. */
const struct content *todo_removed(struct arena *a, const struct content *content);

#endif
