#ifndef COMMAND_ARTICLE_LINES_H
#define COMMAND_ARTICLE_LINES_H
/* What stands in a snapshot as lines for people, who compare two of them: its
 * fields, then the body as Markdown. Not for import: ids, labels and sizes of
 * pictures are left out. */
#include "base/buf.h"
#include "content/snapshot.h"

struct ctx;

void article_lines_write(struct ctx *c, const struct snapshot *s,
    struct buf *out);

#endif
