/* suite: fast */
#include "import/markdown/merge.h"

#include <string.h>

#include "base/arena.h"
#include "tests/tap.h"

static struct arena arena;

static const struct {
	const char *what, *base, *theirs, *mine, *merged; /* NULL: it clashes */
} cases[] = {
	{ "nothing at all", "", "", "", "" },
	{ "nothing changed", "a\n\nb\n", "a\n\nb\n", "a\n\nb\n", "a\n\nb\n" },
	{ "one side changed", "a\n\nb\n", "a\n\nb\n", "a\n\nx\n", "a\n\nx\n" },
	{ "the other side changed", "a\n\nb\n", "x\n\nb\n", "a\n\nb\n", "x\n\nb\n" },
	{ "both changed the same", "a\n\nb\n", "a\n\nx\n", "a\n\nx\n", "a\n\nx\n" },
	{ "disjoint changes", "a\n\nb\n\nc\n", "x\n\nb\n\nc\n", "a\n\nb\n\ny\n",
	    "x\n\nb\n\ny\n" },
	{ "one added, one removed", "a\n\nb\n\nc\n\nd\n", "a\n\nn\n\nb\n\nc\n\nd\n",
	    "a\n\nb\n\nc\n", "a\n\nn\n\nb\n\nc\n" },
	{ "both changed one block", "a\n\nb\n\nc\n", "a\n\nx\n\nc\n", "a\n\ny\n\nc\n",
	    NULL },
	{ "one changed what the other removed", "a\n\nb\n\nc\n", "a\n\nc\n",
	    "a\n\ny\n\nc\n", NULL },
	{ "both added at one place", "a\n", "a\n\nx\n", "a\n\ny\n", NULL },
	{ "no base", "", "x\n", "y\n", NULL },
	{ "a fence is one block", "```\na\n\nb\n```\n\nc\n", "```\nx\n\nb\n```\n\nc\n",
	    "```\na\n\ny\n```\n\nc\n", NULL },
	{ "a fence that does not end", "````\na\n\n```\n\nb\n", "````\na\n\n```\n\nb\n",
	    "````\na\n\n```\n\nc\n", "````\na\n\n```\n\nc\n" },
	{ "many empty lines are one", "a\n\n\n\nb", "a\n\nb", "a\n \n\nb\n\nc",
	    "a\n\nb\n\nc\n" },
	{ "repeated blocks", "a\n\na\n\na\n", "a\n\na\n\na\n\na\n", "b\n\na\n\na\n\na\n",
	    "b\n\na\n\na\n\na\n\na\n" },
};

static const char *
merged(const char *base, const char *theirs, const char *mine,
    enum merge_choice choice, size_t *clashes)
{
	enum merge_choice choices[16];
	struct merge m;

	for (size_t i = 0; i < 16; i++)
		choices[i] = choice;
	merge_make(&arena, base, theirs, mine, &m);
	*clashes = m.clashes;
	return merge_text(&arena, &m, choices);
}

static unsigned long seed = 1;

static unsigned
draw(unsigned n)
{
	seed = seed * 6364136223846793005UL + 1442695040888963407UL;
	return (unsigned)(seed >> 33) % n;
}

/* Makes a text of words; about one in `rate` differs from the one before. */
static const char *
edited(const char *text, unsigned rate, char mark)
{
	char *out = arena_text(&arena, text);

	for (char *p = out; *p != '\0'; p++) {
		if (*p >= 'a' && *p <= 'z' && draw(rate) == 0)
			*p = mark;
	}
	return out;
}

/* Whatever is merged, each side wins where it alone changed something. */
static void
random_merges(void)
{
	const char *base = "a\n\nb\n\nc\n\nd\n\ne\n\nf\n\ng\n\nh\n";
	int wrong = 0;

	for (int i = 0; i < 2000; i++) {
		const char *theirs = edited(base, 4, 'T'), *mine = edited(base, 4, 'M');
		size_t clashes;
		const char *both = merged(base, theirs, mine, MERGE_BOTH, &clashes);
		const char *swapped = merged(base, mine, theirs, MERGE_BOTH, &clashes);
		for (const char *p = theirs; *p != '\0'; p++) {
			if (*p == 'T' && strchr(both, 'T') == NULL)
				wrong++;
		}
		if (strlen(swapped) != strlen(both) ||
		    (strchr(mine, 'M') != NULL && strchr(both, 'M') == NULL))
			wrong++;
		if (strcmp(merged(base, theirs, theirs, MERGE_NONE, &clashes),
			theirs) != 0 || clashes != 0)
			wrong++;
		if (strcmp(merged(base, base, mine, MERGE_NONE, &clashes), mine) != 0 ||
		    strcmp(merged(base, theirs, base, MERGE_NONE, &clashes), theirs) != 0)
			wrong++;
		if (i % 100 == 99)
			arena_reset(&arena);
	}
	is_int(wrong, 0, "2,000 random merges lose nothing");
}

int
main(void)
{
	size_t clashes;

	arena_init(&arena, (size_t)256 * 1024 * 1024);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *text = merged(cases[i].base, cases[i].theirs, cases[i].mine,
		    MERGE_NONE, &clashes);
		if (cases[i].merged == NULL)
			ok(text == NULL && clashes == 1, "%s: clash", cases[i].what);
		else
			is_text(text, cases[i].merged, "%s", cases[i].what);
	}
	is_text(merged("a\n\nb\n\nc", "a\n\nx\n\nc", "a\n\ny\n\nc", MERGE_THEIRS, &clashes),
	    "a\n\nx\n\nc\n", "theirs");
	is_text(merged("a\n\nb\n\nc", "a\n\nx\n\nc", "a\n\ny\n\nc", MERGE_MINE, &clashes),
	    "a\n\ny\n\nc\n", "mine");
	is_text(merged("a\n\nb\n\nc", "a\n\nx\n\nc", "a\n\ny\n\nc", MERGE_BOTH, &clashes),
	    "a\n\nx\n\ny\n\nc\n", "both");
	is_text(merged("a\n\nb\n\nc", "a\n\nc", "a\n\ny\n\nc", MERGE_THEIRS, &clashes),
	    "a\n\nc\n", "a side that removed it");
	random_merges();
	arena_release(&arena);
	return done_testing();
}
