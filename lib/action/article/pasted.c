#include "action/article/pasted.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "import/losses.h"
#include "import/markdown/markdown.h"
#include "import/markdown/over.h"

/* Takes the backslashes from the signs of struck-out text: it is typed with these signs. The text
 * of a content has them as any other sign. */
static void
type_struck(char *text)
{
	char *to = text;

	for (const char *p = text; *p != '\0'; p++) {
		if (strncmp(p, "\\~\\~", 4) == 0) {
			*to++ = '~';
			*to++ = '~';
			p += 3;
		} else {
			*to++ = *p;
		}
	}
	*to = '\0';
}

struct err *
pasted_read(struct ctx *c, const struct workspace *w, const char *html, struct pasted *out)
{
	const struct document_options options = { .settings = &w->settings, .posts = true };
	/* A title that no heading is: each of them stays. */
	struct document d = { .snapshot = { .title = "", .language = w->settings.language } };
	struct losses losses = { .c = c };
	struct notes notes = { .c = c };
	char *text;
	struct err *err;

	if (strlen(html) > PASTED_MAX)
		return refuse(c, ERR_TOO_LARGE,
		    tr_mark(
			"This is too long to be read with its formats: they may have %zu MiB. Paste it as plain text."),
		    PASTED_MAX >> 20);
	err = markdown_html(c, html, 1, &options, &losses, &notes, &d);
	if (err != NULL)
		return err;
	text = arena_text(c->arena, over_body(c, &d.snapshot.content));
	type_struck(text);
	for (size_t len = strlen(text); len > 0 && text[len - 1] == '\n'; len--)
		text[len - 1] = '\0';
	out->markdown = text;
	out->pictures_left_out = losses.pictures;
	return NULL;
}
