#include "base/arena.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/log.h"
#include "base/watch.h"

#define CHUNK_SIZE ((size_t)64 * 1024)
#define SPARE_MAX ((size_t)1024 * 1024)
#define ALIGNMENT ((size_t)16)
#define PAGE ((uintptr_t)4096)
/* MADV_POPULATE_WRITE, which not every C library names. */
#define POPULATE 23

struct arena_chunk {
	/* The bytes after this head are aligned for any type, too. */
	_Alignas(max_align_t) struct arena_chunk *older;
	size_t size; /* usable bytes after this head */
	size_t used;
	size_t last; /* where the newest allocation of this chunk begins */
	size_t touched; /* up to here the pages exist, or the kernel makes them one by one */
	bool lent; /* the memory is the caller's and is never freed */
};

static char *
bytes_of(struct arena_chunk *chunk)
{
	return (char *)chunk + sizeof(*chunk);
}

static size_t
aligned(size_t size)
{
	return (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
}

/* In a test build, what is read before it is written, or after a reset, is seldom zero. Only
 * these bytes are touched: a process pays for each page. */
#ifdef GALLEY_TEST
#define PRINTS_AHEAD false
static void
spoil(char *bytes, size_t size)
{
	watch_allow(bytes, size);
	memset(bytes, 0x55, size);
}
#else
#define PRINTS_AHEAD (WATCH_GAP == 0) /* a text is printed where the next piece will be */
#define spoil(bytes, size) ((void)(bytes), (void)(size))
#endif

/* Marks all of the chunk as unused. */
static void
poison(struct arena_chunk *chunk)
{
	spoil(bytes_of(chunk), chunk->used);
	watch_forbid(bytes_of(chunk), chunk->size);
}

/* Marks the bytes of a piece from `old_size` to `size` as used; its padding stays
 * unused. */
static void
open_up(char *piece, size_t old_size, size_t size)
{
	watch_forbid(piece + size, aligned(size) - size + WATCH_GAP);
	spoil(piece + old_size, size - old_size);
	watch_allow(piece + old_size, size - old_size);
}

/* Counts `size` more bytes against the ceiling. */
static void
charge(struct arena *a, size_t size)
{
	if (size > a->max - a->used)
		die("memory: more than %zu bytes for one request", a->max);
	a->used += size;
}

/* Takes `room` more bytes of the chunk. */
static void
extend(struct arena_chunk *chunk, size_t room)
{
	chunk->used += room;
	if (chunk->used <= chunk->touched)
		return;
	if (chunk->used - chunk->touched >= ARENA_POPULATE_MIN)
		arena_populate(bytes_of(chunk) + chunk->touched, chunk->used - chunk->touched);
	chunk->touched = chunk->used;
}

static void
chunk_begin(struct arena *a, struct arena_chunk *chunk, size_t size, bool lent)
{
	chunk->older = a->chunk;
	chunk->size = size;
	chunk->used = 0;
	chunk->last = 0;
	chunk->lent = lent;
	poison(chunk);
	a->chunk = chunk;
}

static struct arena_chunk *
chunk_add(struct arena *a, size_t size)
{
	struct arena_chunk *chunk;

	if (size < CHUNK_SIZE - sizeof(*chunk))
		size = CHUNK_SIZE - sizeof(*chunk);
	if (a->spare != NULL && a->spare->size >= size) {
		chunk = a->spare;
		a->spare = NULL;
		chunk_begin(a, chunk, chunk->size, false);
		return chunk;
	}
	chunk = malloc(sizeof(*chunk) + size);
	if (chunk == NULL)
		die("memory: the system has none for %zu bytes", size);
	chunk->touched = 0;
	chunk_begin(a, chunk, size, false);
	return chunk;
}

static char *
take(struct arena *a, size_t size)
{
	struct arena_chunk *chunk = a->chunk;
	size_t room;
	char *p;

	if (size > SIZE_MAX / 2)
		die("memory: an impossible size");
	size = size > 0 ? size : 1;
	charge(a, aligned(size));
	room = aligned(size) + WATCH_GAP;
	if (chunk == NULL || chunk->size - chunk->used < room)
		chunk = chunk_add(a, room);
	p = bytes_of(chunk) + chunk->used;
	chunk->last = chunk->used;
	extend(chunk, room);
	open_up(p, 0, size);
	return p;
}

void
arena_init(struct arena *a, size_t max)
{
	a->chunk = NULL;
	a->spare = NULL;
	a->used = 0;
	a->max = max;
}

void
arena_init_with(struct arena *a, size_t max, void *memory, size_t size)
{
	struct arena_chunk *chunk = memory;

	arena_init(a, max);
	chunk->touched = 0;
	chunk_begin(a, chunk, size - sizeof(*chunk), true);
}

/* Keeps the chunk as the spare one if it is better than the present spare one,
 * else frees it. */
static void
chunk_end(struct arena *a, struct arena_chunk *chunk)
{
	struct arena_chunk *worse = chunk;

	if (chunk->size <= SPARE_MAX && (a->spare == NULL || a->spare->size < chunk->size)) {
		worse = a->spare;
		a->spare = chunk;
		poison(chunk);
	}
	free(worse);
}

void
arena_reset(struct arena *a)
{
	struct arena_chunk *older;

	while (a->chunk != NULL && a->chunk->older != NULL) {
		older = a->chunk->older;
		chunk_end(a, a->chunk);
		a->chunk = older;
	}
	if (a->chunk != NULL) {
		poison(a->chunk);
		a->chunk->used = 0;
		a->chunk->last = 0;
	}
	a->used = 0;
}

void
arena_release(struct arena *a)
{
	arena_reset(a);
	if (a->chunk != NULL && a->chunk->lent)
		watch_allow(bytes_of(a->chunk), a->chunk->size);
	else
		free(a->chunk);
	free(a->spare);
	a->chunk = a->spare = NULL;
}

void *
arena_alloc(struct arena *a, size_t size)
{
	return memset(take(a, size), 0, size > 0 ? size : 1);
}

void *
arena_array(struct arena *a, size_t count, size_t size)
{
	if (size != 0 && count > SIZE_MAX / 2 / size)
		die("memory: an impossible size");
	return arena_alloc(a, count * size);
}

/* Returns the newest chunk if `old` is its newest allocation, else NULL. Only
 * there can an allocation grow in place. */
static struct arena_chunk *
newest_holds(struct arena *a, const void *old)
{
	struct arena_chunk *chunk = a->chunk;

	if (chunk != NULL && old == bytes_of(chunk) + chunk->last)
		return chunk;
	return NULL;
}

/* Grows a chunk that holds one large allocation. The allocator often does this
 * without a copy. */
static void *
grow_alone(struct arena *a, struct arena_chunk *chunk, size_t room)
{
	chunk = realloc(chunk, sizeof(*chunk) + room);
	if (chunk == NULL)
		die("memory: the system has none for %zu bytes", room);
	a->chunk = chunk;
	chunk->size = room;
	chunk->used = room;
	chunk->touched = room;
	return bytes_of(chunk);
}

/* Grows the newest allocation of its chunk by `more` bytes. Returns NULL if it
 * must move. */
static void *
grow_newest(struct arena *a, struct arena_chunk *chunk, void *old, size_t more)
{
	if (chunk->size - chunk->used >= more) {
		charge(a, more);
		extend(chunk, more);
		return old;
	}
	if (chunk->last != 0 || chunk->older == NULL)
		return NULL;
	charge(a, more);
	return grow_alone(a, chunk, chunk->used + more);
}

void *
arena_grow(struct arena *a, void *old, size_t old_size, size_t new_size)
{
	struct arena_chunk *chunk = newest_holds(a, old);
	size_t have, want;
	char *p = NULL;

	if (new_size > SIZE_MAX / 2)
		die("memory: an impossible size");
	if (old == NULL || new_size <= old_size)
		return old != NULL ? old : take(a, new_size);
	have = aligned(old_size > 0 ? old_size : 1);
	want = aligned(new_size);
	if (want <= have)
		p = old;
	else if (chunk != NULL)
		p = grow_newest(a, chunk, old, want - have);
	if (p != NULL) {
		open_up(p, old_size, new_size);
		return p;
	}
	p = take(a, new_size);
	memcpy(p, old, old_size);
	return p;
}

char *
arena_text_n(struct arena *a, const char *text, size_t len)
{
	char *copy = take(a, len + 1);

	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

char *
arena_text(struct arena *a, const char *text)
{
	return arena_text_n(a, text, strlen(text));
}

static const char *
shown(const char *text)
{
	return text != NULL ? text : "(null)";
}

/* Returns the text that a format makes which asks for texts alone; NULL for another one. Most
 * are such formats, and printf() takes ten times as long for them. */
static char *
join(struct arena *a, const char *format, va_list args)
{
	const char *p, *part;
	va_list again;
	size_t len = 1;
	char *text, *to;

	va_copy(again, args);
	for (p = format; *p != '\0' && (*p != '%' || p[1] == 's'); p++) {
		if (*p == '%')
			len += strlen(shown(va_arg(again, const char *))), p++;
		else
			len++;
	}
	va_end(again);
	if (*p != '\0')
		return NULL;
	text = to = take(a, len);
	va_copy(again, args);
	for (p = format; *p != '\0'; p++) {
		if (*p != '%') {
			*to++ = *p;
			continue;
		}
		part = shown(va_arg(again, const char *));
		len = strlen(part);
		memcpy(to, part, len);
		to += len;
		p++;
	}
	va_end(again);
	*to = '\0';
	return text;
}

/* Prints to the place of the next allocation. If the text does not fit there, or a checker
 * watches the memory, prints it again into memory of its size. */
char *
arena_vprintf(struct arena *a, const char *format, va_list args)
{
	struct arena_chunk *chunk = a->chunk;
	size_t room = chunk != NULL && PRINTS_AHEAD ? chunk->size - chunk->used : 0;
	char *text = join(a, format, args);
	va_list again;
	int len;

	if (text != NULL)
		return text;
	va_copy(again, args);
	len = vsnprintf(room > 0 ? bytes_of(chunk) + chunk->used : NULL, room, format, again);
	va_end(again);
	if (len < 0)
		BUG("a format that cannot be printed: %s", format);
	text = take(a, (size_t)len + 1);
	if ((size_t)len >= room)
		vsnprintf(text, (size_t)len + 1, format, args);
	return text;
}

char *
arena_printf(struct arena *a, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = arena_vprintf(a, format, args);
	va_end(args);
	return text;
}

void
arena_populate(void *from, size_t len)
{
	size_t before = (uintptr_t)from % PAGE;
	int told = errno;

	(void)madvise((char *)from - before, len + before, POPULATE);
	errno = told;
}
