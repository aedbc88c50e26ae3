#ifndef EXPORT_JSONLD_H
#define EXPORT_JSONLD_H
/*
 * Writes the structured data graph (docs/export.md §4): one object, nodes in fixed order,
 * plain text, nothing empty. Needs the rendered html for what was cited and
 * counted there.
 */
#include "base/buf.h"
#include "base/jwrite.h"
#include "export/facts.h"
#include "export/html.h"

/* `html_safe`: for a script element. Both forms parse to the same JSON. */
void jsonld_render(const struct facts *f, const struct html *h, bool html_safe, struct buf *out);

#endif
