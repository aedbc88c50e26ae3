#include "base/pages.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>

#define PAGE ((uintptr_t)4096)
/* MADV_POPULATE_WRITE, which not every C library names. */
#define POPULATE 23

size_t
pages_rest(const void *from)
{
	return -(uintptr_t)from % PAGE;
}

void
pages_populate(void *from, size_t len)
{
	size_t before = (uintptr_t)from % PAGE;
	int told = errno;

	(void)madvise((char *)from - before, len + before, POPULATE);
	errno = told;
}
