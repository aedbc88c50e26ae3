#include "screen/plot.h"

#include <inttypes.h>

#include "base/arena.h"
#include "base/buf.h"
#include "screen/screen.h"

#define WIDE 640
#define HIGH 160

/* Returns the corners of a line in steps: each number holds for its part of the width. */
static const char *
corners_of(struct arena *arena, const struct plot_point *points, size_t count,
    int64_t largest)
{
	struct buf out;

	buf_init(&out, arena, (size_t)64 * count + 64);
	for (size_t i = 0; i < count; i++) {
		/* In floating point: a balance times the height may exceed an integer. */
		int y = HIGH - (int)((double)points[i].value / (double)largest * HIGH);
		buf_printf(&out, "%s%zu,%d %zu,%d", i > 0 ? " " : "",
		    i * WIDE / count, y, (i + 1) * WIDE / count, y);
	}
	return buf_done(&out);
}

static void
write_line(struct hwrite *w, const char *class, int y)
{
	hwrite_open(w, H_LINE);
	hwrite_attr(w, A_CLASS, class);
	hwrite_number(w, A_X1, 0);
	hwrite_number(w, A_X2, WIDE);
	hwrite_number(w, A_Y1, y);
	hwrite_number(w, A_Y2, y);
	hwrite_close(w, H_LINE);
}

static void
write_named(struct hwrite *w, enum hwrite_element e, const char *id, const char *text)
{
	hwrite_open(w, e);
	hwrite_attr(w, A_ID, id);
	hwrite_text(w, text);
	hwrite_close(w, e);
}

static void
write_span(struct hwrite *w, const char *text)
{
	hwrite_open(w, H_SPAN);
	screen_data(w, text);
	hwrite_close(w, H_SPAN);
}

void
plot_write(struct hwrite *w, const char *id, const char *title, const char *described,
    const struct plot_point *points, size_t count)
{
	struct arena *arena = w->out->arena;
	const char *title_id = arena_printf(arena, "%s-title", id);
	const char *described_id = arena_printf(arena, "%s-described", id);
	int64_t largest = 1;

	for (size_t i = 0; i < count; i++)
		largest = points[i].value > largest ? points[i].value : largest;
	hwrite_open(w, H_FIGURE);
	hwrite_attr(w, A_CLASS, "plot");
	hwrite_open(w, H_P);
	write_span(w, arena_printf(arena, "%" PRId64, largest));
	hwrite_close(w, H_P);
	hwrite_open(w, H_SVG);
	hwrite_attr(w, A_VIEWBOX, arena_printf(arena, "-4 -4 %d %d", WIDE + 8, HIGH + 8));
	hwrite_attr(w, A_ROLE, "img");
	hwrite_attr(w, A_ARIA_LABELLEDBY, title_id);
	hwrite_attr(w, A_ARIA_DESCRIBEDBY, described_id);
	write_named(w, H_SVG_TITLE, title_id, title);
	write_named(w, H_SVG_DESC, described_id, described);
	write_line(w, "top", 0);
	write_line(w, "base", HIGH);
	hwrite_open(w, H_POLYLINE);
	hwrite_attr(w, A_POINTS, corners_of(arena, points, count, largest));
	hwrite_close(w, H_POLYLINE);
	hwrite_close(w, H_SVG);
	hwrite_open(w, H_P);
	write_span(w, points[0].label);
	write_span(w, points[count - 1].label);
	hwrite_close(w, H_P);
	hwrite_close(w, H_FIGURE);
}
