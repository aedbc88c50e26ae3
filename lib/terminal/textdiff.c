#include "terminal/textdiff.h"

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"

/* With more changes than this, everything between the first and the last change
 * counts as changed: time and memory grow with the square of the number of
 * changes. */
#define CHANGES_MAX 1500

struct piece {
	const char *text;
	size_t len;
};

struct pieces {
	struct piece *list;
	size_t count;
};

/* The steps, in order, that turn one list of pieces into another. */
struct script {
	enum textdiff_change *steps;
	size_t count;
};

static bool
same(const struct piece *a, const struct piece *b)
{
	return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

static void
step(struct script *s, enum textdiff_change change, size_t times)
{
	while (times-- > 0)
		s->steps[s->count++] = change;
}

/* Myers, "An O(ND) Difference Algorithm": rows[d][i] is the number of pieces of
 * `a` after the farthest way with d changes, of which i are removals. If that
 * number is x, the way has x - 2 i + d pieces of `b` after it. */
struct search {
	struct arena *arena;
	const struct piece *a, *b;
	size_t a_count, b_count;
	size_t **rows;
};

/* Returns whether the last change of the farthest way adds a piece of `b`, and
 * does not remove one of `a`. */
static bool
adds_last(const struct search *s, size_t d, size_t i)
{
	const size_t *before = s->rows[d - 1];

	if (i == 0 || i == d)
		return i == 0;
	return before[i - 1] < before[i];
}

/* Returns the place in `a` that this change reaches, before equal pieces follow. */
static size_t
behind(const struct search *s, size_t d, size_t i)
{
	if (d == 0)
		return 0;
	return adds_last(s, d, i) ? s->rows[d - 1][i] : s->rows[d - 1][i - 1] + 1;
}

/* Fills a row. Returns true if it reaches the end of both lists. */
static bool
fill_row(struct search *s, size_t d)
{
	s->rows[d] = arena_array(s->arena, d + 1, sizeof(size_t));
	for (size_t i = 0; i <= d; i++) {
		size_t x = behind(s, d, i), y = x + d - 2 * i;
		while (x < s->a_count && y < s->b_count && same(&s->a[x], &s->b[y])) {
			x++;
			y++;
		}
		s->rows[d][i] = x;
		if (x == s->a_count && y == s->b_count)
			return true;
	}
	return false;
}

/* Walks back from the end, so that the last step is found first. */
static void
walk_back(const struct search *s, size_t d, struct script *out)
{
	size_t x = s->a_count, i = (s->a_count + d - s->b_count) / 2;

	for (;;) {
		size_t from = behind(s, d, i);
		step(out, TEXTDIFF_KEPT, x - from);
		if (d == 0)
			return;
		if (adds_last(s, d, i)) {
			step(out, TEXTDIFF_ADDED, 1);
			x = from;
		} else {
			step(out, TEXTDIFF_REMOVED, 1);
			x = from - 1;
			i--;
		}
		d--;
	}
}

static void
reverse(enum textdiff_change *steps, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		enum textdiff_change kept = steps[i];
		steps[i] = steps[count - 1 - i];
		steps[count - 1 - i] = kept;
	}
}

static void
search(struct search *s, struct script *out)
{
	size_t all = s->a_count + s->b_count, begin = out->count;
	size_t max = all < CHANGES_MAX ? all : CHANGES_MAX;

	s->rows = arena_array(s->arena, max + 1, sizeof(*s->rows));
	for (size_t d = 0; d <= max; d++) {
		if (!fill_row(s, d))
			continue;
		walk_back(s, d, out);
		reverse(out->steps + begin, out->count - begin);
		return;
	}
	step(out, TEXTDIFF_REMOVED, s->a_count);
	step(out, TEXTDIFF_ADDED, s->b_count);
}

static struct script
compare(struct arena *arena, const struct pieces *a, const struct pieces *b)
{
	size_t least = a->count < b->count ? a->count : b->count;
	size_t head = 0, tail = 0;
	struct script out = { arena_array(arena, a->count + b->count + 1, sizeof(*out.steps)), 0 };
	struct search s = { .arena = arena };

	while (head < least && same(&a->list[head], &b->list[head]))
		head++;
	while (tail < least - head &&
	       same(&a->list[a->count - 1 - tail], &b->list[b->count - 1 - tail]))
		tail++;
	s.a = a->list + head;
	s.b = b->list + head;
	s.a_count = a->count - head - tail;
	s.b_count = b->count - head - tail;
	step(&out, TEXTDIFF_KEPT, head);
	search(&s, &out);
	step(&out, TEXTDIFF_KEPT, tail);
	return out;
}

static struct pieces
lines_of(struct arena *arena, const char *text)
{
	struct pieces out = { arena_array(arena, strlen(text) + 1, sizeof(*out.list)), 0 };

	while (*text != '\0') {
		size_t len = strcspn(text, "\n");
		out.list[out.count++] = (struct piece) { text, len };
		text += len + (text[len] == '\n');
	}
	return out;
}

/* Returns the words, without the spaces between them. */
static struct pieces
words_of(struct arena *arena, const char *text)
{
	struct pieces out = { arena_array(arena, strlen(text) + 1, sizeof(*out.list)), 0 };

	while (*text != '\0') {
		size_t len = strcspn(text, " ");
		out.list[out.count++] = (struct piece) { text, len };
		text += len + strspn(text + len, " ");
	}
	return out;
}

/* Returns whether the line at this step is shown: it changed, or it is at most
 * `around` lines away from a line that changed. */
static bool
is_shown(const struct script *s, size_t at, size_t around)
{
	size_t from = at > around ? at - around : 0;

	for (size_t i = from; i <= at + around && i < s->count; i++) {
		if (s->steps[i] != TEXTDIFF_KEPT)
			return true;
	}
	return false;
}

void
textdiff_make(
    struct arena *arena, const char *from, const char *to, size_t around, struct textdiff *out)
{
	struct pieces a = lines_of(arena, from), b = lines_of(arena, to);
	struct script s = compare(arena, &a, &b);
	size_t x = 0, y = 0, hunk = 0;
	bool apart = false;

	out->lines = arena_array(arena, s.count + 1, sizeof(*out->lines));
	out->count = 0;
	for (size_t i = 0; i < s.count; i++) {
		const struct piece *piece = s.steps[i] == TEXTDIFF_ADDED ? &b.list[y] : &a.list[x];
		x += s.steps[i] != TEXTDIFF_ADDED;
		y += s.steps[i] != TEXTDIFF_REMOVED;
		if (!is_shown(&s, i, around)) {
			apart = out->count > 0;
			continue;
		}
		hunk += apart;
		apart = false;
		out->lines[out->count++] = (struct textdiff_line) { s.steps[i],
			arena_text_n(arena, piece->text, piece->len), hunk };
	}
}

/* Adds what is between two words: the end of a mark, a space, the beginning of a
 * mark. Removed words and the words that replace them are side by side. */
static void
between(struct buf *out, enum textdiff_change last, enum textdiff_change next)
{
	static const char *const begin[] = { "", "[-", "{+" };
	static const char *const end[] = { "", "-]", "+}" };

	if (last != next)
		buf_add_text(out, end[last]);
	if (out->len > 0 && (last != TEXTDIFF_REMOVED || next != TEXTDIFF_ADDED))
		buf_add_char(out, ' ');
	if (last != next)
		buf_add_text(out, begin[next]);
}

const char *
textdiff_words(struct arena *arena, const char *from, const char *to)
{
	size_t from_len = strlen(from), to_len = strlen(to), kept = 0;
	size_t longer = from_len > to_len ? from_len : to_len;
	struct pieces a = words_of(arena, from), b = words_of(arena, to);
	struct script s = compare(arena, &a, &b);
	enum textdiff_change last = TEXTDIFF_KEPT;
	const struct piece *x = a.list, *y = b.list;
	struct buf out;

	buf_init(&out, arena, 6 * (from_len + to_len) + 64);
	for (size_t i = 0; i < s.count; i++) {
		const struct piece *piece = s.steps[i] == TEXTDIFF_ADDED ? y : x;
		x += s.steps[i] != TEXTDIFF_ADDED;
		y += s.steps[i] != TEXTDIFF_REMOVED;
		kept += s.steps[i] == TEXTDIFF_KEPT ? piece->len : 0;
		between(&out, last, s.steps[i]);
		buf_add(&out, piece->text, piece->len);
		last = s.steps[i];
	}
	if (last != TEXTDIFF_KEPT)
		buf_add_text(&out, last == TEXTDIFF_ADDED ? "+}" : "-]");
	return 2 * kept < longer ? NULL : buf_done(&out);
}
