/* suite: fast */
#include "base/buf.h"

#include <sys/wait.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "tests/tap.h"

static struct arena arena;

static void
pieces_are_added(void)
{
	struct buf b;

	buf_init(&b, &arena, 1000);
	is_text(b.data, "", "a new buffer is an empty text");
	buf_add(&b, "abc", 2);
	buf_add_char(&b, '-');
	buf_add_text(&b, "text");
	buf_lit(&b, " literal ");
	buf_add_int(&b, INT64_MIN);
	buf_add_char(&b, ' ');
	buf_add_int(&b, INT64_MAX);
	buf_printf(&b, " %s%d", "f", 7);
	buf_add(&b, "x", 0);
	buf_add_text(&b, "");
	is_text(buf_done(&b), "ab-text literal -9223372036854775808 9223372036854775807 f7",
	    "pieces of every kind are added");
	is_int((int64_t)b.len, (int64_t)strlen(b.data), "and counted");
	buf_reset(&b);
	is_text(buf_done(&b), "", "a reset buffer is empty");
	is_int((int64_t)b.len, 0, "of length 0");
	buf_add(&b, "a\0b", 3);
	ok(b.len == 3 && memcmp(b.data, "a\0b", 4) == 0, "a NUL is a byte like others");
}

static void
code_points_are_encoded(void)
{
	uint32_t wrong = 0;

	for (uint32_t cp = 1; cp <= 0x10FFFF && wrong == 0; cp++) {
		struct buf b;
		const char *p;
		if (cp % 256 == 0)
			arena_reset(&arena);
		if (cp >= 0xD800 && cp <= 0xDFFF)
			continue;
		buf_init(&b, &arena, 4);
		buf_add_code_point(&b, cp);
		p = b.data;
		if (!utf8_valid(b.data, b.len) || utf8_next(&p) != cp || *p != '\0')
			wrong = cp;
	}
	is_int(wrong, 0, "every code point is encoded");
}

static void
buffers_grow(void)
{
	struct buf b, other;
	bool same = true;

	buf_init(&b, &arena, 10 * 1000 * 1000);
	buf_init(&other, &arena, 100);
	for (int i = 0; i < 1000 * 1000; i++) {
		buf_add_char(&b, (char)('a' + i % 26));
		if (i % 10000 == 0)
			buf_reset(&other);
		if (i % 1000 == 0)
			buf_add_char(&other, '.');
	}
	for (int i = 0; i < 1000 * 1000; i++)
		same = same && b.data[i] == (char)('a' + i % 26);
	ok(same && b.len == 1000 * 1000 && b.data[b.len] == '\0',
	    "a million bytes stay as they were added");
	is_text(buf_done(&other), "..........", "beside a buffer that grows another one stays");
	arena_reset(&arena);
}

static void
ceilings_are_met(void)
{
	struct buf b;

	buf_init(&b, &arena, 5);
	buf_add_text(&b, "12345");
	ok(!buf_full(&b), "a buffer may reach its ceiling");
	is_text(b.data, "12345", "with every byte");
	buf_add(&b, "x", 0);
	ok(!buf_full(&b), "adding nothing does not pass it");
	buf_add_char(&b, '6');
	ok(buf_full(&b), "one byte more is too much");
	is_text(b.data, "12345", "and is not added");
	buf_reset(&b);
	ok(!buf_full(&b), "a reset begins again");
	buf_add_text(&b, "123456789");
	ok(buf_full(&b), "a piece that does not fit");
	is_text(b.data, "", "is left out whole");
	buf_add_text(&b, "1");
	is_text(b.data, "", "and so is what follows it");
	buf_init(&b, &arena, 0);
	is_text(buf_done(&b), "", "a ceiling may be 0");
	buf_add_char(&b, 'a');
	ok(buf_full(&b), "which nothing passes");
	buf_init(&b, &arena, 241);
	for (int i = 0; i < 241; i++)
		buf_add_char(&b, 'a');
	ok(!buf_full(&b) && b.len == 241, "a ceiling is met to the byte however the buffer grows");
	buf_add_char(&b, 'a');
	ok(buf_full(&b) && b.len == 241, "and not passed");
}

/* Buffers of all small sizes, filled to the last byte beside memory in use. */
static void
neighbours_are_left_alone(void)
{
	int wrong = 0;

	for (size_t max = 1; max <= 1000; max++) {
		unsigned char *neighbour;
		struct buf b;
		buf_init(&b, &arena, max);
		for (size_t i = 1; i < max; i++)
			buf_add_char(&b, 'a');
		neighbour = arena_alloc(&arena, 16);
		memset(neighbour, 0xAA, 16);
		buf_add_char(&b, 'a');
		for (size_t i = 0; i < 16; i++)
			wrong += neighbour[i] != 0xAA;
		wrong += strlen(buf_done(&b)) != max;
	}
	is_int(wrong, 0, "a full buffer leaves its neighbours alone");
	arena_reset(&arena);
}

static void
a_full_buffer_is_no_text(void)
{
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		struct buf b;
		if (freopen("/dev/null", "w", stderr) == NULL)
			_exit(99);
		buf_init(&b, &arena, 1);
		buf_add_text(&b, "ab");
		buf_done(&b);
		_exit(0);
	}
	waitpid(child, &status, 0);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT,
	    "taking the text of a full buffer is a bug");
}

static void
what_is_expected_has_room(void)
{
	char text[1000];
	struct buf b;
	const char *data;

	memset(text, 'x', sizeof(text));
	buf_init(&b, &arena, 1000);
	buf_expect(&b, 900);
	data = b.data;
	buf_expect(&b, 500);
	ok(b.data == data, "room that is there is not asked for again");
	for (int i = 0; i < 9; i++)
		buf_add(&b, text, 100);
	ok(b.data == data, "what is added moves nothing");
	buf_expect(&b, SIZE_MAX);
	buf_add(&b, text, 100);
	ok(!buf_full(&b), "what is expected beyond the ceiling has room to it");
	buf_add(&b, text, 1);
	ok(buf_full(&b), "and no more");
}

int
main(void)
{
	arena_init(&arena, 64 * 1024 * 1024);
	pieces_are_added();
	code_points_are_encoded();
	buffers_grow();
	ceilings_are_met();
	what_is_expected_has_room();
	neighbours_are_left_alone();
	a_full_buffer_is_no_text();
	return done_testing();
}
