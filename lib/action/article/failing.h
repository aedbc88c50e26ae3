#ifndef ACTION_FAILING_H
#define ACTION_FAILING_H
/* The publishing checks that an article does not pass. */
#include <stddef.h>

#include "export/export.h"

/* Fills `out` with the checks that fail, in their order, and returns their number. */
size_t failing_checks(
    struct ctx *c, const struct export_source *s, struct export_check out[EXPORT_CHECKS]);

/* Returns "label: reason", in the arena. */
const char *failing_line(struct ctx *c, const struct export_check *k);

#endif
