#ifndef EXPORT_HEAD_H
#define EXPORT_HEAD_H
/*
 * Writes the head fragment (docs/export.md §2): title, meta, canonical, social tags and the
 * structured data, one element a line. Charset, viewport, icons and alternate
 * links belong to the site. Every value of seo is here.
 */
#include "base/buf.h"
#include "export/facts.h"
#include "export/html.h"

void head_render(const struct facts *f, const struct html *h, struct buf *out);

#endif
