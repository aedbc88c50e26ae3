#ifndef EXPORT_SEO_H
#define EXPORT_SEO_H
/* The seo object (docs/export.md §3, docs/contract.md §2.2). Members of openGraph and twitter
 * without a value are left out. */
#include "base/buf.h"
#include "export/facts.h"

void seo_render(const struct facts *f, struct buf *out);

/* "summary_large_image" where the cover is large enough for it. */
const char *seo_twitter_card(const struct facts *f);

#endif
