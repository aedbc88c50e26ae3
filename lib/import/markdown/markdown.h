#ifndef IMPORT_MARKDOWN_H
#define IMPORT_MARKDOWN_H
/*
 * Markdown documents with front matter into snapshots and back (docs/export.md §5).
 * Linked into the operator's tool only.
 *
 * A document goes through these, in order; each header says the rest:
 *
 * frontmatter.h	YAML or TOML → a tree of values
 * fields.h		what its keys mean
 * markdown-source.h	the body, made ready for the parser of Markdown
 * from-markdown.h	Markdown (cmark-gfm) and the HTML in it → one text of HTML
 * htmlmap.h		that (gumbo) → a flow of blocks (sections.h) and texts (pieces.h)
 * references.h		footnotes → references
 * sections.h		the flow → sections, takeaways, questions; where they are in the text
 * extra.h		what Markdown has no form for, from front matter
 * losses.h		what was changed or dropped on the way
 *
 * markdown.c makes links to sections of links to headings. And back: to-markdown.h writes the
 * body, extra.h what it does not say, markdown.c the document.
 */
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "import/document.h"

struct article;

#define MARKDOWN_BYTES_MAX ((size_t)8 * 1024 * 1024) /* of a document */

/*
 * Reads a document. Refusals name what is wrong and where (front matter that
 * is no YAML, a date that is none, a limit of content.h); what was merely
 * changed or dropped goes to `notes`.
 */
MAY_REFUSE struct err *markdown_read(struct ctx *c, const char *text, size_t len,
    const struct document_options *options, struct notes *notes, struct document *out);

/*
 * Reads a body that is HTML throughout into the content of out->snapshot, whose
 * title and language are set, and imageAlt and imageCaption of its content.
 * `line` is that of the first byte, for losses and refusals.
 */
MAY_REFUSE struct err *markdown_html(struct ctx *c, const char *html, unsigned line,
    const struct document_options *options, struct losses *losses, struct notes *notes,
    struct document *out);

/*
 * Writes a snapshot as a document whose import gives an equal snapshot, its
 * content equal byte for byte (docs/export.md §5, last paragraph). `id`, `base`:
 * front matter, or NULL. Dates and published_url as in struct document (0/NULL:
 * left out). Stored pictures keep their names: media:<digest>.<ext>. It reads
 * back what it wrote, so it takes as long as a few imports.
 */
void markdown_write(struct ctx *c, const struct document *document, struct buf *out);

/* Writes an article as an editor's text, with `id` and `base` (the token of the working
 * copy) in its front matter. `snapshot` is the working copy or an edition. Call it
 * inside a transaction. */
void markdown_write_article(
    struct ctx *c, const struct article *a, const struct snapshot *snapshot, struct buf *out);

#endif
