#ifndef ACTION_PASTED_H
#define ACTION_PASTED_H
/* HTML that somebody pastes into the text of an article (docs/console.md §5.4): it is read as
 * that of an import, and given back as Markdown. Nothing is stored. */
#include <stddef.h>

#include "access/workspace.h"
#include "base/err.h"

#define PASTED_MAX ((size_t)1024 * 1024) /* bytes of HTML */

/* Returns the HTML as Markdown in *markdown (arena), without an end of line; "" where it shows
 * nothing. Pictures without an address of their own are left out. Refuses (ERR_TOO_LARGE) more
 * than PASTED_MAX, and what content may not hold. */
MAY_REFUSE struct err *pasted_read(struct ctx *c, const struct workspace *w,
    const char *html, const char **markdown);

#endif
