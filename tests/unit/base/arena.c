/* suite: fast */
#include "base/arena.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "base/watch.h"
#include "tests/tap.h"

/* Runs `f` in a child; returns its exit status, or 256 and the signal. */
static int
end_of(void (*f)(void))
{
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		if (freopen("/dev/null", "w", stderr) == NULL)
			_exit(99);
		f();
		_exit(0);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

static bool
is_filled(const void *bytes, size_t len, unsigned char value)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < len; i++) {
		if (p[i] != value)
			return false;
	}
	return true;
}

static void
memory_is_zero_and_aligned(void)
{
	struct arena a;
	int wrong = 0;

	arena_init(&a, 8 * 1024 * 1024);
	for (size_t size = 0; size < 3000; size++) {
		char *p = arena_alloc(&a, size);
		if ((uintptr_t)p % _Alignof(max_align_t) != 0 || !is_filled(p, size, 0))
			wrong++;
		memset(p, 0xAA, size);
	}
	is_int(wrong, 0, "memory is zero and aligned for any type");
	arena_reset(&a);
	ok(is_filled(arena_alloc(&a, 60000), 60000, 0), "after a reset too");
	ok(arena_alloc(&a, 0) != NULL, "no bytes have an address");
	ok(is_filled(arena_array(&a, 1000, 24), 24000, 0), "arrays too");
	ok(arena_array(&a, 0, 24) != NULL, "also empty ones");
	arena_release(&a);
}

static void
allocations_do_not_overlap(void)
{
	struct arena a;
	unsigned char *p[500];
	int wrong = 0;

	arena_init(&a, 64 * 1024 * 1024);
	for (size_t i = 0; i < 500; i++) {
		p[i] = arena_alloc(&a, i * i % 7919);
		memset(p[i], (int)(i & 0xFF), i * i % 7919);
	}
	for (size_t i = 0; i < 500; i++)
		wrong += !is_filled(p[i], i * i % 7919, (unsigned char)(i & 0xFF));
	is_int(wrong, 0, "allocations do not overlap, over many chunks");
	arena_release(&a);
}

/* Returns whether texts of all lengths keep their NUL when the memory after them
 * is filled. */
static bool
ends_are_kept(struct arena *a)
{
	char text[] = "0123456789012345678901234567890123456789012345678901";
	bool kept = true;

	for (size_t len = 0; len < sizeof(text); len++) {
		char *copy = arena_text_n(a, text, len), *printed;
		memset(arena_alloc(a, 1), 0xAA, 1);
		printed = arena_printf(a, "%.*s", (int)len, text);
		memset(arena_alloc(a, 1), 0xAA, 1);
		kept = kept && strlen(copy) == len && strlen(printed) == len;
	}
	return kept;
}

static void
texts_are_copied(void)
{
	struct arena a;
	char text[] = "compost";
	char *copy;

	arena_init(&a, 1024 * 1024);
	copy = arena_text(&a, text);
	text[0] = 'X';
	is_text(copy, "compost", "a text is copied");
	is_text(arena_text_n(&a, "compost", 3), "com", "or its beginning");
	is_text(arena_text_n(&a, "", 0), "", "or nothing");
	is_text(arena_printf(&a, "%s-%d", "a", 7), "a-7", "or a format");
	is_text(arena_printf(&a, "/%s/%s?", "a", "bc"), "/a/bc?", "of texts alone");
	is_text(arena_printf(&a, "%s%%%s", "a", "b"), "a%b", "with a per cent sign");
	is_text(arena_printf(&a, "%s", ""), "", "or of an empty one");
	ok(ends_are_kept(&a), "their ends are their own, whatever follows");
	copy = arena_printf(&a, "%5000d", 1);
	ok(strlen(copy) == 5000 && copy[4999] == '1', "however long");
	arena_release(&a);
}

/* Grows two allocations in turns, so that neither can always stay in place,
 * and looks at every byte. */
static bool
grow_in_turns(struct arena *a, size_t step, size_t rounds)
{
	unsigned char *p = NULL, *q = NULL;
	size_t len = 0;

	for (size_t i = 1; i <= rounds; i++) {
		p = arena_grow(a, p, len, len + step);
		memset(p + len, (int)(i & 0xFF), step);
		if (i % 3 == 0)
			arena_alloc(a, 5);
		q = arena_grow(a, q, len, len + step);
		memset(q + len, (int)((i + 100) & 0xFF), step);
		len += step;
	}
	for (size_t i = 0; i < len; i++) {
		size_t round = i / step + 1;
		if (p[i] != (unsigned char)round || q[i] != (unsigned char)(round + 100))
			return false;
	}
	return true;
}

static void
growing_keeps_the_bytes(void)
{
	struct arena a;
	unsigned char *p, *q;

	arena_init(&a, 512 * 1024 * 1024);
	ok(grow_in_turns(&a, 7, 400), "small steps keep the bytes");
	ok(grow_in_turns(&a, 30000, 40), "large steps keep the bytes");
	arena_reset(&a);
	p = arena_alloc(&a, 100);
	q = arena_grow(&a, p, 100, 200);
	ok(p == q, "what was allocated last grows in place");
	ok(arena_grow(&a, q, 200, 50) == q, "and never moves to shrink");
	arena_alloc(&a, 1);
	memset(q, 0xAA, 200);
	p = arena_grow(&a, q, 200, 300);
	ok(p != q && is_filled(p, 200, 0xAA), "else it moves, whole");
	ok(arena_grow(&a, NULL, 0, 10) != NULL, "nothing can grow too");
	arena_release(&a);
}

static void
one_large_allocation_grows(void)
{
	struct arena a;
	unsigned char *p, *other;
	size_t len = 100000;
	bool same = true;

	arena_init(&a, 512 * 1024 * 1024);
	other = arena_alloc(&a, 1000);
	memset(other, 0xBB, 1000);
	p = arena_alloc(&a, len);
	memset(p, 0xAA, len);
	while (len < 20 * 1000 * 1000) {
		p = arena_grow(&a, p, len, len * 2);
		same = same && is_filled(p, len, 0xAA);
		memset(p, 0xAA, len * 2);
		len *= 2;
	}
	ok(same, "a large allocation keeps its bytes while it doubles");
	ok(is_filled(other, 1000, 0xBB), "and its neighbours keep theirs");
	ok(a.used < 2 * len, "and is counted once (%zu bytes)", a.used);
	other = arena_alloc(&a, 1000);
	ok(is_filled(p, len, 0xAA) && is_filled(other, 1000, 0),
	    "the next allocation is in another chunk");
	arena_release(&a);
}

static void
resets_give_back(void)
{
	struct arena a;

	arena_init(&a, 1024 * 1024);
	for (int i = 0; i < 100; i++) {
		arena_alloc(&a, 900 * 1024);
		arena_reset(&a);
	}
	is_int((int64_t)a.used, 0, "a reset gives the whole ceiling back");
	arena_release(&a);
	arena_release(&a);
	arena_reset(&a);
	ok(arena_alloc(&a, 10) != NULL, "a released arena can be used again");
	arena_release(&a);
}

#ifdef GALLEY_TEST
static void
stale_memory_shows(void)
{
	struct arena a;
	char *p;

	arena_init(&a, 1024 * 1024);
	p = arena_alloc(&a, 100);
	arena_reset(&a);
	ok(is_filled(p, 100, 0x55), "memory given back is filled with 0x55");
	arena_release(&a);
}
#else
static void
stale_memory_shows(void)
{
	skip(1, "memory is filled in test builds only");
}
#endif

/* Sanitizers see the bytes of an arena one by one. */
#ifdef WATCH_ASAN
static void
what_is_not_handed_out_is_forbidden(void)
{
	static _Alignas(max_align_t) char memory[4096];
	struct arena a;
	char *p, *q;

	arena_init_with(&a, 1024 * 1024, memory, sizeof(memory));
	p = arena_alloc(&a, 32);
	q = arena_alloc(&a, 5);
	ok(!__asan_address_is_poisoned(p + 31), "the last byte may be used");
	ok(__asan_address_is_poisoned(p + 32), "the one behind it not");
	ok(__asan_address_is_poisoned(q + 5), "nor within the alignment");
	q = arena_grow(&a, q, 5, 7);
	ok(!__asan_address_is_poisoned(q + 6) && __asan_address_is_poisoned(q + 7),
	    "unless it has grown");
	q = arena_grow(&a, q, 7, 1000);
	ok(!__asan_address_is_poisoned(q + 999) && __asan_address_is_poisoned(q + 1000),
	    "by much, too");
	q = arena_alloc(&a, 100000);
	q = arena_grow(&a, q, 100000, 200000);
	ok(!__asan_address_is_poisoned(q + 199999) && __asan_address_is_poisoned(q + 200000),
	    "or alone in its chunk");
	arena_reset(&a);
	ok(__asan_address_is_poisoned(p), "nor any byte after a reset");
	arena_release(&a);
	ok(!__asan_address_is_poisoned(p), "until lent memory is given back");
}
#else
static void
what_is_not_handed_out_is_forbidden(void)
{
	skip(8, "forbidden in SANITIZE builds only");
}
#endif

static void
go_beyond_at_once(void)
{
	struct arena a;

	arena_init(&a, 1000);
	arena_alloc(&a, 1001);
}

static void
go_beyond_in_steps(void)
{
	struct arena a;

	arena_init(&a, 100 * 1000);
	for (int i = 0; i < 1000; i++)
		arena_alloc(&a, 101);
}

static void
go_beyond_by_growing(void)
{
	struct arena a;
	char *p;

	arena_init(&a, 200 * 1000);
	arena_alloc(&a, 1);
	p = arena_alloc(&a, 150 * 1000);
	arena_grow(&a, p, 150 * 1000, 250 * 1000);
}

static void
ask_for_the_impossible(void)
{
	struct arena a;

	arena_init(&a, SIZE_MAX);
	arena_array(&a, SIZE_MAX / 2, 3);
}

static void
ask_for_a_product_of_nothing(void)
{
	struct arena a;

	arena_init(&a, SIZE_MAX);
	arena_array(&a, SIZE_MAX / 4 + 1, 4);
}

static void
grow_to_the_impossible(void)
{
	struct arena a;

	arena_init(&a, SIZE_MAX);
	arena_grow(&a, NULL, 0, SIZE_MAX - 8);
}

static void
ask_for_all_memory(void)
{
	struct arena a;

	arena_init(&a, SIZE_MAX);
	arena_alloc(&a, SIZE_MAX - 8);
}

static void
stay_below(void)
{
	struct arena a;

	arena_init(&a, 1024);
	arena_alloc(&a, 1024);
	arena_release(&a);
}

static void
ceilings_hold(void)
{
	is_int(end_of(stay_below), 0, "what fits is given");
	is_int(end_of(go_beyond_at_once), 1, "the ceiling ends the process");
	is_int(end_of(go_beyond_in_steps), 1, "in small steps too");
	is_int(end_of(go_beyond_by_growing), 1, "by growing too");
	is_int(end_of(ask_for_the_impossible), 1, "a product that does not fit ends the process");
	is_int(end_of(ask_for_a_product_of_nothing), 1, "also where it would be nothing");
	is_int(end_of(grow_to_the_impossible), 1, "also by growing");
	is_int(end_of(ask_for_all_memory), 1, "a size that cannot be rounded up ends the process");
}

/* Pointers into different objects cannot be compared. */
static bool
lies_in(const char *memory, size_t size, const char *p, size_t len)
{
	uintptr_t from = (uintptr_t)memory, at = (uintptr_t)p;

	return at >= from && at + len <= from + size;
}

/* Memory of the caller is used first, is aligned, and outlives the arena. */
static void
lent_memory_is_used_first(void)
{
	static _Alignas(max_align_t) char memory[4096];
	struct arena a;
	char *first, *large;

	arena_init_with(&a, 1024 * 1024, memory, sizeof(memory));
	first = arena_alloc(&a, 100);
	ok(lies_in(memory, sizeof(memory), first, 100), "an allocation is in the lent memory");
	ok((uintptr_t)first % _Alignof(max_align_t) == 0, "aligned");
	large = arena_alloc(&a, 2 * sizeof(memory));
	ok(!lies_in(memory, sizeof(memory), large, 1),
	    "an allocation that does not fit is in another chunk");
	is_text(arena_printf(&a, "%s-%d", "a", 7), "a-7", "printf goes on");
	is_int((intmax_t)strlen(arena_printf(&a, "%0*d", 80000, 1)), 80000,
	    "a text longer than what is left of a chunk is whole");
	arena_reset(&a);
	ok(arena_alloc(&a, 100) == first, "a reset returns to it");
	arena_release(&a);
	memset(memory, 1, sizeof(memory));
	ok(memory[sizeof(memory) - 1] == 1, "and it is never given back");
}

static void
a_large_chunk_is_used_again(void)
{
	struct arena a;
	char *large;

	arena_init(&a, 64 * 1024 * 1024);
	arena_alloc(&a, 10);
	large = arena_alloc(&a, 300000);
	arena_alloc(&a, 100000);
	arena_reset(&a);
	arena_alloc(&a, 10);
	ok(arena_alloc(&a, 290000) == large, "a reset keeps the largest chunk");
	arena_reset(&a);
	arena_alloc(&a, 10);
	arena_alloc(&a, 5 * 1024 * 1024);
	arena_reset(&a);
	arena_alloc(&a, 10);
	ok(arena_alloc(&a, 290000) == large, "but none over 1 MiB");
	ok(a.spare == NULL, "and none twice");
	arena_release(&a);
	ok(a.spare == NULL, "a release keeps nothing");
}

enum { PAGE = 4096, PAGES = 8 };

/* Returns a letter for each of the pages at `memory`: whether it is there. */
static const char *
there(void *memory)
{
	static char text[PAGES + 1];
	unsigned char present[PAGES];

	if (mincore(memory, (size_t)PAGES * PAGE, present) != 0)
		return "mincore";
	for (int i = 0; i < PAGES; i++)
		text[i] = present[i] & 1 ? 'x' : '-';
	return text;
}

static void
pages_are_made_at_once(void)
{
	char *memory = mmap(
	    NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	is_text(there(memory), "--------", "no page is there before it is touched");
	errno = 7;
	arena_populate(memory + 2 * PAGE + 5, (size_t)2 * PAGE);
	is_int(errno, 7, "errno stays, whatever the system can");
	/* Before Linux 5.14 there is no such call. */
	if (madvise(memory, PAGE, 23) == 0)
		is_text(there(memory), "x-xxx---",
		    "all pages that hold a byte of it are there, and no others");
	memory[2 * PAGE] = 'a';
	arena_populate(memory, (size_t)PAGES * PAGE);
	is_int(memory[2 * PAGE], 'a', "what was written stays");
}

int
main(void)
{
	pages_are_made_at_once();
	a_large_chunk_is_used_again();
	lent_memory_is_used_first();
	memory_is_zero_and_aligned();
	allocations_do_not_overlap();
	texts_are_copied();
	growing_keeps_the_bytes();
	one_large_allocation_grows();
	resets_give_back();
	stale_memory_shows();
	what_is_not_handed_out_is_forbidden();
	ceilings_hold();
	return done_testing();
}
