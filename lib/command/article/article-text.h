#ifndef COMMAND_ARTICLE_TEXT_H
#define COMMAND_ARTICLE_TEXT_H
/* An article as an editor's text: Markdown with `id`, and the `base` of the
 * working copy, in its front matter (docs/export.md §5). `snapshot` is the working
 * copy or an edition. Inside a transaction. */
#include "article/article.h"
#include "base/buf.h"

void article_text_write(struct ctx *c, const struct article *a,
    const struct snapshot *snapshot, struct buf *out);

#endif
