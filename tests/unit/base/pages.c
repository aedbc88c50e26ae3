/* suite: fast */
#include "base/pages.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "tests/tap.h"

enum { PAGE = 4096, COUNT = 8 };

/* Returns a letter for each of the pages at `memory`: whether it is there. */
static const char *
there(void *memory)
{
	static char text[COUNT + 1];
	unsigned char present[COUNT];

	if (mincore(memory, (size_t)COUNT * PAGE, present) != 0)
		return "mincore";
	for (int i = 0; i < COUNT; i++)
		text[i] = present[i] & 1 ? 'x' : '-';
	return text;
}

/* Before Linux 5.14 there is no such call. */
static int
possible(char *memory)
{
	return madvise(memory, PAGE, 23) == 0;
}

int
main(void)
{
	char *memory = mmap(
	    NULL, (size_t)COUNT * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	is_int((long)pages_rest(memory), 0, "a page's first byte begins it");
	is_int((long)pages_rest(memory + 1), PAGE - 1, "the next begins a page on");
	is_int((long)pages_rest(memory + PAGE - 1), 1, "a page's last byte");
	is_text(there(memory), "--------", "nothing is there before it is touched");
	errno = 7;
	pages_populate(memory + 2 * PAGE + 5, (size_t)2 * PAGE);
	is_int(errno, 7, "errno stays, whatever the system can");
	if (possible(memory))
		is_text(there(memory), "x-xxx---",
		    "all pages that hold a byte of it are there, and no others");
	memory[2 * PAGE] = 'a';
	pages_populate(memory, (size_t)COUNT * PAGE);
	is_int(memory[2 * PAGE], 'a', "what was written stays");
	return done_testing();
}
