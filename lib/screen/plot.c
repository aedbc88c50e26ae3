#include "screen/plot.h"

#include <inttypes.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/log.h"
#include "screen/screen.h"

#define WIDE 640
#define HIGH 160

/* A drawing. */
struct plot {
	const char *id, *title, *described;
	const char *first, *last; /* labels */
	const struct plot_line *lines;
	size_t line_count, count;
};

/* Returns the corners of a line in steps: each number holds for its part of the width. */
static const char *
corners_of(struct arena *arena, const int64_t *values, size_t count, int64_t largest)
{
	struct buf out;

	buf_init(&out, arena, (size_t)64 * count + 64);
	for (size_t i = 0; i < count; i++) {
		/* In floating point: a balance times the height may exceed an integer. */
		int y = HIGH - (int)((double)values[i] / (double)largest * HIGH);
		buf_printf(&out, "%s%zu,%d %zu,%d", i > 0 ? " " : "", i * WIDE / count, y,
		    (i + 1) * WIDE / count, y);
	}
	return buf_done(&out);
}

static void
write_line(struct hwrite *w, const char *class, int wide, int y)
{
	hwrite_open(w, H_LINE);
	hwrite_attr(w, A_CLASS, class);
	hwrite_number(w, A_X1, 0);
	hwrite_number(w, A_X2, wide);
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

static int64_t
largest_of(const struct plot *p)
{
	int64_t largest = 1;

	for (size_t i = 0; i < p->line_count; i++) {
		for (size_t j = 0; j < p->count; j++) {
			int64_t value = p->lines[i].values[j];
			largest = value > largest ? value : largest;
		}
	}
	return largest;
}

static void
write_drawing(struct hwrite *w, const struct plot *p, int64_t largest)
{
	struct arena *arena = w->out->arena;
	const char *title_id = arena_printf(arena, "%s-title", p->id);
	const char *described_id = arena_printf(arena, "%s-described", p->id);

	hwrite_open(w, H_SVG);
	hwrite_attr(w, A_VIEWBOX, arena_printf(arena, "-4 -4 %d %d", WIDE + 8, HIGH + 8));
	hwrite_attr(w, A_ROLE, "img");
	hwrite_attr(w, A_ARIA_LABELLEDBY, title_id);
	hwrite_attr(w, A_ARIA_DESCRIBEDBY, described_id);
	write_named(w, H_SVG_TITLE, title_id, p->title);
	write_named(w, H_SVG_DESC, described_id, p->described);
	write_line(w, "top", WIDE, 0);
	write_line(w, "base", WIDE, HIGH);
	for (size_t i = p->line_count; i-- > 0;) { /* the first one is above the others */
		hwrite_open(w, H_POLYLINE);
		hwrite_attr(w, A_CLASS, p->lines[i].faint ? "faint" : NULL);
		hwrite_attr(w, A_POINTS, corners_of(arena, p->lines[i].values, p->count, largest));
		hwrite_close(w, H_POLYLINE);
	}
	hwrite_close(w, H_SVG);
}

/* Says which line is which: by the line itself, not by its colour alone. */
static void
write_legend(struct hwrite *w, const struct plot *p)
{
	hwrite_open(w, H_UL);
	hwrite_attr(w, A_CLASS, "legend");
	for (size_t i = 0; i < p->line_count; i++) {
		hwrite_open(w, H_LI);
		hwrite_open(w, H_SVG);
		hwrite_attr(w, A_VIEWBOX, "0 0 32 8");
		hwrite_attr(w, A_ARIA_HIDDEN, "true");
		write_line(w, p->lines[i].faint ? "faint" : "full", 32, 4);
		hwrite_close(w, H_SVG);
		hwrite_text(w, " ");
		hwrite_text(w, p->lines[i].label);
		hwrite_close(w, H_LI);
	}
	hwrite_close(w, H_UL);
}

static void
write_plot(struct hwrite *w, const struct plot *p)
{
	int64_t largest = largest_of(p);

	hwrite_open(w, H_FIGURE);
	hwrite_attr(w, A_CLASS, "plot");
	hwrite_open(w, H_P);
	write_span(w, arena_printf(w->out->arena, "%" PRId64, largest));
	hwrite_close(w, H_P);
	write_drawing(w, p, largest);
	hwrite_open(w, H_P);
	write_span(w, p->first);
	write_span(w, p->last);
	hwrite_close(w, H_P);
	if (p->lines[0].label != NULL)
		write_legend(w, p);
	hwrite_close(w, H_FIGURE);
}

void
plot_write(struct hwrite *w, const char *id, const char *title, const char *described,
    const struct plot_point *points, size_t count)
{
	int64_t *values = arena_array(w->out->arena, count, sizeof(*values));
	const struct plot_line line = { NULL, values, false };

	for (size_t i = 0; i < count; i++)
		values[i] = points[i].value;
	write_plot(w, &(struct plot) { id, title, described, points[0].label,
			  points[count - 1].label, &line, 1, count });
}

void
plot_write_lines(struct hwrite *w, const char *id, const char *title, const char *described,
    const char *first, const char *last, const struct plot_line *lines, size_t line_count,
    size_t count)
{
	if (line_count == 0 || line_count > PLOT_LINES)
		BUG("a drawing has %zu lines", line_count);
	write_plot(
	    w, &(struct plot) { id, title, described, first, last, lines, line_count, count });
}

#define SPARK_WIDE 100
#define SPARK_LOW 22 /* the line's ends are within the drawing, which is 24 high */
#define SPARK_HIGH 2

void
plot_spark(struct hwrite *w, const int64_t *values, size_t count)
{
	int64_t most = 1;
	struct buf corners;

	if (count < 3)
		return;
	for (size_t i = 0; i < count; i++)
		most = values[i] > most ? values[i] : most;
	buf_init(&corners, w->out->arena, 48 * count);
	for (size_t i = 0; i < count; i++)
		buf_printf(&corners, "%s%zu,%d", i > 0 ? " " : "", i * SPARK_WIDE / (count - 1),
		    SPARK_LOW -
			(int)((double)values[i] / (double)most * (SPARK_LOW - SPARK_HIGH) + 0.5));
	hwrite_open(w, H_SVG);
	hwrite_attr(w, A_CLASS, "spark");
	hwrite_attr(w, A_VIEWBOX, "0 0 100 24");
	hwrite_attr(w, A_PRESERVEASPECTRATIO, "none");
	hwrite_attr(w, A_ARIA_HIDDEN, "true");
	hwrite_open(w, H_POLYLINE);
	hwrite_attr(w, A_POINTS, buf_done(&corners));
	hwrite_close(w, H_POLYLINE);
	hwrite_close(w, H_SVG);
}
