#include "store/db-memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <sqlite3.h>

#define MAPPED ((size_t)8 * 1024 * 1024)
/* What reading the schema needs at least: asked of the system in one piece,
 * since a fault for each page costs more than the page. */
#define POPULATED ((size_t)128 * 1024)
#define ALIGNMENT ((size_t)8)

/* Each block is preceded by its size, in a head that keeps the alignment. */
#define HEAD ALIGNMENT

/* Blocks up to this size are used again by others of exactly their size: the
 * parser gives back most of what it takes. */
#define REUSED_MAX ((size_t)512)

/* The mapping, for the life of the process. */
static char *region, *region_end, *region_next;

/* Blocks given back, by size; each begins with the address of the next. */
static void *unused[REUSED_MAX / ALIGNMENT + 1];

static size_t *
size_of(void *block)
{
	return (size_t *)((char *)block - HEAD);
}

static size_t
aligned(size_t size)
{
	return (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
}

static int
is_mapped(const void *block)
{
	return (const char *)block >= region && (const char *)block < region_end;
}

/* From the ordinary allocator, with the same head. */
static void *
ordinary(size_t size)
{
	char *p = malloc(HEAD + size);

	if (p == NULL)
		return NULL;
	*size_of(p + HEAD) = size;
	return p + HEAD;
}

static void *
take(int wanted)
{
	size_t size = aligned((size_t)wanted);
	char *block;

	if (size <= REUSED_MAX && unused[size / ALIGNMENT] != NULL) {
		block = unused[size / ALIGNMENT];
		memcpy(&unused[size / ALIGNMENT], block, sizeof(void *));
		return block;
	}
	if ((size_t)(region_end - region_next) < HEAD + size)
		return ordinary(size);
	block = region_next + HEAD;
	*size_of(block) = size;
	region_next = block + size;
	return block;
}

static int
is_last(void *block)
{
	return (char *)block + *size_of(block) == region_next;
}

static void
give_back(void *block)
{
	size_t size;

	if (block == NULL)
		return;
	size = *size_of(block);
	if (!is_mapped(block)) {
		free((char *)block - HEAD);
	} else if (is_last(block)) {
		region_next = (char *)block - HEAD;
	} else if (size <= REUSED_MAX && size > 0) {
		memcpy(block, &unused[size / ALIGNMENT], sizeof(void *));
		unused[size / ALIGNMENT] = block;
	}
}

static void *
resize(void *block, int wanted)
{
	size_t size = aligned((size_t)wanted), old = *size_of(block);
	void *moved;

	if (is_mapped(block) && is_last(block) &&
	    (size_t)(region_end - (char *)block) >= size) {
		*size_of(block) = size;
		region_next = (char *)block + size;
		return block;
	}
	if (size <= old)
		return block;
	moved = take(wanted);
	if (moved != NULL) {
		memcpy(moved, block, old);
		give_back(block);
	}
	return moved;
}

static int
block_size(void *block)
{
	return (int)*size_of(block);
}

static int
round_up(int size)
{
	return (int)aligned((size_t)size);
}

/* Called by SQLite when it is first used: an answer that needs no database
 * pays nothing. Without the mapping the ordinary allocator serves. */
static int
begin(void *arg)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	void *mapped = mmap(NULL, MAPPED, PROT_READ | PROT_WRITE, flags, -1, 0);

	(void)arg;
	if (mapped == MAP_FAILED)
		return SQLITE_OK;
	(void)mmap(mapped, POPULATED, PROT_READ | PROT_WRITE,
	    flags | MAP_FIXED | MAP_POPULATE, -1, 0);
	region = mapped;
	region_next = region;
	region_end = region + MAPPED;
	return SQLITE_OK;
}

static void
end(void *arg)
{
	(void)arg;
}

void
db_memory_once(void)
{
	static const struct sqlite3_mem_methods methods = { take, give_back,
		resize, block_size, round_up, begin, end, NULL };

#ifdef __SANITIZE_ADDRESS__
	/* The sanitizer sees each block of the ordinary allocator. */
	(void)methods;
	return;
#endif
	sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
	sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
}
