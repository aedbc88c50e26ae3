/* A body that is HTML throughout. */
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "import/markdown/weave.h"

struct err *
weave_html(struct ctx *c, const char *html, unsigned line,
    struct losses *losses, struct woven *out)
{
	struct weave w = { .c = c, .losses = losses, .woven = out,
		.line = line };

	memset(out, 0, sizeof(*out));
	/* Escapes make at most six bytes of one. */
	buf_init(&w.out, c->arena, 16 * strlen(html) + 4096);
	weave_raw(&w, html, true);
	weave_raw_close(&w, 0);
	weave_add(&w, "\n", 1, false);
	out->html = buf_done(&w.out);
	out->len = w.out.len;
	return w.err;
}
