#ifndef ACTION_PASTED_H
#define ACTION_PASTED_H
/* HTML that somebody pastes into the text of an article (docs/console.md §5.4): it is read as
 * that of an import, and given back as Markdown. Nothing is stored. */
#include <stddef.h>

#include "access/workspace.h"
#include "base/err.h"

#define PASTED_MAX ((size_t)1024 * 1024) /* bytes of HTML */

struct pasted {
	const char *markdown; /* without an end of line; "" where the HTML shows nothing */
	size_t pictures_left_out; /* without an address of the web */
};

/* Fills *out, in the arena. Refuses (ERR_TOO_LARGE) more than PASTED_MAX, and what content may
 * not hold. */
MAY_REFUSE struct err *
pasted_read(struct ctx *c, const struct workspace *w, const char *html, struct pasted *out);

#endif
