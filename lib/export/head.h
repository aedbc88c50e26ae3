#ifndef EXPORT_HEAD_H
#define EXPORT_HEAD_H
/* What a website puts into the head of its page: as HTML, and as the seo object. */
#include "base/buf.h"
#include "export/facts.h"
#include "export/html.h"

/* Writes the seo object (docs/export.md §3, docs/contract.md §2.2). Members of openGraph and
 * twitter without a value are left out. */
void seo_render(const struct facts *f, struct buf *out);

/*
 * Writes the head fragment (docs/export.md §2): title, meta, canonical, social tags and the
 * structured data, one element a line. Charset, viewport, icons and alternate
 * links belong to the site. Every value of seo is here.
 */
void head_render(const struct facts *f, const struct html *h, struct buf *out);

#endif
