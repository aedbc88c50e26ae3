#include "pages/page-html.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/log.h"

/* Returns the text of a piece of html, without its tags (arena). */
static const char *
plain_of(struct ctx *c, const char *html, size_t len)
{
	static const struct {
		const char *name;
		char is;
	} entities[] = { { "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' }, { NULL, '\0' } };
	const char *end = html + len;
	struct buf out;

	buf_init(&out, c->arena, len);
	while (html < end) {
		size_t i = 0;
		if (*html == '<') {
			html += strcspn(html, ">") + 1;
			continue;
		}
		while (entities[i].name != NULL &&
		       strncmp(html, entities[i].name, strlen(entities[i].name)) != 0)
			i++;
		buf_add_char(&out, entities[i].name != NULL ? entities[i].is : *html);
		html += entities[i].name != NULL ? strlen(entities[i].name) : 1;
	}
	return buf_done(&out);
}

const char *
page_html_author(struct ctx *c, const char *byline, const char **url)
{
	static const char link[] = "<a href=\"";
	const char *date = strstr(byline, " <time"), *from = strstr(byline, link);

	*url = NULL;
	if (from != NULL) {
		from += sizeof(link) - 1;
		*url = plain_of(c, from, strcspn(from, "\""));
	}
	return plain_of(c, byline, date != NULL ? (size_t)(date - byline) : strlen(byline));
}

/* Returns whether the text of the article begins with its description: it would be said twice. */
static bool
begins_described(struct ctx *c, const char *rest, const char *description)
{
	const char *text = strstr(rest, "<p class=\"ab-lead\">"), *end;

	if (text == NULL)
		text = strstr(rest, "<p>");
	end = text != NULL ? strstr(text, "</p>") : NULL;
	return end != NULL && strncmp(plain_of(c, text, (size_t)(end - text)), description,
				  strlen(description)) == 0;
}

void
page_html_cut(struct ctx *c, const char *html, const char *description, struct page_html *out)
{
	static const char ends[] = "</p>\n";

	out->heading = strstr(html, "<h1>");
	out->byline = strstr(html, "<p class=\"ab-byline\">");
	out->rest = out->byline != NULL ? strstr(out->byline, ends) : NULL;
	if (out->heading == NULL || out->rest == NULL)
		die("an article without a heading or a byline");
	out->rest += sizeof(ends) - 1;
	out->described = begins_described(c, out->rest, description);
}
