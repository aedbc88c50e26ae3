#ifndef BASE_ARENA_H
#define BASE_ARENA_H
/*
 * The memory of one request (or of one command of the operator's tool).
 *
 * Everything that lives as long as the request is allocated here, and is never
 * freed on its own: arena_reset() frees all of it at once. An arena never returns NULL.
 * If its ceiling is reached, or the system has no memory, the process dies with a whole
 * answer (die() in log.h).
 *
 * Test builds (GALLEY_TEST) fill freed memory with 0x55, so that a pointer which
 * survived its request shows.
 */
#include <stdarg.h>
#include <stddef.h>

struct arena_chunk;

struct arena {
	struct arena_chunk *chunk; /* newest chunk; NULL before the first use */
	struct arena_chunk *spare; /* kept from before the reset, or NULL */
	size_t used; /* bytes handed out since the last reset */
	size_t max; /* ceiling of `used`, in bytes */
};

/* Makes an empty arena that hands out at most `max` bytes between resets. */
void arena_init(struct arena *a, size_t max);

/* Makes an arena that first uses `size` bytes at `memory`, aligned for any type, which
 * must outlive the arena: a process of one request need not ask for more. */
void arena_init_with(struct arena *a, size_t max, void *memory, size_t size);

/* Ends the life of everything allocated from the arena. Keeps its first chunk,
 * and of the others the largest up to 1 MiB: the system need not clear its pages
 * again for each long answer. */
void arena_reset(struct arena *a);

/* Like arena_reset(), and gives all memory back to the system. */
void arena_release(struct arena *a);

/* Returns `size` bytes, all zero, aligned for any type. They live until the reset. */
void *arena_alloc(struct arena *a, size_t size);

/* Returns `count` elements of `size` bytes, all zero. Dies if the product does not fit
 * size_t. */
void *arena_array(struct arena *a, size_t count, size_t size);

/*
 * Makes `old_size` bytes at `old` (from this arena, or NULL) `new_size` bytes
 * long: in place where nothing was allocated after them, else by moving. The
 * new bytes are not zeroed.
 */
void *arena_grow(struct arena *a, void *old, size_t old_size, size_t new_size);

/* Return a copy of `text` (whole, or its first `len` bytes), NUL-terminated. */
char *arena_text(struct arena *a, const char *text);
char *arena_text_n(struct arena *a, const char *text, size_t len);

/* printf into the arena. */
char *arena_printf(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* It is not worth asking for fewer bytes than these. */
#define ARENA_POPULATE_MIN ((size_t)16 * 1024)

/*
 * Makes the pages that hold the `len` bytes at `from`, which are this process's own and
 * writable, for a caller that is about to write many: the system makes a page when a process
 * first touches it, and this fault costs several times as much as the page. A system that
 * cannot (before Linux 5.14) makes them as they are touched.
 */
void arena_populate(void *from, size_t len);

#endif
