/* Writes what differs between two texts, by words (docs/console.md §4.4, §5.2). */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "editor.h"
#include "screen/tr.h"
#include "terminal/textdiff.h"

#define AROUND 2 /* lines that are shown about a change */
#define TEXT_MAX ((size_t)64 * 1024 * 1024)
#define WORDS_MAX 20000 /* bytes of a change that is compared by words */

static const enum hwrite_element elements[] = {
	[TEXTDIFF_KEPT] = H_SPAN, [TEXTDIFF_REMOVED] = H_DEL, [TEXTDIFF_ADDED] = H_INS
};

static void
write_piece(struct hwrite *w, enum textdiff_change change, const char *text)
{
	hwrite_open(w, elements[change]);
	hwrite_text(w, text);
	hwrite_close(w, elements[change]);
}

/* Puts each word of the lines on a line of its own; an empty one is the end of a line. */
static const char *
words_of(struct arena *a, const struct textdiff_line *lines, size_t count)
{
	struct buf out;

	buf_init(&out, a, TEXT_MAX);
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			buf_add_char(&out, '\n');
		for (const char *p = lines[i].text; *p != '\0'; p++)
			buf_add_char(&out, *p == ' ' ? '\n' : *p);
		buf_add_char(&out, '\n');
	}
	return buf_done(&out);
}

/* Writes lines that were removed and those in their place, word by word. */
static void
write_words(struct hwrite *w, const struct textdiff_line *removed, size_t out,
    const struct textdiff_line *added, size_t in)
{
	struct arena *a = w->out->arena;
	struct textdiff words;
	bool begun = false;

	textdiff_make(a, words_of(a, removed, out), words_of(a, added, in), WORDS_MAX, &words);
	for (size_t i = 0; i < words.count; i++) {
		const struct textdiff_line *word = &words.lines[i];
		if (word->text[0] == '\0') {
			hwrite_text(w, "\n");
			begun = false;
			continue;
		}
		if (begun)
			hwrite_text(w, " ");
		begun = true;
		write_piece(w, word->change, word->text);
	}
}

static size_t
run_of(const struct textdiff *diff, size_t at, enum textdiff_change change, size_t *bytes)
{
	size_t n = 0;

	while (at + n < diff->count && diff->lines[at + n].change == change &&
	       diff->lines[at + n].hunk == diff->lines[at].hunk) {
		*bytes += strlen(diff->lines[at + n].text) + 1;
		n++;
	}
	return n;
}

/* Writes a change, or one line that both have, and returns how many lines of the difference it
 * took. Each line is looked at once: a change may have a hundred thousand. */
static size_t
write_change(struct hwrite *w, const struct textdiff *diff, size_t at)
{
	const struct textdiff_line *line = &diff->lines[at];
	size_t bytes = 0, out = run_of(diff, at, TEXTDIFF_REMOVED, &bytes), in, count;

	in = at + out < diff->count && line->hunk == diff->lines[at + out].hunk
		 ? run_of(diff, at + out, TEXTDIFF_ADDED, &bytes)
		 : 0;
	if (out > 0 && in > 0 && bytes < WORDS_MAX) {
		write_words(w, line, out, line + out, in);
		return out + in;
	}
	count = out + in > 0 ? out + in : 1;
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			hwrite_text(w, "\n");
		write_piece(w, line[i].change, line[i].text);
	}
	return count;
}

void
difference_write(struct hwrite *w, const char *before, const char *after)
{
	struct textdiff diff;
	size_t hunk = 0;

	textdiff_make(w->out->arena, before, after, AROUND, &diff);
	if (diff.count == 0) {
		hwrite_element(w, H_P, tr("Title and text are the same."));
		return;
	}
	hwrite_open(w, H_PRE);
	hwrite_attr(w, A_CLASS, "difference");
	hwrite_attr(w, A_DIR, "auto");
	hwrite_number(w, A_TABINDEX, 0);
	for (size_t i = 0; i < diff.count;) {
		if (diff.lines[i].hunk != hunk)
			hwrite_text(w, "\u22ef\n");
		hunk = diff.lines[i].hunk;
		i += write_change(w, &diff, i);
		hwrite_text(w, "\n");
	}
	hwrite_close(w, H_PRE);
}
