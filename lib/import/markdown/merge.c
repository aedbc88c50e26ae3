#include "import/markdown/merge.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"

#define TEXT_MAX ((size_t)64 * 1024 * 1024)
#define CELLS_MAX ((size_t)4 * 1024 * 1024) /* of a comparison */

struct blocks {
	const char **list;
	size_t count;
};

/* ---- blocks */

static bool
is_empty_line(const char *line, size_t len)
{
	while (len > 0 && (line[len - 1] == ' ' || line[len - 1] == '\t'))
		len--;
	return len == 0;
}

/* Returns how many fence characters begin the line, 0 if it is no fence; *mark is the
 * character. */
static size_t
fence_of(const char *line, size_t len, char *mark)
{
	size_t at = 0, n = 0;

	while (at < len && line[at] == ' ')
		at++;
	if (at == len || (line[at] != '`' && line[at] != '~'))
		return 0;
	*mark = line[at];
	while (at + n < len && line[at + n] == *mark)
		n++;
	return n >= 3 ? n : 0;
}

static void
split(struct arena *a, const char *text, struct blocks *out)
{
	const char *begin = NULL, *end = text, *line = text;
	size_t fence = 0, n;
	char open = 0, mark = 0;

	out->list = arena_array(a, strlen(text) / 2 + 2, sizeof(*out->list));
	out->count = 0;
	while (*line != '\0') {
		size_t len = strcspn(line, "\n");
		bool empty = is_empty_line(line, len) && fence == 0;
		n = fence_of(line, len, &mark);
		if (n > 0 && fence == 0) {
			fence = n;
			open = mark;
		} else if (n >= fence && fence > 0 && mark == open) {
			fence = 0;
		}
		if (empty && begin != NULL)
			out->list[out->count++] =
			    arena_text_n(a, begin, (size_t)(end - begin));
		if (empty)
			begin = NULL;
		else if (begin == NULL)
			begin = line;
		end = line + len;
		line = end + (*end == '\n');
	}
	if (begin != NULL)
		out->list[out->count++] = arena_text_n(a, begin, (size_t)(end - begin));
}

/* ---- which blocks of the base are also in a side */

/* Fills match[i] of `n` blocks of x with the index in y, counted from `offset`, of its
 * block in a longest common sequence. */
static void
match_middle(struct arena *a, const char **x, size_t n, const char **y, size_t m,
    size_t offset, ptrdiff_t *match)
{
	unsigned *length;
	size_t i = 0, j = 0;

	if (n == 0 || m == 0 || (n + 1) > CELLS_MAX / (m + 1))
		return;
	length = arena_array(a, (n + 1) * (m + 1), sizeof(*length));
#define AT(i, j) length[(i) * (m + 1) + (j)]
	for (i = n; i-- > 0;) {
		for (j = m; j-- > 0;) {
			unsigned down = AT(i + 1, j), right = AT(i, j + 1);
			AT(i, j) = strcmp(x[i], y[j]) == 0 ? AT(i + 1, j + 1) + 1
			    : down > right ? down : right;
		}
	}
	for (i = 0, j = 0; i < n && j < m;) {
		if (strcmp(x[i], y[j]) == 0)
			match[i++] = (ptrdiff_t)(offset + j++);
		else if (AT(i + 1, j) >= AT(i, j + 1))
			i++;
		else
			j++;
	}
#undef AT
}

static ptrdiff_t *
match_blocks(struct arena *a, const struct blocks *x, const struct blocks *y)
{
	ptrdiff_t *match = arena_array(a, x->count + 1, sizeof(*match));
	size_t head = 0, tail = 0;

	for (size_t i = 0; i < x->count; i++)
		match[i] = -1;
	while (head < x->count && head < y->count &&
	    strcmp(x->list[head], y->list[head]) == 0) {
		match[head] = (ptrdiff_t)head;
		head++;
	}
	while (tail < x->count - head && tail < y->count - head &&
	    strcmp(x->list[x->count - 1 - tail], y->list[y->count - 1 - tail]) == 0) {
		match[x->count - 1 - tail] = (ptrdiff_t)(y->count - 1 - tail);
		tail++;
	}
	match_middle(a, x->list + head, x->count - head - tail, y->list + head,
	    y->count - head - tail, head, match + head);
	return match;
}

/* ---- the pieces */

static const char *
join(struct arena *a, const struct blocks *b, size_t from, size_t to)
{
	struct buf out;

	buf_init(&out, a, TEXT_MAX);
	for (size_t i = from; i < to; i++) {
		if (i > from)
			buf_add_text(&out, "\n\n");
		buf_add_text(&out, b->list[i]);
	}
	return buf_done(&out);
}

/* Adds the run of blocks between two blocks which nobody changed. */
static void
add_run(struct merge *m, const char *base, const char *theirs, const char *mine)
{
	struct merge_piece *p = &m->pieces[m->count];

	*p = (struct merge_piece){ .theirs = theirs, .mine = mine };
	if (strcmp(theirs, mine) == 0 || strcmp(base, theirs) == 0)
		p->text = mine;
	else if (strcmp(base, mine) == 0)
		p->text = theirs;
	else
		p->clash = true;
	if (!p->clash && p->text[0] == '\0')
		return;
	m->clashes += p->clash;
	m->count++;
}

void
merge_make(struct arena *a, const char *base, const char *theirs, const char *mine,
    struct merge *out)
{
	struct blocks b, t, m;
	const ptrdiff_t *in_theirs, *in_mine;
	size_t from_b = 0, from_t = 0, from_m = 0;

	split(a, base, &b);
	split(a, theirs, &t);
	split(a, mine, &m);
	in_theirs = match_blocks(a, &b, &t);
	in_mine = match_blocks(a, &b, &m);
	*out = (struct merge){ .pieces = arena_array(a, 2 * b.count + 2,
	    sizeof(*out->pieces)) };
	for (size_t i = 0; i <= b.count; i++) {
		bool end = i == b.count;
		size_t to_t = end ? t.count : (size_t)in_theirs[i];
		size_t to_m = end ? m.count : (size_t)in_mine[i];
		if (!end && (in_theirs[i] < 0 || in_mine[i] < 0))
			continue;
		add_run(out, join(a, &b, from_b, i), join(a, &t, from_t, to_t),
		    join(a, &m, from_m, to_m));
		if (end)
			break;
		out->pieces[out->count++] = (struct merge_piece){ .text = b.list[i] };
		from_b = i + 1;
		from_t = to_t + 1;
		from_m = to_m + 1;
	}
}

static void
add_text(struct buf *out, const char *text)
{
	if (text[0] == '\0')
		return;
	if (out->len > 0)
		buf_add_text(out, "\n\n");
	buf_add_text(out, text);
}

const char *
merge_text(struct arena *a, const struct merge *m, const enum merge_choice *choices)
{
	struct buf out;
	size_t n = 0;

	buf_init(&out, a, TEXT_MAX);
	for (size_t i = 0; i < m->count; i++) {
		const struct merge_piece *p = &m->pieces[i];
		enum merge_choice choice = p->clash ? choices[n++] : MERGE_BOTH;
		if (choice == MERGE_NONE)
			return NULL;
		if (!p->clash) {
			add_text(&out, p->text);
			continue;
		}
		if (choice != MERGE_MINE)
			add_text(&out, p->theirs);
		if (choice != MERGE_THEIRS)
			add_text(&out, p->mine);
	}
	if (out.len > 0)
		buf_add_char(&out, '\n');
	return buf_done(&out);
}
