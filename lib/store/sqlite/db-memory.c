/* The memory of SQLite (db_memory_once()). */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <sqlite3.h>

#include "base/arena.h"
#include "base/watch.h"
#include "store/sqlite/db-connection.h"

#define MAPPED ((size_t)8 * 1024 * 1024)
/* The memory that every request needs. The system gives it in one piece: a fault for each
 * page costs more than the page. */
#define POPULATED ((size_t)80 * 1024)
#define ALIGNMENT ((size_t)8)
/* So much of the file is read in its mapping, and not copied page by page. */
#define READ_MAPPED ((sqlite3_int64)256 * 1024 * 1024)

/* Each block is preceded by its size, in a head that keeps the alignment. */
#define HEAD ALIGNMENT

/* Freed blocks are used again for blocks of the same size: the parser frees most of what
 * it allocates, and one article is as long as the next. Small sizes are exact, larger
 * ones are rounded up to whole pages. */
#define SMALL_MAX ((size_t)512)
#define LARGE_STEP ((size_t)4096)
#define LARGE_MAX ((size_t)256 * 1024)
#define SMALL_SIZES (SMALL_MAX / ALIGNMENT + 1)
#define LARGE_SIZES (LARGE_MAX / LARGE_STEP + 1)

/* The mapping, for the life of the process. */
static char *region, *region_end, *region_next;
static char *region_touched; /* so far its pages are made */

/* Freed blocks, by size; each begins with the address of the next. */
static void *unused[SMALL_SIZES + LARGE_SIZES];

static size_t *
size_of(void *block)
{
	return (size_t *)((char *)block - HEAD);
}

/* Returns the size of the block for `size` bytes. */
static size_t
aligned(size_t size)
{
	size_t step = size > LARGE_STEP && size <= LARGE_MAX ? LARGE_STEP : ALIGNMENT;

	return (size + step - 1) & ~(step - 1);
}

/* Returns the list of freed blocks of a size; NULL if the size has none. */
static void **
unused_of(size_t size)
{
	if (size <= SMALL_MAX)
		return &unused[size / ALIGNMENT];
	if (size > LARGE_STEP && size <= LARGE_MAX)
		return &unused[SMALL_SIZES + size / LARGE_STEP];
	return NULL;
}

static int
is_mapped(const void *block)
{
	uintptr_t at = (uintptr_t)block;

	/* Pointers to different objects cannot be compared. */
	return at >= (uintptr_t)region && at < (uintptr_t)region_end;
}

/* Allocates a block with the same head from the ordinary allocator. */
static void *
ordinary(size_t size)
{
	char *p = malloc(HEAD + size);

	if (p == NULL)
		return NULL;
	*size_of(p + HEAD) = size;
	return p + HEAD;
}

/* Makes `block` of `size` bytes the last one. SQLite writes nearly all of the region that
 * it gets. */
static void
set_last(char *block, size_t size)
{
	size_t more;

	*size_of(block) = size;
	region_next = block + size;
	if (region_next <= region_touched)
		return;
	more = (size_t)(region_next - region_touched);
	if (more < ARENA_POPULATE_MIN)
		more = ARENA_POPULATE_MIN;
	if (more > (size_t)(region_end - region_touched))
		more = (size_t)(region_end - region_touched);
	arena_populate(region_touched, more);
	region_touched += more;
}

static void *
take(int wanted)
{
	size_t size = aligned((size_t)wanted);
	void **list = unused_of(size);
	char *block;

	if (list != NULL && *list != NULL) {
		block = *list;
		memcpy(list, block, sizeof(*list));
		return block;
	}
	if ((size_t)(region_end - region_next) < HEAD + size)
		return ordinary(size);
	block = region_next + HEAD;
	set_last(block, size);
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
	void **list;

	if (block == NULL)
		return;
	list = unused_of(*size_of(block));
	if (!is_mapped(block)) {
		free((char *)block - HEAD);
	} else if (is_last(block)) {
		region_next = (char *)block - HEAD;
	} else if (list != NULL && *size_of(block) > 0) {
		memcpy(block, list, sizeof(*list));
		*list = block;
	}
}

static __attribute__((cold)) void *
resize(void *block, int wanted)
{
	size_t size = aligned((size_t)wanted), old = *size_of(block);
	void *moved;

	if (is_mapped(block) && is_last(block) && (size_t)(region_end - (char *)block) >= size) {
		set_last(block, size);
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

/* SQLite calls this at its first use: an answer that needs no database pays nothing.
 * Without the mapping the ordinary allocator serves. */
static int
begin(void *arg)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	void *mapped = mmap(NULL, MAPPED, PROT_READ | PROT_WRITE, flags, -1, 0);

	(void)arg;
	if (mapped == MAP_FAILED)
		return SQLITE_OK;
	arena_populate(mapped, POPULATED);
	region = mapped;
	region_next = region;
	region_touched = region + POPULATED;
	region_end = region + MAPPED;
	return SQLITE_OK;
}

static void
end(void *arg)
{
	(void)arg;
}

static bool once;

void
db_memory_once(void)
{
	once = true;
}

bool
db_memory_is_once(void)
{
	return once;
}

void
db_memory_begin(void)
{
	static const struct sqlite3_mem_methods methods = { take, give_back, resize, block_size,
		round_up, begin, end, NULL };

	/* No program of Galley has threads: without mutexes a page takes a tenth less. */
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	if (watch_is_on()) {
		/* Who watches sees each block of the ordinary allocator. */
		sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
		return;
	}
	if (!once) {
		sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 1200, 100);
		return;
	}
	sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
	sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
	sqlite3_config(SQLITE_CONFIG_MMAP_SIZE, READ_MAPPED, READ_MAPPED);
}
