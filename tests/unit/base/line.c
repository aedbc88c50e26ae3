/* suite: fast */
#include "base/fileio.h"

#include <string.h>

#include "tests/tap.h"

/* Returns the lines that are read from `len` bytes with space for `size`: each in quotes,
 * with "!" after a line that was not whole. */
static const char *
lines_of(const char *bytes, size_t len, size_t size)
{
	FILE *in = fmemopen((void *)bytes, len, "r");
	static char out[256];
	char line[64];
	bool whole;

	out[0] = '\0';
	while (line_read(in, line, size, &whole)) {
		strcat(out, "\"");
		strcat(out, line);
		strcat(out, whole ? "\"" : "\"!");
	}
	fclose(in);
	return out;
}

int
main(void)
{
	is_text(lines_of("one\ntwo\n", 8, 8), "\"one\"\"two\"", "two lines");
	is_text(lines_of("one\n\ntwo", 8, 8), "\"one\"\"\"\"two\"",
	    "an empty one, and a last one without an end");
	is_text(lines_of("1234567\n12345678\nx\n", 19, 8), "\"1234567\"\"1234567\"!\"x\"",
	    "one that is too long is one line, and the next is the next");
	is_text(lines_of("12345678901234567890", 20, 8), "\"1234567\"!", "also at the end");
	is_text(lines_of("a\0b\nc\n", 6, 8), "\"ab\"!\"c\"", "one with a NUL is none");
	return done_testing();
}
