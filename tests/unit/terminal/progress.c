/* suite: fast */
#include "terminal/terminal.h"

#include "base/clock.h"
#include "tests/tap.h"

static const char *
line(const char *what, enum work_unit unit, int64_t done, int64_t total, int64_t seconds,
    size_t columns)
{
	static char out[PROGRESS_LINE];
	struct progress p = { .what = what, .unit = unit, .done = done, .total = total };

	progress_line(&p, seconds * CLOCK_SECOND, columns, out);
	return out;
}

int
main(void)
{
	const enum work_unit pieces = WORK_PIECES, bytes = WORK_BYTES;

	is_text(line("Importing", pieces, 188, 470, 1, 80),
	    "Importing  [########            ]  40 %  188 of 470",
	    "a bar, a percentage and the count");
	is_text(line("Importing", pieces, 188, 470, 80, 80),
	    "Importing  [########            ]  40 %  188 of 470, 2 min left",
	    "after a while also how long it will go on");
	is_text(line("Importing", pieces, 188, 470, 20, 80),
	    "Importing  [########            ]  40 %  188 of 470, 31 s left",
	    "in seconds when it is soon");
	is_text(line("Checking", pieces, 1, 470, 60, 80),
	    "Checking  [                    ]   0 %  1 of 470, 8 h left",
	    "in hours when it is not");
	is_text(line("Checking", pieces, 1, 2, 8999, 80),
	    "Checking  [##########          ]  50 %  1 of 2, 2 h left", "rounded down");
	is_text(line("Checking", pieces, 1, 2, 9000, 80),
	    "Checking  [##########          ]  50 %  1 of 2, 3 h left", "or up");
	is_text(line("Importing", pieces, 470, 470, 80, 80),
	    "Importing  [####################] 100 %  470 of 470", "at the end nothing is left");
	is_text(line("Importing", pieces, 500, 470, 80, 80),
	    "Importing  [####################] 100 %  470 of 470", "more than all is all");
	is_text(line("Importing", pieces, 188, 0, 80, 80), "Importing  188",
	    "without a total only what was done");
	is_text(line("Packing", bytes, 1048576, 4194304, 1, 80),
	    "Packing  [#####               ]  25 %  1.0 of 4.0 MiB", "bytes in MiB");
	is_text(
	    line("Packing", bytes, 1572864, 0, 1, 80), "Packing  1.5 MiB", "without a total too");
	is_text(line("Importing", pieces, 188, 470, 1, 20), "Importing  [########",
	    "a narrow terminal cuts the line");
	is_int((int64_t)strlen(
		   line("a-very-long-name-of-some-work-that-nobody-should-have-written-here", bytes,
		       INT64_MAX - 1, INT64_MAX, INT64_C(1) << 40, 500)) < PROGRESS_LINE,
	    1, "the line always fits its place");
	return done_testing();
}
