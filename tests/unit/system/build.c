/* suite: fast */
#include "system/program.h"

#include <stdio.h>
#include <string.h>

#include "tests/tap.h"

/* Returns whether this program's own file holds the linker's note with this id. */
static bool
is_in_file(const unsigned char *id, size_t len)
{
	static const char head[] = "GNU";
	static char file[8 * 1024 * 1024];
	FILE *f = fopen("/proc/self/exe", "rb");
	size_t size = f != NULL ? fread(file, 1, sizeof(file), f) : 0;

	if (f != NULL)
		fclose(f);
	for (size_t i = 0; i + 4 + len <= size; i++) {
		if (memcmp(file + i, head, 4) == 0 && memcmp(file + i + 4, id, len) == 0)
			return true;
	}
	return false;
}

int
main(void)
{
	unsigned char id[BUILD_ID_MAX];
	size_t len = build_id(id);

	is_int((int64_t)len, 20, "a program knows its build");
	ok(len > 0 && is_in_file(id, len), "as the linker wrote it");
	return done_testing();
}
