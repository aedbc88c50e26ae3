#include "import/markdown/weave.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"

void
weave_end_line(struct weave *w)
{
	struct woven *out = w->woven;

	if (out->line_count == w->cap) {
		size_t cap = w->cap == 0 ? 256 : w->cap * 2;
		out->lines = arena_grow(w->c->arena, out->lines,
		    w->cap * sizeof(*out->lines), cap * sizeof(*out->lines));
		w->cap = cap;
	}
	out->lines[out->line_count++] = w->line;
	buf_add_char(&w->out, '\n');
}

unsigned
weave_line(const struct woven *woven, unsigned at)
{
	size_t last = woven->line_count;

	return woven->lines[(at < last ? at : last) - 1];
}

void
weave_add(struct weave *w, const char *text, size_t len, bool escape)
{
	const char *end = text + len;

	while (text < end) {
		size_t n = strcspn(text, "\n&<>\"\xEF");
		n = n < (size_t)(end - text) ? n : (size_t)(end - text);
		buf_add(&w->out, text, n);
		text += n;
		if (text == end)
			break;
		if (*text == '\n') {
			weave_end_line(w);
			w->line++;
		} else if (strncmp(text, SOURCE_MARK, 3) == 0) {
			text += 2;
		} else if (!escape || *text == '\xEF') {
			buf_add_char(&w->out, *text);
		} else {
			buf_add_text(&w->out, *text == '&' ? "&amp;" :
			    *text == '<' ? "&lt;" :
			    *text == '>' ? "&gt;" : "&quot;");
		}
		text++;
	}
}

void
weave_attribute(struct weave *w, const char *name, const char *value)
{
	if (value == NULL || value[0] == '\0')
		return;
	buf_printf(&w->out, " %s=\"", name);
	weave_add(w, value, strlen(value), true);
	buf_add_char(&w->out, '"');
}
