#include "command/grid.h"

#include "base/arena.h"
#include "base/buf.h"
#include "tests/tap.h"

static struct arena arena;

static const char *
printed(const char *const *head, const char *const *cells, size_t rows)
{
	struct buf out;
	struct grid g;

	buf_init(&out, &arena, 65536);
	grid_init(&g, &arena, head);
	for (size_t i = 0; i < rows; i++)
		grid_row(&g, cells + i * g.columns);
	grid_print(&g, "There is nothing.", &out);
	return buf_done(&out);
}

int
main(void)
{
	const char *const head[] = { "ID", "NAME", NULL };
	const char *const cells[] = { "1", "plain", "22", "漢字",
		"مثال", "", NULL, "last" };
	const char *many[2000];

	arena_init(&arena, (size_t)16 << 20);
	is_text(printed(head, cells, 0), "There is nothing.\n",
	    "a table without rows is a sentence");
	is_text(printed(head, cells, 1), "ID  NAME\n1   plain\n",
	    "columns are as wide as their widest cell");
	is_text(printed(head, cells, 4),
	    "ID    NAME\n1     plain\n22    漢字\nمثال  -\n-     last\n",
	    "an empty cell is a hyphen; letters of any script are counted");
	is_int((int64_t)grid_width("漢字"), 4, "wide characters take two");
	is_int((int64_t)grid_width("e\xCC\x81"), 1, "marks take none");
	is_text(printed(head,
		    (const char *const[]) { "1\n2", "a\tb",
			"\xC2\x9B"
			"31m",
			"x", "\xE2\x80\xAE", "\xE2\x80\xA8" },
		    3),
	    "ID    NAME\n1 2   a b\n?31m  x\n?     ?\n",
	    "a cell is one line, and nothing of it is obeyed");
	for (size_t i = 0; i < 2000; i++)
		many[i] = i % 2 == 0 ? "a" : "b";
	is_int((int64_t)strlen(printed(head, many, 1000)),
	    (int64_t)(strlen("ID  NAME\n") + 1000 * strlen("a   b\n")),
	    "a table grows");
	return done_testing();
}
