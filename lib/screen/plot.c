#include "screen/plot.h"

#include "base/arena.h"
#include "base/buf.h"
#include "screen/screen.h"
#include "screen/tr.h"

#define HIGH 100 /* of a chart, in the units of its drawing; a point is 10 wide */
#define PLACES_MIN 7 /* a chart of fewer points has their bars at its beginning */

/* Returns the next round number: 1, 2 or 5, and zeros. */
static int64_t
round_up(int64_t value)
{
	int64_t unit = 1;

	while (unit <= value / 10)
		unit *= 10;
	if (value <= unit)
		return unit;
	if (value <= 2 * unit)
		return 2 * unit;
	if (value <= 5 * unit)
		return 5 * unit;
	return unit > INT64_MAX / 10 ? value : 10 * unit;
}

/* Returns an attribute's number with a tenth. */
static const char *
tenths(struct hwrite *w, int64_t value)
{
	return arena_printf(
	    w->out->arena, "%lld.%lld", (long long)(value / 10), (long long)(value % 10));
}

/* Writes a line across a chart. */
static void
write_line(struct hwrite *w, size_t places, const char *y)
{
	hwrite_open(w, H_LINE);
	hwrite_attr(w, A_X1, "0");
	hwrite_number(w, A_X2, (int64_t)(10 * places));
	hwrite_attr(w, A_Y1, y);
	hwrite_attr(w, A_Y2, y);
	hwrite_close(w, H_LINE);
}

static void
write_rect(struct hwrite *w, size_t i, int64_t high, const char *class)
{
	hwrite_open(w, H_RECT);
	hwrite_attr(w, A_CLASS, class);
	hwrite_attr(w, A_X, tenths(w, (int64_t)(100 * i + 12)));
	hwrite_attr(w, A_Y, tenths(w, 10 * HIGH - high));
	hwrite_attr(w, A_WIDTH, "7.6");
	hwrite_attr(w, A_HEIGHT, tenths(w, high));
}

/* Writes a bar, and over its whole height what a pointer finds. */
static void
write_bar(struct hwrite *w, size_t i, const struct plot_point *point, int64_t top, bool part)
{
	hwrite_open(w, H_G);
	write_rect(w, i, 10 * HIGH, NULL);
	hwrite_attr(w, A_FILL_OPACITY, "0");
	hwrite_close(w, H_RECT);
	/* In floating point: a balance times the height may exceed an integer. */
	write_rect(w, i, (int64_t)((double)point->value / (double)top * 10 * HIGH + 0.5),
	    part ? "part" : NULL);
	hwrite_attr(w, A_RX, "1");
	hwrite_close(w, H_RECT);
	hwrite_open(w, H_SVG_TITLE);
	hwrite_text(w, arena_printf(w->out->arena, "%s: %s", point->label,
			   tr_number(w->out->arena, point->value)));
	hwrite_close(w, H_SVG_TITLE);
	hwrite_close(w, H_G);
}

/* Returns what the chart shows, in a sentence. */
static const char *
name_of(
    struct arena *a, const char *title, const struct plot_point *points, size_t count, bool part)
{
	size_t whole = part && count > 1 ? count - 1 : count;
	int64_t least = points[0].value, most = points[0].value;

	for (size_t i = 1; i < whole; i++) {
		least = points[i].value < least ? points[i].value : least;
		most = points[i].value > most ? points[i].value : most;
	}
	if (whole == count)
		return arena_printf(a, tr("%s, %s to %s: from %s to %s."), title, points[0].label,
		    points[count - 1].label, tr_number(a, least), tr_number(a, most));
	return arena_printf(a, tr("%s, %s to %s: from %s to %s; on the last day so far %s."), title,
	    points[0].label, points[count - 1].label, tr_number(a, least), tr_number(a, most),
	    tr_number(a, points[whole].value));
}

static void
write_drawing(struct hwrite *w, const char *title, const struct plot_point *points, size_t count,
    int64_t top, bool part)
{
	struct arena *a = w->out->arena;
	size_t places = count < PLACES_MIN ? PLACES_MIN : count;

	hwrite_open(w, H_SVG);
	hwrite_attr(w, A_VIEWBOX, arena_printf(a, "0 0 %zu %d", 10 * places, HIGH));
	hwrite_attr(w, A_PRESERVEASPECTRATIO, "none");
	hwrite_attr(w, A_ROLE, "img");
	hwrite_attr(w, A_ARIA_LABEL, name_of(a, title, points, count, part));
	write_line(w, places, "0.5");
	write_line(w, places, "50");
	write_line(w, places, "99.5");
	for (size_t i = 0; i < count; i++)
		write_bar(w, i, &points[i], top, part && i + 1 == count);
	hwrite_close(w, H_SVG);
}

static void
write_label(struct hwrite *w, const char *label)
{
	hwrite_open(w, H_SPAN);
	hwrite_attr(w, A_DIR, "auto");
	hwrite_text(w, label);
	hwrite_close(w, H_SPAN);
}

void
plot_bars(
    struct hwrite *w, const char *title, const struct plot_point *points, size_t count, bool part)
{
	int64_t most = 1;

	for (size_t i = 0; i < count; i++)
		most = points[i].value > most ? points[i].value : most;
	most = round_up(most);
	hwrite_open(w, H_FIGURE);
	hwrite_attr(w, A_CLASS, count < PLACES_MIN ? "bars few" : "bars");
	hwrite_open(w, H_P);
	hwrite_attr(w, A_CLASS, "top-of num");
	hwrite_attr(w, A_ARIA_HIDDEN, "true");
	hwrite_text(w, tr_number(w->out->arena, most));
	hwrite_close(w, H_P);
	write_drawing(w, title, points, count, most, part);
	hwrite_open(w, H_P);
	write_label(w, points[0].label);
	if (count > 1)
		write_label(w, points[count - 1].label);
	hwrite_close(w, H_P);
	hwrite_close(w, H_FIGURE);
}

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
		buf_printf(&corners, "%s%zu,%d", i > 0 ? " " : "", 100 * i / (count - 1),
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
