#ifndef COMMAND_ARTICLE_VIEW_H
#define COMMAND_ARTICLE_VIEW_H
/*
 * An article, or an edition of it, as a text in one of the forms of
 * `article show --as`.
 */
#include <stdbool.h>

#include "action/article/look.h"
#include "base/buf.h"

/* "page, head, html, …" */
extern const char article_view_forms[];

/* Appends the text. *json: whether it is a JSON value. Returns false if there is no such
 * form. */
bool article_view_write(
    struct ctx *c, const struct look *v, const char *form, struct buf *out, bool *json);

#endif
