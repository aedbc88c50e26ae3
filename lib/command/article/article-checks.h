#ifndef COMMAND_ARTICLE_CHECKS_H
#define COMMAND_ARTICLE_CHECKS_H
/* The publishing checks that an article does not pass. */
#include <stddef.h>

#include "export/export.h"

/* Fills `out` with the checks that fail, in their order; returns how many. */
size_t article_checks_failing(struct ctx *c, const struct export_source *s,
    struct export_check out[EXPORT_CHECKS]);

/* "label: reason", in the arena. */
const char *article_checks_line(struct ctx *c, const struct export_check *k);

#endif
