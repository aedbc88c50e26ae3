#include "terminal/grid.h"

#include <stdint.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <utf8proc.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/utf8.h"
#include "terminal/terminal.h"

#define GAP "  "
#define GAP_WIDTH (sizeof(GAP) - 1)
#define LAST_MIN 20 /* the last cell is cut to at least this many columns */
#define TERMINAL_MIN 24

size_t
grid_width(const char *text)
{
	size_t width = 0;

	while (*text != '\0')
		width += (size_t)utf8proc_charwidth((utf8proc_int32_t)utf8_next(&text));
	return width;
}

/* Returns how wide lines may be; 0: there is no limit. */
static size_t
terminal_columns(void)
{
	struct winsize size;

	if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
	    size.ws_col == 0)
		return 0;
	return size.ws_col < TERMINAL_MIN ? TERMINAL_MIN : size.ws_col;
}

void
grid_init(struct grid *g, struct arena *a, const char *const *head)
{
	*g = (struct grid) { .arena = a, .max = terminal_columns() };
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
		g->cells = arena_grow(
		    g->arena, g->cells, g->room * sizeof(*g->cells), room * sizeof(*g->cells));
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

/* The columns and lines in which the cells of a row are printed. */
struct layout {
	bool begins[GRID_COLUMNS_MAX]; /* its cell begins a further line of the row */
	size_t room[GRID_COLUMNS_MAX]; /* columns that its text may take */
};

static void
lay_out(const struct grid *g, struct layout *out)
{
	size_t used = 0; /* columns that the present line uses */

	for (size_t i = 0; i < g->columns; i++) {
		size_t need = g->width[i];
		size_t start = i == 0 ? 0 : used + GAP_WIDTH;
		if (i > 0 && i + 1 == g->columns && need > LAST_MIN)
			need = LAST_MIN;
		out->begins[i] = g->max > 0 && i > 0 && start + need > g->max;
		if (out->begins[i])
			start = GAP_WIDTH;
		out->room[i] = g->width[i];
		if (g->max > 0 && start + out->room[i] > g->max)
			out->room[i] = g->max - start;
		used = start + out->room[i];
	}
}

/* Adds the text, cut to at most `room` columns. Returns how many columns it
 * takes. */
static size_t
add_cut(struct buf *out, const char *text, size_t room)
{
	size_t width = grid_width(text), used = 0;
	const char *end = text, *next = text;

	if (width <= room) {
		buf_add_text(out, text);
		return width;
	}
	for (;;) {
		size_t one = (size_t)utf8proc_charwidth((utf8proc_int32_t)utf8_next(&next));
		if (used + one + 1 > room)
			break;
		used += one;
		end = next;
	}
	buf_add(out, text, (size_t)(end - text));
	buf_add_text(out, "…");
	return used + 1;
}

static void
print_row(const struct grid *g, const struct layout *at, size_t first, struct buf *out)
{
	for (size_t i = 0; i < g->columns; i++) {
		size_t used = add_cut(out, g->cells[first + i], at->room[i]);
		if (i + 1 == g->columns)
			break;
		if (at->begins[i + 1]) {
			buf_add_text(out, "\n" GAP);
			continue;
		}
		for (; used < at->room[i]; used++)
			buf_add_char(out, ' ');
		buf_add_text(out, GAP);
	}
	buf_add_char(out, '\n');
}

void
grid_print(const struct grid *g, const char *none, struct buf *out)
{
	struct layout layout;

	if (g->count == g->columns) {
		buf_printf(out, "%s\n", none);
		return;
	}
	lay_out(g, &layout);
	for (size_t i = 0; i < g->count; i += g->columns)
		print_row(g, &layout, i, out);
}
