#ifndef COMMAND_ARTICLE_TEXT_H
#define COMMAND_ARTICLE_TEXT_H
/* An article's working copy as an editor's text: Markdown with `id` and `base`
 * in its front matter (export.md §5). Inside a transaction. */
#include "article/article.h"
#include "base/buf.h"

void article_text_write(struct ctx *c, const struct article *a,
    struct buf *out);

#endif
