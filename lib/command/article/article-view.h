#ifndef COMMAND_ARTICLE_VIEW_H
#define COMMAND_ARTICLE_VIEW_H
/*
 * An article, or an edition of it, as a text in one of the forms of
 * `article show --as`. Inside a transaction.
 */
#include <stdbool.h>

#include "article/article.h"
#include "base/buf.h"
#include "export/export.h"

struct article_view {
	const struct workspace *workspace;
	const struct article *article;
	const struct export_source *source; /* of what is looked at */
};

/* "page, head, html, …" */
extern const char article_view_forms[];

/* Appends it. *json: whether the text is a JSON value. False when there is no
 * such form. */
bool article_view_write(struct ctx *c, const struct article_view *v,
    const char *form, struct buf *out, bool *json);

#endif
