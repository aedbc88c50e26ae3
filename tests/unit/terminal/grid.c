/* suite: fast */
#include "terminal/grid.h"

#include "base/arena.h"
#include "base/buf.h"
#include "tests/tap.h"

static struct arena arena;

/* Prints in a terminal of so many columns; 0 is a pipe. */
static size_t columns;

static const char *
printed(const char *const *head, const char *const *cells, size_t rows)
{
	struct buf out;
	struct grid g;

	buf_init(&out, &arena, 65536);
	grid_init(&g, &arena, head);
	g.max = columns;
	for (size_t i = 0; i < rows; i++)
		grid_row(&g, cells + i * g.columns);
	grid_print(&g, "There is nothing.", &out);
	return buf_done(&out);
}

/* For every width from the narrowest on, no line is longer, and every cell that is not cut
 * is there. */
static void
check_widths(void)
{
	const char *const head[] = { "ID", "KEY", "STATE", "TITLE", NULL };
	const char *const cells[] = { "0123456789abcdef", "漢字漢字漢字", "good",
		"A title that goes on for a while and on", "1", "k", "revoked", "b", "2", "",
		"good", "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字" };
	int longer = 0, lost = 0;

	for (columns = 24; columns < 100; columns++) {
		const char *text = printed(head, cells, 3);
		lost += strstr(text, "0123456789abcdef") == NULL ||
			strstr(text, "漢字漢字漢字") == NULL ||
			strstr(text, "A title that") == NULL;
		while (*text != '\0') {
			size_t len = strcspn(text, "\n");
			longer += grid_width(arena_text_n(&arena, text, len)) > columns;
			text += len + 1;
		}
	}
	is_int(longer, 0, "no line is longer than the terminal is wide");
	is_int(lost, 0, "and nothing is lost but ends");
	columns = 45;
	is_text(printed(head, cells, 2),
	    "ID                KEY           STATE\n"
	    "  TITLE\n"
	    "0123456789abcdef  漢字漢字漢字  good\n"
	    "  A title that goes on for a while and on\n"
	    "1                 k             revoked\n"
	    "  b\n",
	    "what does not fit comes on a further line");
	columns = 60;
	is_text(printed(head, cells, 1),
	    "ID                KEY           STATE  TITLE\n"
	    "0123456789abcdef  漢字漢字漢字  good   A title that goes on…\n",
	    "the last column is cut");
	columns = 0;
}

int
main(void)
{
	const char *const head[] = { "ID", "NAME", NULL };
	const char *const cells[] = { "1", "plain", "22", "漢字", "مثال", "", NULL, "last" };
	const char *many[2000];

	arena_init(&arena, (size_t)16 << 20);
	is_text(
	    printed(head, cells, 0), "There is nothing.\n", "a table without rows is a sentence");
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
	    (int64_t)(strlen("ID  NAME\n") + 1000 * strlen("a   b\n")), "a table grows");
	check_widths();
	return done_testing();
}
