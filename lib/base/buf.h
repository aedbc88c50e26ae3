#ifndef BASE_BUF_H
#define BASE_BUF_H
/*
 * A growing string of bytes in an arena. Its ceiling is given where it is made.
 *
 * A NUL that is not counted always follows the bytes. When the ceiling is reached,
 * nothing more is added and `full` becomes true. A caller that can reach it asks once, at
 * the end (buf_full()); a caller that cannot calls buf_done(), which makes it a bug. So
 * the adders return nothing and never fail.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

struct buf {
	char *data; /* NUL-terminated, never NULL */
	size_t len; /* bytes without the NUL */
	size_t cap; /* bytes that fit without growing, without the NUL */
	size_t max; /* ceiling of len */
	bool full; /* an adder met the ceiling: the content is cut */
	struct arena *arena;
};

/* Makes an empty buffer of at most `max` bytes; it lives as long as the
 * arena's other contents. */
void buf_init(struct buf *b, struct arena *a, size_t max);

/* Empties the buffer and keeps its memory. */
void buf_reset(struct buf *b);

/* Makes room for `len` bytes more in one step, for a caller that will add so many. Memory
 * that is touched while it grows is the larger part of a large answer's cost. */
void buf_expect(struct buf *b, size_t len);

void buf_add(struct buf *b, const void *bytes, size_t len);
void buf_add_text(struct buf *b, const char *text);
void buf_add_char(struct buf *b, char byte);
void buf_add_int(struct buf *b, int64_t value);
/* Adds one code point, as UTF-8. */
void buf_add_code_point(struct buf *b, uint32_t code_point);
void buf_printf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns whether `len` more bytes fit as the buffer is. */
static inline bool
buf_fits(const struct buf *b, size_t len)
{
	return !b->full && b->cap - b->len >= len;
}

/* Adds a literal, whose length the compiler knows. */
#define buf_lit(b, literal) buf_add((b), "" literal, sizeof(literal) - 1)

/* Returns whether the ceiling was reached. */
bool buf_full(const struct buf *b);

/* Returns the text. A buffer that reached its ceiling is a BUG. */
const char *buf_done(const struct buf *b);

#endif
