#include "import/markdown/merge.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"

#define TEXT_MAX ((size_t)64 * 1024 * 1024)
#define CELLS_MAX ((size_t)4 * 1024 * 1024) /* of a comparison */

/* A text: what is before its first block, its blocks, and what is between each and the next one
 * (the last one: after it). Together they are all of its bytes. */
struct blocks {
	const char *head;
	const char **list, **gaps;
	size_t count;
};

/* ---- blocks */

static bool
is_empty_line(const char *line, size_t len)
{
	while (len > 0 && strchr(" \t\r", line[len - 1]) != NULL)
		len--;
	return len == 0;
}

/* A fence of code that is open: its character, and how many of them began it. */
struct fence {
	char mark;
	size_t count;
};

/* Notices a fence that begins or ends in this line, also in an item or a quote. */
static void
look_for_fence(struct fence *f, const char *line, size_t len)
{
	const char *marks = f->count > 0 ? " \t>" : " \t>-*+0123456789.)";
	size_t at = 0, n = 0;

	while (at < len && strchr(marks, line[at]) != NULL)
		at++;
	if (at == len || (line[at] != '`' && line[at] != '~'))
		return;
	while (at + n < len && line[at + n] == line[at])
		n++;
	if (f->count > 0) {
		if (n >= f->count && line[at] == f->mark &&
		    is_empty_line(line + at + n, len - at - n))
			f->count = 0;
	} else if (n >= 3 &&
		   (line[at] == '~' || memchr(line + at + n, '`', len - at - n) == NULL)) {
		*f = (struct fence) { line[at], n };
	}
}

static void
split(struct arena *a, const char *text, struct blocks *out)
{
	const char *begin = NULL, *end = text, *line = text;
	struct fence fence = { 0 };
	size_t most = strlen(text) / 2 + 2;

	out->list = arena_array(a, most, sizeof(*out->list));
	out->gaps = arena_array(a, most, sizeof(*out->gaps));
	out->count = 0;
	for (;;) {
		size_t len = strcspn(line, "\n");
		bool last = line[0] == '\0';
		bool empty = last || (fence.count == 0 && is_empty_line(line, len));
		look_for_fence(&fence, line, len);
		if (empty && begin != NULL) {
			out->list[out->count++] = arena_text_n(a, begin, (size_t)(end - begin));
			begin = NULL;
		} else if (!empty && begin == NULL) {
			const char *gap = arena_text_n(a, end, (size_t)(line - end));
			*(out->count > 0 ? &out->gaps[out->count - 1] : &out->head) = gap;
			begin = line;
		}
		if (!empty)
			end = line + len;
		if (last)
			break;
		line += len + (line[len] == '\n');
	}
	*(out->count > 0 ? &out->gaps[out->count - 1] : &out->head) =
	    arena_text_n(a, end, (size_t)(line - end));
}

/* ---- which blocks of the base are also in a side */

/* Fills match[i] of `n` blocks of x with the index in y, counted from `offset`, of its
 * block in a longest common sequence. */
static void
match_middle(struct arena *a, const char **x, size_t n, const char **y, size_t m, size_t offset,
    ptrdiff_t *match)
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
				   : down > right	   ? down
							   : right;
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
	while (head < x->count && head < y->count && strcmp(x->list[head], y->list[head]) == 0) {
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

/* ---- what a side changed */

/* Blocks of the base, and those that a side has in their place. */
struct hunk {
	size_t b0, b1, s0, s1;
};

struct edits {
	const struct blocks *blocks;
	struct hunk *hunks;
	size_t count;
	size_t next; /* the first hunk that is not merged yet */
	size_t at; /* the block of the side where the merge is */
	ptrdiff_t more; /* blocks that the side has in the present range beyond the base's */
};

/* As many blocks in the place of as many are changed one by one. */
static void
add_hunk(struct edits *e, size_t b0, size_t b1, size_t s0, size_t s1)
{
	size_t n = b1 - b0 == s1 - s0 ? b1 - b0 : 1;

	for (size_t k = 0; k < n; k++)
		e->hunks[e->count++] =
		    n == 1 ? (struct hunk) { b0, b1, s0, s1 }
			   : (struct hunk) { b0 + k, b0 + k + 1, s0 + k, s0 + k + 1 };
}

static void
compare(struct arena *a, const struct blocks *base, const struct blocks *blocks, struct edits *out)
{
	const ptrdiff_t *match = match_blocks(a, base, blocks);
	size_t from_b = 0, from_s = 0;

	*out = (struct edits) { .blocks = blocks,
		.hunks = arena_array(a, base->count + 1, sizeof(*out->hunks)) };
	for (size_t i = 0; i <= base->count; i++) {
		size_t to = i < base->count ? (size_t)match[i] : blocks->count;
		if (i < base->count && match[i] < 0)
			continue;
		if (i > from_b || to > from_s)
			add_hunk(out, from_b, i, from_s, to);
		from_b = i + 1;
		from_s = to + 1;
	}
}

/* ---- the pieces */

struct merging {
	struct arena *arena;
	struct blocks base, blocks[2];
	struct edits theirs, mine;
	struct merge *out;
};

static const char *
join(struct arena *a, const struct blocks *b, size_t from, size_t to)
{
	struct buf out;

	if (to == from + 1)
		return b->list[from];
	buf_init(&out, a, TEXT_MAX);
	for (size_t i = from; i < to; i++) {
		buf_add_text(&out, b->list[i]);
		if (i + 1 < to)
			buf_add_text(&out, b->gaps[i]);
	}
	return buf_done(&out);
}

/* Returns what is between these blocks and the next one; NULL if there are none, or no next. */
static const char *
gap_behind(const struct blocks *b, size_t from, size_t to)
{
	return from < to && to < b->count ? b->gaps[to - 1] : NULL;
}

/* Merges empty lines, which never clash. */
static const char *
merge_gaps(const char *base, const char *theirs, const char *mine, const char *otherwise)
{
	if (theirs != NULL && mine != NULL)
		return base != NULL && strcmp(base, mine) == 0 ? theirs : mine;
	return theirs != NULL ? theirs : mine != NULL ? mine : base != NULL ? base : otherwise;
}

/* Adds these blocks of the base, as the sides have them. */
static void
add_piece(struct merging *g, size_t from, size_t to)
{
	struct merge_piece *p = &g->out->pieces[g->out->count++];
	const struct blocks *theirs = g->theirs.blocks, *mine = g->mine.blocks;
	size_t t = g->theirs.at, m = g->mine.at;
	const char *base = join(g->arena, &g->base, from, to);

	g->theirs.at = t + (to - from) + (size_t)g->theirs.more;
	g->mine.at = m + (to - from) + (size_t)g->mine.more;
	g->theirs.more = g->mine.more = 0;
	*p = (struct merge_piece) { .theirs = join(g->arena, theirs, t, g->theirs.at),
		.mine = join(g->arena, mine, m, g->mine.at),
		.behind = merge_gaps(gap_behind(&g->base, from, to),
		    gap_behind(theirs, t, g->theirs.at), gap_behind(mine, m, g->mine.at), "\n\n") };
	if (strcmp(p->theirs, p->mine) == 0 || strcmp(base, p->theirs) == 0)
		p->text = p->mine;
	else if (strcmp(base, p->mine) == 0)
		p->text = p->theirs;
	else
		p->clash = true;
	g->out->clashes += p->clash;
}

/* Whether a hunk changes what the range has. Two that only touch do not meet, but for two sides
 * that add something at one place. */
static bool
meets(const struct hunk *h, size_t from, size_t to)
{
	return (h->b0 < to && h->b1 > from) || (from == to && h->b0 == from && h->b1 == from);
}

/* Takes the hunks of a side that meet the range. Returns whether it grew by them. */
static bool
take_hunks(struct edits *e, size_t from, size_t *to)
{
	size_t was = *to;

	while (e->next < e->count && meets(&e->hunks[e->next], from, *to)) {
		const struct hunk *h = &e->hunks[e->next++];
		*to = h->b1 > *to ? h->b1 : *to;
		e->more += (ptrdiff_t)(h->s1 - h->s0) - (ptrdiff_t)(h->b1 - h->b0);
	}
	return *to > was;
}

/* Returns the next change, or NULL. Of two at one place, what is added comes first. */
static const struct hunk *
next_hunk(const struct merging *g)
{
	const struct edits *x = &g->theirs, *y = &g->mine;
	const struct hunk *t = x->next < x->count ? &x->hunks[x->next] : NULL;
	const struct hunk *m = y->next < y->count ? &y->hunks[y->next] : NULL;

	if (t == NULL || m == NULL)
		return t != NULL ? t : m;
	if (t->b0 != m->b0)
		return t->b0 < m->b0 ? t : m;
	return t->b1 <= m->b1 ? t : m;
}

static void
merge_all(struct merging *g)
{
	const struct hunk *h;
	size_t at = 0, to;

	while ((h = next_hunk(g)) != NULL || at < g->base.count) {
		for (; at < (h != NULL ? h->b0 : g->base.count); at++)
			add_piece(g, at, at + 1);
		if (h == NULL)
			break;
		to = h->b1;
		while (take_hunks(&g->theirs, at, &to) | take_hunks(&g->mine, at, &to))
			continue;
		add_piece(g, at, to);
		at = to;
	}
}

static const char *
tail_of(const struct blocks *b)
{
	return b->count > 0 ? b->gaps[b->count - 1] : NULL;
}

void
merge_make(
    struct arena *a, const char *base, const char *theirs, const char *mine, struct merge *out)
{
	struct merging g = { .arena = a, .out = out };
	struct blocks *b = &g.base, *t = &g.blocks[0], *m = &g.blocks[1];

	split(a, base, b);
	split(a, theirs, t);
	split(a, mine, m);
	compare(a, b, t, &g.theirs);
	compare(a, b, m, &g.mine);
	*out = (struct merge) { .pieces = arena_array(a, b->count + g.theirs.count + g.mine.count,
				    sizeof(*out->pieces)),
		.head = merge_gaps(b->head, t->head, m->head, ""),
		.tail = merge_gaps(tail_of(b), tail_of(t), tail_of(m), "\n") };
	merge_all(&g);
}

struct joining {
	struct buf out;
	const char *gap; /* before the next text */
};

static void
add_text(struct joining *j, const char *text, const char *behind)
{
	if (text[0] == '\0')
		return;
	buf_add_text(&j->out, j->gap);
	buf_add_text(&j->out, text);
	j->gap = behind;
}

const char *
merge_text(struct arena *a, const struct merge *m, const enum merge_choice *choices)
{
	struct joining j = { .gap = m->head };
	size_t n = 0;

	buf_init(&j.out, a, TEXT_MAX);
	for (size_t i = 0; i < m->count; i++) {
		const struct merge_piece *p = &m->pieces[i];
		enum merge_choice choice = p->clash ? choices[n++] : MERGE_BOTH;
		if (choice == MERGE_NONE)
			return NULL;
		if (!p->clash) {
			add_text(&j, p->text, p->behind);
			continue;
		}
		if (choice != MERGE_MINE)
			add_text(&j, p->theirs, choice == MERGE_BOTH ? "\n\n" : p->behind);
		if (choice != MERGE_THEIRS)
			add_text(&j, p->mine, p->behind);
	}
	if (j.out.len > 0)
		buf_add_text(&j.out, m->tail);
	return buf_done(&j.out);
}

/* ---- parts */

/* Cuts a text at the beginnings of these lines. Empty lines join the gap before them. */
static void
cut(struct arena *a, const char *text, const unsigned *lines, size_t count, struct blocks *out)
{
	const char *at = text, *end = text;
	unsigned line = 1;
	size_t full = 0;

	*out = (struct blocks) { .head = "", .count = count + 1 };
	out->list = arena_array(a, out->count, sizeof(*out->list));
	out->gaps = arena_array(a, out->count, sizeof(*out->gaps));
	for (size_t i = 0; i < out->count; i++, at = end) {
		const char *first = NULL, *last = at;
		for (; *end != '\0' && (i == count || line < lines[i]); line++) {
			size_t len = strcspn(end, "\n");
			if (!is_empty_line(end, len)) {
				first = first == NULL ? end : first;
				last = end + len;
			}
			end += len + (end[len] == '\n');
		}
		first = first == NULL ? end : first;
		last = last < first ? end : last;
		if (i > 0)
			out->gaps[full] =
			    arena_printf(a, "%s%.*s", out->gaps[full], (int)(first - at), at);
		out->list[i] = arena_text_n(a, first, (size_t)(last - first));
		out->gaps[i] = arena_text_n(a, last, (size_t)(end - last));
		if (last > first)
			full = i;
	}
}

/* Cuts the source: part i (from 1) is block 2i - 1, what is between it and the next one is
 * block 2i. */
static void
cut_source(struct arena *a, const struct merge_cuts *cuts, struct blocks *out)
{
	unsigned *lines = arena_array(a, 2 * cuts->count + 1, sizeof(*lines));

	for (size_t i = 0; i < cuts->count; i++) {
		lines[2 * i] = cuts->lines[i];
		lines[2 * i + 1] = cuts->last[i] + 1;
	}
	cut(a, cuts->text, lines, 2 * cuts->count, out);
}

/* Returns for each part of `now`, which `n` has, the part of the source that it still is;
 * -1: none. */
static ptrdiff_t *
find_parts(struct arena *a, const struct merge_cuts *was, const struct merge_cuts *now,
    const struct blocks *n, unsigned except)
{
	ptrdiff_t *from = arena_array(a, n->count, sizeof(*from));
	const ptrdiff_t *match;
	struct blocks w;

	cut(a, was->text, was->lines, was->count, &w);
	match = match_blocks(a, &w, n);
	for (size_t i = 0; i < n->count; i++)
		from[i] = -1;
	for (size_t i = 0; i < w.count; i++) {
		ptrdiff_t at = match[i];
		if (at == 0 || (at > 0 && now->lines[at - 1] != except))
			from[at] = (ptrdiff_t)i;
	}
	return from;
}

static const char *
gap_at_end(const struct blocks *b)
{
	size_t i = b->count - 1;

	while (i > 0 && b->list[i][0] == '\0')
		i--;
	return b->gaps[i];
}

const char *
merge_carry(struct arena *a, const struct merge_cuts *was, const struct merge_cuts *source,
    const struct merge_cuts *now, unsigned except)
{
	struct joining j = { .gap = "" };
	struct blocks s, n;
	const ptrdiff_t *from;
	ptrdiff_t before = -1;

	cut_source(a, source, &s);
	cut(a, now->text, now->lines, now->count, &n);
	from = find_parts(a, was, now, &n, except);
	buf_init(&j.out, a, TEXT_MAX);
	for (size_t i = 0; i < n.count; i++) {
		bool next = i + 1 < n.count && from[i] >= 0 && from[i + 1] == from[i] + 1;
		size_t part = 2 * (size_t)from[i]; /* and what is between it and the next one */
		if (from[i] < 0) {
			add_text(&j, n.list[i], "\n\n");
			continue;
		}
		/* What was between keeps its place also where the part before it is new. */
		if (from[i] > 1 && before != from[i] - 1)
			add_text(&j, s.list[part - 2], "\n\n");
		if (from[i] > 0)
			add_text(&j, s.list[part - 1],
			    s.list[part][0] != '\0' || next ? s.gaps[part - 1] : "\n\n");
		add_text(&j, s.list[part], next ? s.gaps[part] : "\n\n");
		before = from[i];
	}
	if (j.out.len > 0)
		buf_add_text(
		    &j.out, from[n.count - 1] == (ptrdiff_t)source->count ? gap_at_end(&s) : "\n");
	return buf_done(&j.out);
}
