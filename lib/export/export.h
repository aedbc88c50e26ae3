#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H
/*
 * Makes the finished bytes of an article from its snapshot, the settings and the state of its
 * publication (docs/export.md). Pure functions: no clock, no randomness, no database, no
 * request data. A change of the bytes must raise EXPORT_RENDERER (and the number of the
 * schema: one release, one number, docs/design.md §3).
 *
 * export.c	the article object of the API; the head's HTML, and the seo object
 * facts.c	what an export depends on, its addresses, and what several views need
 * todo.c	drafts' callouts, which editions have none of
 * html.c	the document; html-text.c its texts: escaping, marks, direction
 * jsonld.c	the graph
 * checks.c	the publishing checks
 *
 * lib/export: the finished bytes of an article, and the publishing checks. Not here: where the
 * bytes are kept (article/stored.h). Begin with export.h.
 */
#include "base/buf.h"
#include "export/checks.h"
#include "export/facts.h"
#include "export/html.h"

struct ctx;

#define EXPORT_RENDERER 3
#define EXPORT_SCHEMA_VERSION "1.1"

/*
 * Appends the whole article object (docs/contract.md §2.1, all fields in its order) to `out`. A
 * caller that set a ceiling must check buf_full(out). Callouts of kind todo are rendered only when
 * !published.
 */
void export_render(struct ctx *c, const struct export_source *source, struct buf *out);

/* Append one view to `out`, for `article show --as …`. */
void export_html(struct ctx *c, const struct export_source *source, struct buf *out);

void export_head(struct ctx *c, const struct export_source *source, struct buf *out);

void export_seo(struct ctx *c, const struct export_source *source, struct buf *out);

void export_json_ld(struct ctx *c, const struct export_source *source, struct buf *out);

/* Returns the words of the article, as its checks and its JSON-LD count them, and the minutes of
 * reading (docs/export.md §5). */
size_t export_words(struct ctx *c, const struct export_source *source, int64_t *minutes);

/* Makes the publishing checks, in the order of docs/export.md §6. */
void export_checks(
    struct ctx *c, const struct export_source *source, struct export_check checks[EXPORT_CHECKS]);

#endif
