/* suite: fast */
#include "import/losses.h"

#include "base/arena.h"
#include "tests/tap.h"

static struct arena arena;

int
main(void)
{
	static const char *const notes[] = { "line 1: a", "line 2: c", "line 3: b", "line 4: c",
		"line 5: d", "line 6: c", "line 7: d" };
	static const struct tally_kind wanted[] = { { "c", 3 }, { "d", 2 }, { "a", 1 },
		{ "b", 1 } };
	struct tally t = { .arena = &arena };

	arena_init(&arena, (size_t)16 * 1024 * 1024);
	tally_sort(&t);
	is_int((int)t.count, 0, "nothing is in order");
	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
		tally_note(&t, notes[i]);
	tally_sort(&t);
	is_int((int)t.count, 4, "notes that differ in their lines are of one kind");
	for (size_t i = 0; i < t.count && i < 4; i++) {
		is_text(t.kinds[i].text, wanted[i].text, "the most frequent first, then by text");
		is_int((int)t.kinds[i].count, (int)wanted[i].count, "with its number");
	}
	return done_testing();
}
