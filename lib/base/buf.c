#include "base/buf.h"

#include <string.h>

#include "base/arena.h"
#include "base/encoding.h"
#include "base/log.h"

#define FIRST_CAP ((size_t)240)

void
buf_init(struct buf *b, struct arena *a, size_t max)
{
	size_t cap = max < FIRST_CAP ? max : FIRST_CAP;

	b->data = arena_alloc(a, cap + 1);
	b->len = 0;
	b->cap = cap;
	b->max = max;
	b->full = false;
	b->arena = a;
}

void
buf_reset(struct buf *b)
{
	b->len = 0;
	b->data[0] = '\0';
	b->full = false;
}

/* Grows by `len` more bytes. Returns false if the ceiling forbids it. */
static bool
grow(struct buf *b, size_t len)
{
	size_t cap = b->cap;

	if (b->full || len > b->max - b->len) {
		b->full = true;
		return false;
	}
	while (cap - b->len < len)
		cap = cap > b->max / 2 ? b->max : cap * 2;
	b->data = arena_grow(b->arena, b->data, b->cap + 1, cap + 1);
	b->cap = cap;
	return true;
}

void
buf_expect(struct buf *b, size_t len)
{
	size_t cap = len > b->max - b->len ? b->max : b->len + len;

	if (cap <= b->cap)
		return;
	b->data = arena_grow(b->arena, b->data, b->cap + 1, cap + 1);
	b->cap = cap;
}

/* Most pieces are short: to call memcpy() for them takes longer than to copy them. */
static inline void
copy(char *to, const char *from, size_t len)
{
	uint64_t first, last;

	if (len > 2 * sizeof(first)) {
		memcpy(to, from, len);
	} else if (len >= sizeof(first)) {
		memcpy(&first, from, sizeof(first));
		memcpy(&last, from + len - sizeof(last), sizeof(last));
		memcpy(to, &first, sizeof(first));
		memcpy(to + len - sizeof(last), &last, sizeof(last));
	} else {
		for (size_t i = 0; i < len; i++)
			to[i] = from[i];
	}
}

void
buf_add(struct buf *b, const void *bytes, size_t len)
{
	if (len == 0 || (!buf_fits(b, len) && !grow(b, len)))
		return;
	copy(b->data + b->len, bytes, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void
buf_add_text(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

void
buf_add_char(struct buf *b, char byte)
{
	if (!buf_fits(b, 1) && !grow(b, 1))
		return;
	b->data[b->len++] = byte;
	b->data[b->len] = '\0';
}

void
buf_add_int(struct buf *b, int64_t value)
{
	char digits[DECIMAL_TEXT];
	size_t len = decimal_format(digits, value);

	buf_add(b, digits, len);
}

void
buf_add_code_point(struct buf *b, uint32_t code_point)
{
	unsigned char u[4];
	size_t len;

	if (code_point < 0x80) {
		buf_add_char(b, (char)code_point);
		return;
	}
	if (code_point < 0x800) {
		u[0] = (unsigned char)(0xC0 | code_point >> 6);
		len = 2;
	} else if (code_point < 0x10000) {
		u[0] = (unsigned char)(0xE0 | code_point >> 12);
		len = 3;
	} else {
		u[0] = (unsigned char)(0xF0 | code_point >> 18);
		len = 4;
	}
	for (size_t i = 1; i < len; i++)
		u[i] = (unsigned char)(0x80 | ((code_point >> (6 * (len - 1 - i))) & 0x3F));
	buf_add(b, u, len);
}

void
buf_printf(struct buf *b, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = arena_vprintf(b->arena, format, args);
	va_end(args);
	buf_add_text(b, text);
}

bool
buf_full(const struct buf *b)
{
	return b->full;
}

const char *
buf_done(const struct buf *b)
{
	if (b->full)
		BUG("a buffer met its ceiling of %zu bytes", b->max);
	return b->data;
}
