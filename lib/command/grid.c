#include "command/grid.h"

#include <stdint.h>

#include <utf8proc.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/utf8.h"
#include "command/plain.h"

#define GAP "  "

size_t
grid_width(const char *text)
{
	size_t width = 0;

	while (*text != '\0')
		width += (size_t)utf8proc_charwidth(
		    (utf8proc_int32_t)utf8_next(&text));
	return width;
}

void
grid_init(struct grid *g, struct arena *a, const char *const *head)
{
	*g = (struct grid){ .arena = a };
	while (head[g->columns] != NULL)
		g->columns++;
	if (g->columns > GRID_COLUMNS_MAX)
		BUG("a table of %zu columns", g->columns);
	grid_row(g, head);
}

void
grid_row(struct grid *g, const char *const *cells)
{
	if (g->count + g->columns > g->room) {
		size_t room = g->room == 0 ? 64 * g->columns : 2 * g->room;
		g->cells = arena_grow(g->arena, g->cells,
		    g->room * sizeof(*g->cells), room * sizeof(*g->cells));
		g->room = room;
	}
	for (size_t i = 0; i < g->columns; i++) {
		const char *text = cells[i];
		size_t width;
		if (text == NULL || text[0] == '\0')
			text = "-";
		text = plain_cell(g->arena, text);
		width = grid_width(text);
		if (width > g->width[i])
			g->width[i] = width;
		g->cells[g->count++] = text;
	}
}

static void
print_row(const struct grid *g, size_t first, struct buf *out)
{
	for (size_t i = 0; i < g->columns; i++) {
		const char *text = g->cells[first + i];
		buf_add_text(out, text);
		if (i + 1 == g->columns)
			break;
		for (size_t w = grid_width(text); w < g->width[i]; w++)
			buf_add_char(out, ' ');
		buf_add_text(out, GAP);
	}
	buf_add_char(out, '\n');
}

void
grid_print(const struct grid *g, const char *none, struct buf *out)
{
	if (g->count == g->columns) {
		buf_printf(out, "%s\n", none);
		return;
	}
	for (size_t i = 0; i < g->count; i += g->columns)
		print_row(g, i, out);
}
