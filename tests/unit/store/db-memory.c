/* SQLite's memory in a process of one request: blocks that no longer fit into the mapping
 * are allocated elsewhere, and no block loses a byte.
 * suite: fast
 */
#include "store/sqlite/db-connection.h"

#include "tests/tap.h"

enum { BLOCKS = 4000 };

static struct {
	unsigned char *bytes;
	int size;
} blocks[BLOCKS];

static unsigned state = 1;

static int
below(int max)
{
	state = state * 1103515245 + 12345;
	return (int)(state >> 8) % max;
}

/* Mostly small, some of pages, a few larger than any that waits to be used
 * again. */
static int
random_size(void)
{
	static const int most[] = { 64, 512, 600, 5000, 100000, 400000 };

	return 1 + below(most[below(100) < 97 ? below(4) : 4 + below(2)]);
}

static void
fill(int i, int from)
{
	memset(blocks[i].bytes + from, i & 0xFF, (size_t)(blocks[i].size - from));
}

static bool
is_filled(int i, int len)
{
	for (int k = 0; k < len; k++) {
		if (blocks[i].bytes[k] != (i & 0xFF))
			return false;
	}
	return true;
}

/* Returns whether the block's bytes are still there. */
static bool
change(int i)
{
	int old = blocks[i].size, size = random_size();
	bool whole = is_filled(i, old);

	if (below(3) > 0) {
		sqlite3_free(blocks[i].bytes);
		blocks[i].bytes = sqlite3_malloc(size);
		old = 0;
	} else {
		blocks[i].bytes = sqlite3_realloc(blocks[i].bytes, size);
		old = old < size ? old : size;
	}
	blocks[i].size = size;
	whole = whole && blocks[i].bytes != NULL && is_filled(i, old);
	if (blocks[i].bytes != NULL)
		fill(i, old);
	return whole;
}

/* More than the 8 MiB that are mapped. */
static void
blocks_keep_their_bytes(void)
{
	int64_t wrong = 0, most;

	for (int i = 0; i < BLOCKS; i++) {
		blocks[i].size = random_size();
		blocks[i].bytes = sqlite3_malloc(blocks[i].size);
		fill(i, 0);
	}
	for (int n = 0; n < 4 * BLOCKS; n++)
		wrong += !change(below(BLOCKS));
	most = sqlite3_memory_highwater(0);
	ok(most > 8 * 1024 * 1024, "%lld bytes are more than are mapped", (long long)most);
	is_int(wrong, 0, "blocks keep what they hold");
	for (int i = 0; i < BLOCKS; i++) {
		wrong += !is_filled(i, blocks[i].size);
		sqlite3_free(blocks[i].bytes);
	}
	is_int(wrong, 0, "to the end");
	is_int(sqlite3_memory_used(), 0, "and all are given back");
	is_int(sqlite3_shutdown(), SQLITE_OK, "so that SQLite ends");
}

static void
what_cannot_be_had_is_none(void)
{
	void *block = sqlite3_malloc(64);

	ok(sqlite3_malloc(0) == NULL, "no bytes are no block");
	ok(sqlite3_realloc(block, 0) == NULL, "nor are they left of one");
}

int
main(void)
{
	db_memory_once();
	ok(db_memory_is_once(), "the process answers one request");
	db_memory_begin();
	is_int(sqlite3_initialize(), SQLITE_OK, "SQLite begins");
	what_cannot_be_had_is_none();
	blocks_keep_their_bytes();
	return done_testing();
}
