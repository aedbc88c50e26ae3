/* Differences of texts: both texts can be built from them again, no smaller number of
 * changes would do, and words are marked where little changed.
 * suite: fast
 */
#include "terminal/textdiff.h"

#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "tests/tap.h"

#define LINES_MAX 12
#define TRIES 4000

static struct arena arena;

/* Lines of one letter, of a few letters only. */
static const char *
random_text(uint32_t *seed)
{
	char *text = arena_alloc(&arena, 2 * LINES_MAX + 1);
	size_t count = (*seed >> 8) % (LINES_MAX + 1);

	for (size_t i = 0; i < count; i++) {
		*seed = *seed * 1664525 + 1013904223;
		text[2 * i] = (char)('a' + (*seed >> 16) % 4);
		text[2 * i + 1] = '\n';
	}
	*seed = *seed * 1664525 + 1013904223;
	return text;
}

/* Returns the text of the lines without those of one kind. */
static const char *
without(const struct textdiff *diff, enum textdiff_change change)
{
	struct buf out;

	buf_init(&out, &arena, 65536);
	for (size_t i = 0; i < diff->count; i++) {
		if (diff->lines[i].change == change)
			continue;
		buf_add_text(&out, diff->lines[i].text);
		buf_add_char(&out, '\n');
	}
	return buf_done(&out);
}

/* The longest common subsequence of lines, the slow way. */
static size_t
common(const char *a, const char *b)
{
	size_t best[LINES_MAX + 1][LINES_MAX + 1] = { 0 };
	size_t n = strlen(a) / 2, m = strlen(b) / 2;

	for (size_t i = 1; i <= n; i++) {
		for (size_t j = 1; j <= m; j++) {
			size_t up = best[i - 1][j], left = best[i][j - 1];
			best[i][j] = up > left ? up : left;
			if (a[2 * (i - 1)] == b[2 * (j - 1)])
				best[i][j] = best[i - 1][j - 1] + 1;
		}
	}
	return best[n][m];
}

static void
random_texts_come_back(void)
{
	size_t wrong = 0, long_way = 0;
	uint32_t seed = 20260901;

	for (int i = 0; i < TRIES; i++) {
		const char *from = random_text(&seed), *to = random_text(&seed);
		struct textdiff diff;
		size_t kept = 0;
		textdiff_make(&arena, from, to, LINES_MAX, &diff);
		for (size_t j = 0; j < diff.count; j++)
			kept += diff.lines[j].change == TEXTDIFF_KEPT;
		if (strcmp(from, to) == 0)
			wrong += diff.count != 0;
		else if (strcmp(without(&diff, TEXTDIFF_ADDED), from) != 0 ||
			 strcmp(without(&diff, TEXTDIFF_REMOVED), to) != 0)
			wrong++;
		else
			long_way += kept != common(from, to);
		arena_reset(&arena);
	}
	is_int((int64_t)wrong, 0, "both texts come back from what differs");
	is_int((int64_t)long_way, 0, "with the fewest changes");
}

static void
lines_around_a_change_are_shown(void)
{
	struct textdiff diff;

	textdiff_make(&arena, "1\n2\n3\n4\n5\n6\n7\n", "1\nx\n3\n4\n5\n6\ny\n", 1, &diff);
	is_text(without(&diff, TEXTDIFF_ADDED), "1\n2\n3\n6\n7\n", "one line on each side");
	is_int((int64_t)diff.lines[3].hunk, 0, "the first group");
	is_int((int64_t)diff.lines[4].hunk, 1, "and the second");
	textdiff_make(&arena, "a\nb\n", "a\nb\n", 3, &diff);
	is_int((int64_t)diff.count, 0, "equal texts do not differ");
}

/* Beyond the bound the answer is coarse, and still right. */
static void
long_texts_are_bounded(void)
{
	struct buf from, to;
	struct textdiff diff;

	buf_init(&from, &arena, 1 << 20);
	buf_init(&to, &arena, 1 << 20);
	for (int i = 0; i < 20000; i++) {
		buf_printf(&from, "from %d\n", i);
		buf_printf(&to, i == 19999 ? "from %d\n" : "to %d\n", i);
	}
	textdiff_make(&arena, from.data, to.data, 0, &diff);
	is_int((int64_t)diff.count, 2 * 19999, "what differs throughout");
	is_int(diff.lines[0].change, TEXTDIFF_REMOVED, "first what was");
	is_int(diff.lines[diff.count - 1].change, TEXTDIFF_ADDED, "then what is");
}

static void
words_are_marked(void)
{
	is_text(textdiff_words(&arena, "Keep it warm at 20 °C.", "Keep it warm at 25 °C."),
	    "Keep it warm at [-20-]{+25+} °C.", "a word that is another");
	is_text(textdiff_words(&arena, "Turn it weekly.", "Turn it over weekly."),
	    "Turn it {+over+} weekly.", "a word more");
	is_text(textdiff_words(&arena, "Turn it weekly", "Turn it weekly now"),
	    "Turn it weekly {+now+}", "at the end");
	ok(textdiff_words(&arena, "Freeze the scraps.", "Another sentence.") == NULL,
	    "lines with little in common are two");
	is_text(textdiff_words(&arena, "", "x") == NULL ? "no" : "yes", "no",
	    "an empty line is no other line");
}

int
main(void)
{
	arena_init(&arena, (size_t)256 << 20);
	random_texts_come_back();
	lines_around_a_change_are_shown();
	long_texts_are_bounded();
	words_are_marked();
	return done_testing();
}
