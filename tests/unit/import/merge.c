/*
 * The merge of two texts: what clashes, and that it keeps each byte that neither side touched, in
 * random edits of the fixtures of the importer. MERGE_CORPUS names more files (a pattern).
 *
 * suite: fast
 */
#include "import/markdown/merge.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
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
	{ "disjoint changes", "a\n\nb\n\nc\n", "x\n\nb\n\nc\n", "a\n\nb\n\ny\n", "x\n\nb\n\ny\n" },
	{ "one added, one removed", "a\n\nb\n\nc\n\nd\n", "a\n\nn\n\nb\n\nc\n\nd\n",
	    "a\n\nb\n\nc\n", "a\n\nn\n\nb\n\nc\n" },
	{ "both changed one block", "a\n\nb\n\nc\n", "a\n\nx\n\nc\n", "a\n\ny\n\nc\n", NULL },
	{ "one changed what the other removed", "a\n\nb\n\nc\n", "a\n\nc\n", "a\n\ny\n\nc\n",
	    NULL },
	{ "both added at one place", "a\n", "a\n\nx\n", "a\n\ny\n", NULL },
	{ "no base", "", "x\n", "y\n", NULL },
	{ "a fence is one block", "```\na\n\nb\n```\n\nc\n", "```\nx\n\nb\n```\n\nc\n",
	    "```\na\n\ny\n```\n\nc\n", NULL },
	{ "a fence that does not end", "````\na\n\n```\n\nb\n", "````\na\n\n```\n\nb\n",
	    "````\na\n\n```\n\nc\n", "````\na\n\n```\n\nc\n" },
	{ "empty lines stay as they are", "\na\n\n\n\nb", "\na\n\n\n\nb\n\n\nc", "\nx\n\n\n\nb",
	    "\nx\n\n\n\nb\n\n\nc" },
	{ "empty lines that one side changed", "a\n\n\n\nb\n\nc\n", "a\n\nb\n\nc\n",
	    "a\n\n\n\nb\n \nc\n\n", "a\n\nb\n \nc\n\n" },
	{ "neighbours", "a\n\nb\n", "x\n\nb\n", "a\n\ny\n", "x\n\ny\n" },
	{ "an addition between a change and another", "a\n\nb\n", "a\n\nn\n\nb\n", "x\n\ny\n",
	    "x\n\nn\n\ny\n" },
	{ "an addition where the other side removed", "a\n\nb\n\nc\n", "a\n\nn\n\nb\n\nc\n",
	    "a\n\nc\n", "a\n\nn\n\nc\n" },
	{ "an addition inside of what the other side replaced", "a\n\nb\n", "a\n\nn\n\nb\n", "x\n",
	    NULL },
	{ "a fence in an item is one block", "1. ```\n   a\n\n   b\n   ```\n\nc\n",
	    "1. ```\n   x\n\n   b\n   ```\n\nc\n", "1. ```\n   a\n\n   y\n   ```\n\nc\n", NULL },
	{ "code in a line begins no fence", "```a``` b\n\nc\n", "```a``` x\n\nc\n",
	    "```a``` b\n\ny\n", "```a``` x\n\ny\n" },
	{ "repeated blocks", "a\n\na\n\na\n", "a\n\na\n\na\n\na\n", "b\n\na\n\na\n\na\n",
	    "b\n\na\n\na\n\na\n\na\n" },
};

static const char *
merged(const char *base, const char *theirs, const char *mine, enum merge_choice choice,
    size_t *clashes)
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
		if (strcmp(merged(base, theirs, theirs, MERGE_NONE, &clashes), theirs) != 0 ||
		    clashes != 0)
			wrong++;
		if (strcmp(merged(base, base, mine, MERGE_NONE, &clashes), mine) != 0 ||
		    strcmp(merged(base, theirs, base, MERGE_NONE, &clashes), theirs) != 0)
			wrong++;
		if (i % 100 == 99)
			arena_reset(&arena);
	}
	is_int(wrong, 0, "2,000 random merges lose nothing");
}

/* ---- random edits of real texts */

/* A block of a text, and the empty lines after it. */
struct place {
	const char *text, *gap;
};

struct model {
	const char *head;
	struct place *places;
	size_t count;
};

static bool
has_fence(const char *text)
{
	return strstr(text, "```") != NULL || strstr(text, "~~~") != NULL;
}

/* Divides a text at empty lines, but for those between two lines of a fence. */
static void
divide(const char *text, struct model *m)
{
	size_t at = strspn(text, "\n");

	m->head = arena_text_n(&arena, text, at);
	m->places = arena_array(&arena, strlen(text) + 1, sizeof(*m->places));
	m->count = 0;
	while (text[at] != '\0') {
		size_t len = 0, gap = 0, line = at;
		int fences = 0;
		do {
			size_t end = line + strcspn(text + line, "\n");
			const char *row = arena_text_n(&arena, text + line, end - line);
			fences += has_fence(row);
			len = end - at;
			gap = strspn(text + end, "\n");
			line = end + (fences % 2 == 1 ? 1 : gap);
			if (text[end] == '\0')
				break;
		} while (fences % 2 == 1 || gap == 1);
		m->places[m->count++] =
		    (struct place) { .text = arena_text_n(&arena, text + at, len),
			    .gap = arena_text_n(&arena, text + at + len, gap) };
		at += len + gap;
	}
}

/* Writes the text with the edits of the side `who` (0: of both). owner[i] may edit a place in the
 * way edits[i]. */
static const char *
written(const struct model *m, const int *owner, const int *edits, int who)
{
	struct buf out;

	buf_init(&out, &arena, (size_t)16 * 1024 * 1024);
	buf_add_text(&out, m->head);
	for (size_t i = 0; i < m->count; i++) {
		const struct place *p = &m->places[i];
		int edit = who == 0 || owner[i] == who ? edits[i] : 0;
		if (edit == 3)
			continue;
		if (edit == 1 && !has_fence(p->text))
			buf_printf(&out, "%s and %zu more", p->text, i);
		else if (edit == 1)
			buf_printf(&out, "In the place of code: %zu", i);
		else
			buf_add_text(&out, p->text);
		if (edit == 2)
			buf_printf(&out, "\n\nAdded: %zu", i);
		buf_add_text(&out, p->gap);
	}
	return buf_done(&out);
}

/* Returns whether another place has this text. */
static bool
is_twice(const struct model *m, size_t at)
{
	for (size_t i = 0; i < m->count; i++) {
		if (i != at && strcmp(m->places[i].text, m->places[at].text) == 0)
			return true;
	}
	return false;
}

/* Merges random edits of one text; returns how often a byte was wrong. */
static int
merge_file(const char *text, const struct model *m, int rounds)
{
	int *owner = arena_array(&arena, m->count, sizeof(*owner));
	int *edits = arena_array(&arena, m->count, sizeof(*edits));
	int wrong = 0;

	for (int round = 0; round < rounds; round++) {
		for (size_t i = 0; i < m->count; i++) {
			owner[i] = 1 + (int)draw(2);
			edits[i] = draw(4) > 0 ? 0 : 1 + (int)draw(3);
			/* Of two that are equal nobody can say which one was changed. */
			if (edits[i] != 2 && is_twice(m, i))
				edits[i] = 0;
			if (edits[i] == 3 && i + 1 == m->count)
				edits[i] = 1;
		}
		size_t clashes;
		const char *out = merged(text, written(m, owner, edits, 1),
		    written(m, owner, edits, 2), MERGE_NONE, &clashes);
		wrong += clashes > 0 || strcmp(out, written(m, owner, edits, 0)) != 0;
	}
	return wrong;
}

static void
merge_files(const char *pattern, int rounds)
{
	int wrong = 0;
	size_t places = 0;
	glob_t found;

	if (glob(pattern, 0, NULL, &found) != 0)
		bail("there is no file %s", pattern);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char *text = arena_alloc(&arena, (size_t)1024 * 1024);
		FILE *file = fopen(found.gl_pathv[i], "r");
		struct model m;
		if (file == NULL)
			bail("%s cannot be read", found.gl_pathv[i]);
		text[fread(text, 1, (size_t)1024 * 1024 - 1, file)] = '\0';
		(void)fclose(file);
		divide(text, &m);
		places += m.count;
		wrong += merge_file(text, &m, rounds);
		arena_reset(&arena);
	}
	globfree(&found);
	ok(wrong == 0 && places > 60, "%s: %zu places, %d merges wrong", pattern, places, wrong);
}

/* The source of a text keeps its bytes where its content stays. */
static void
parts_are_carried_over(void)
{
	static const unsigned lines[] = { 1, 3, 5 }, in_source[] = { 1, 6, 8 };
	static const char source_text[] = "*A*\n\n\n<!-- x -->\n\n*B*\n\n*C*\n\n\n";
	const struct merge_cuts was = { "A\n\nB\n\nC\n", lines, NULL, 3 };
	const struct merge_cuts changed = { "A\n\nN\n\nC\n", lines, NULL, 3 };
	const struct merge_cuts fewer = { "B\n\nC\n", lines, NULL, 2 };
	const struct merge_cuts source = { source_text, in_source, in_source, 3 };

	is_text(merge_carry(&arena, &was, &source, &was, 0), source_text,
	    "a text that stays keeps all bytes");
	is_text(merge_carry(&arena, &was, &source, &changed, 0),
	    "*A*\n\n\n<!-- x -->\n\nN\n\n*C*\n\n\n", "a part is replaced");
	is_text(merge_carry(&arena, &was, &source, &was, 3),
	    "*A*\n\n\n<!-- x -->\n\nB\n\n*C*\n\n\n", "a part is written again");
	is_text(merge_carry(&arena, &was, &source, &fewer, 0), "<!-- x -->\n\n*B*\n\n*C*\n\n\n",
	    "the first part is removed");
}

int
main(void)
{
	size_t clashes;

	arena_init(&arena, (size_t)256 * 1024 * 1024);
	parts_are_carried_over();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *text =
		    merged(cases[i].base, cases[i].theirs, cases[i].mine, MERGE_NONE, &clashes);
		if (cases[i].merged == NULL)
			ok(text == NULL && clashes == 1, "%s: clash", cases[i].what);
		else
			is_text(text, cases[i].merged, "%s", cases[i].what);
	}
	is_text(merged("a\n\nb\n\nc", "a\n\nx\n\nc", "a\n\ny\n\nc", MERGE_THEIRS, &clashes),
	    "a\n\nx\n\nc", "theirs");
	is_text(merged("a\n\nb\n\nc", "a\n\nx\n\nc", "a\n\ny\n\nc", MERGE_MINE, &clashes),
	    "a\n\ny\n\nc", "mine");
	is_text(merged("a\n\nb\n\nc", "a\n\nx\n\nc", "a\n\ny\n\nc", MERGE_BOTH, &clashes),
	    "a\n\nx\n\ny\n\nc", "both");
	is_text(merged("a\n\nb\n\nc", "a\n\nc", "a\n\ny\n\nc", MERGE_THEIRS, &clashes), "a\n\nc",
	    "a side that removed it");
	random_merges();
	is_text(merged("a\n\n\nb\n\n\n\nc\n\n", "a\n\n\nx\n\n\n\nc\n\n", "a\n\n\ny\n\n\n\nc\n\n",
		    MERGE_BOTH, &clashes),
	    "a\n\n\nx\n\ny\n\n\n\nc\n\n", "what is around a clash keeps its empty lines");
	merge_files("tests/fixtures/markdown/*.md", 60);
	merge_files("tests/fixtures/languages/*.md", 60);
	if (getenv("MERGE_CORPUS") != NULL)
		merge_files(getenv("MERGE_CORPUS"), 60);
	arena_release(&arena);
	return done_testing();
}
