#include "import/losses.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/utf8.h"

#define LOOKED_AT 256 /* an equal loss is looked for among so many of the newest */

/* Returns the loss with this text, or a new one: equal losses of several lines
 * are told together. */
static struct loss *
find(struct losses *l, const char *text)
{
	struct loss *loss;
	size_t oldest = l->count > LOOKED_AT ? l->count - LOOKED_AT : 0;

	for (size_t i = l->count; i > oldest; i--) {
		if (strcmp(l->list[i - 1].text, text) == 0)
			return &l->list[i - 1];
	}
	if (l->count == l->cap) {
		size_t cap = l->cap == 0 ? 16 : l->cap * 2;
		l->list = arena_grow(
		    l->c->arena, l->list, l->cap * sizeof(*l->list), cap * sizeof(*l->list));
		l->cap = cap;
	}
	loss = &l->list[l->count];
	memset(loss, 0, sizeof(*loss));
	loss->text = text;
	loss->order = l->count++;
	return loss;
}

void
losses_add(struct losses *l, unsigned line, const char *format, ...)
{
	struct loss *loss;
	va_list args;

	va_start(args, format);
	loss = find(l, arena_vprintf(l->c->arena, tr_for(l->c, format), args));
	va_end(args);
	if (loss->count > 0 && loss->count <= LOSSES_LINES && loss->lines[loss->count - 1] == line)
		return;
	if (loss->count < LOSSES_LINES)
		loss->lines[loss->count] = line;
	loss->count++;
}

static int
compare(const void *a, const void *b)
{
	const struct loss *x = a, *y = b;

	/* Losses without a line come last. */
	if (x->lines[0] != y->lines[0])
		return x->lines[0] - 1 < y->lines[0] - 1 ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* Writes "line 3: ", or "lines 3, 4 and 7 more: " with the first lines only. */
static void
add_lines(struct buf *out, const struct loss *loss)
{
	size_t named = loss->count < LOSSES_LINES ? loss->count : LOSSES_LINES;

	buf_add_text(out, loss->count > 1 ? "lines " : "line ");
	for (size_t i = 0; i < named; i++) {
		if (i > 0)
			buf_add_text(out, i + 1 == loss->count ? " and " : ", ");
		buf_printf(out, "%u", loss->lines[i]);
	}
	if (loss->count > named)
		buf_printf(out, " and %zu more", loss->count - named);
	buf_lit(out, ": ");
}

void
losses_sort(struct losses *l)
{
	if (l->count > 1)
		qsort(l->list, l->count, sizeof(*l->list), compare);
}

void
losses_report(struct losses *l, struct notes *notes)
{
	struct buf out;

	losses_sort(l);
	for (size_t i = 0; i < l->count; i++) {
		const struct loss *loss = &l->list[i];
		buf_init(&out, l->c->arena, strlen(loss->text) + 200);
		if (loss->lines[0] > 0)
			add_lines(&out, loss);
		buf_printf(&out, "%s.", loss->text);
		notes_add(notes, "%s", out.data);
	}
}

const char *
losses_excerpt(struct ctx *c, const char *text, size_t max)
{
	size_t len = utf8_prefix(text, max);
	char *excerpt =
	    arena_printf(c->arena, "%.*s%s", (int)len, text, text[len] == '\0' ? "" : "…");

	for (char *p = excerpt; *p != '\0'; p++) {
		if (*p == '\n' || *p == '\t')
			*p = ' ';
	}
	return excerpt;
}
