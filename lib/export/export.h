#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H
/*
 * Makes the finished bytes of an article from its snapshot, the settings and the state of its
 * publication (docs/export.md). Pure functions: no clock, no randomness, no database, no
 * request data. A change of the bytes must raise EXPORT_RENDERER (and the number of the
 * schema: one release, one number, docs/design.md §3).
 *
 * export.c	the article object of the API
 * facts.c	what several views need, computed once (struct facts)
 * todo.c	drafts' callouts, which editions have none of
 * html.c	the document; html-block.c a section's flow; html-text.c
 *		texts: escaping, marks, direction (bidi.c)
 * head.c seo.c	one view each
 * jsonld.c	the graph; jsonld-parts.c its nodes made of content
 * checks.c	the publishing checks
 */
#include <stdbool.h>
#include <stdint.h>

#include "access/settings.h"
#include "base/buf.h"
#include "content/snapshot.h"

struct ctx;

#define EXPORT_RENDERER 3
#define EXPORT_SCHEMA_VERSION "1.1"
#define EXPORT_BYTES_MAX ((size_t)3 * 1024 * 1024)
#define EXPORT_REVISION 36 /* bytes of "x1_" + 32 hex digits and NUL */

/* Everything that an export depends on. */
struct export_source {
	const char *id; /* the article's UUID */
	bool published; /* false: a draft */
	int64_t version;       /* publication number; 0 when never published */
	int64_t published_at;  /* datePublished; 0 for drafts */
	int64_t modified_at;   /* dateModified; 0 for drafts */
	const char *published_url; /* clean web address, or NULL */
	const char *revision;      /* x1_…, from article/token.h */
	const struct snapshot *snapshot;
	const struct settings *settings;
};

/*
 * Appends the whole article object (docs/contract.md §2.1, all fields in its order) to
 * `out`. A caller that set a ceiling must check buf_full(out). Callouts of
 * kind todo are rendered only when !published.
 */
void export_render(struct ctx *c, const struct export_source *source,
    struct buf *out);

/* Append one view to `out`, for `article show --as …`. */
void export_html(struct ctx *c, const struct export_source *source,
    struct buf *out);
void export_head(struct ctx *c, const struct export_source *source,
    struct buf *out);
void export_seo(struct ctx *c, const struct export_source *source,
    struct buf *out);
void export_json_ld(struct ctx *c, const struct export_source *source,
    struct buf *out);

/* Returns the final address, or NULL when none is configured (docs/export.md §4): the
 * published URL, else website + pattern with the percent-encoded slug. */
const char *export_canonical(struct ctx *c,
    const struct export_source *source);

#define EXPORT_CHECKS 24
struct export_check {
	const char *label;
	bool passed;
	const char *reason; /* what fails and where (which heading, which
			       link), or NULL; for editors, never exported */
};
/* Makes the publishing checks, in the order of docs/export.md §6. */
void export_checks(struct ctx *c, const struct export_source *source,
    struct export_check checks[EXPORT_CHECKS]);

/* Returns "https://host/media/<digest>.<ext>" for "media:<digest>.<ext>", NULL for it while
 * public_url is "", and any other address unchanged. */
const char *export_media_address(struct ctx *c, const struct settings *s,
    const char *url);

#endif
