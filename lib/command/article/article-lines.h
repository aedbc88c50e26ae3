#ifndef COMMAND_ARTICLE_LINES_H
#define COMMAND_ARTICLE_LINES_H
/* Writes a snapshot as lines, so that people can compare two of them: its fields, then
 * the body as Markdown. Ids, labels and sizes of pictures are left out, so it cannot be
 * imported. */
#include "base/buf.h"
#include "content/snapshot.h"

struct ctx;

void article_lines_write(struct ctx *c, const struct snapshot *s, struct buf *out);

#endif
