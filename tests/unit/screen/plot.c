/* Proves that a chart ends at a round number, whatever the numbers are, and that a line has its
 * corners in its drawing. */
#include "screen/plot.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"

#include "tests/tap.h"

static struct arena arena;

/* Returns the chart of these numbers. */
static const char *
bars(int64_t first, int64_t last, bool part)
{
	const struct plot_point points[] = { { "1 Nov <2026>", first }, { "2 Nov", last } };
	struct hwrite w;
	struct buf out;

	buf_init(&out, &arena, 4096);
	hwrite_init(&w, &out);
	plot_bars(&w, "Readers", points, 2, part);
	hwrite_end(&w);
	return buf_done(&out);
}

static const char *
spark(const int64_t *values, size_t count)
{
	struct hwrite w;
	struct buf out;

	buf_init(&out, &arena, 4096);
	hwrite_init(&w, &out);
	plot_spark(&w, values, count);
	hwrite_end(&w);
	return buf_done(&out);
}

/* Returns whether the chart's upper line is this number. */
static bool
ends_at(int64_t value, const char *line)
{
	const char *html = bars(0, value, false);
	const char *at = strstr(html, "aria-hidden=\"true\">");

	return at != NULL && strncmp(at + 19, line, strlen(line)) == 0 &&
	       at[19 + strlen(line)] == '<';
}

int
main(void)
{
	const int64_t values[] = { 0, 5, 10 }, nothing[] = { 0, 0, 0, 0 };
	const int64_t great[] = { INT64_MAX, 0, INT64_MAX };

	arena_init(&arena, (size_t)1024 * 1024);
	ok(ends_at(0, "1") && ends_at(1, "1") && ends_at(2, "2") && ends_at(3, "5"),
	    "small numbers");
	ok(ends_at(5, "5") && ends_at(6, "10") && ends_at(10, "10") && ends_at(11, "20"),
	    "next ones");
	ok(ends_at(118, "200") && ends_at(500, "500") && ends_at(501, "1,000"), "greater ones");
	ok(ends_at(INT64_MAX, "9,223,372,036,854,775,807"), "the greatest");
	ok(strstr(bars(10, 5, true), "y=\"0.0\" width=\"7.6\" height=\"100.0\" rx=\"1\"") != NULL,
	    "the greatest bar reaches the line");
	ok(strstr(bars(10, 5, true), "<rect class=\"part\" x=\"11.2\" y=\"50.0\"") != NULL,
	    "the last one, which is not over, half of it");
	ok(strstr(bars(10, 5, true), "from 10 to 10; on the last day so far 5.") != NULL,
	    "which is no extreme");
	ok(strstr(bars(10, 5, false), "from 5 to 10.") != NULL, "but where it is over");
	ok(strstr(bars(1, 2, false), "<title>1 Nov &lt;2026&gt;: 1</title>") != NULL,
	    "a label is a text");
	ok(strstr(bars(1, 2, false), "viewBox=\"0 0 70 100\"") != NULL,
	    "two bars are two of seven");
	ok(strstr(spark(values, 3), " points=\"0,22 50,12 100,2\"") != NULL, "a line");
	ok(strstr(spark(nothing, 4), " points=\"0,22 33,22 66,22 100,22\"") != NULL, "of zeros");
	ok(strstr(spark(great, 3), " points=\"0,2 50,22 100,2\"") != NULL, "of great numbers");
	is_text(spark(values, 2), "", "two numbers are no line");
	return done_testing();
}
