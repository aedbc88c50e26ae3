#include "import/losses.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/utf8.h"

/* ---- notes */

static void
add_note(struct notes *n, const char *line)
{
	/* The array doubles at powers of two. */
	if ((n->count & (n->count - 1)) == 0)
		n->lines = arena_grow(n->c->arena, n->lines, n->count * sizeof(*n->lines),
		    (n->count > 0 ? 2 * n->count : 1) * sizeof(*n->lines));
	n->lines[n->count++] = line;
}

void
notes_add(struct notes *n, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_note(n, arena_vprintf(n->c->arena, format, args));
	va_end(args);
}

void
notes_add_hint(struct notes *n, enum hint hint, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_note(n, hint_say(n->c, arena_vprintf(n->c->arena, format, args), hint, NULL));
	va_end(args);
}

/* ---- losses */

#define LOOKED_AT 256 /* an equal loss is looked for among so many of the newest */

/* Returns the loss with this text, or a new one: equal losses of several lines
 * are told together. */
static struct loss *
find(struct losses *l, const char *text)
{
	struct loss *loss;
	size_t oldest = l->count > LOOKED_AT ? l->count - LOOKED_AT : 0;

	for (size_t i = l->count; i > oldest; i--) {
		if (strcmp(l->list[i - 1].text, text) == 0)
			return &l->list[i - 1];
	}
	if (l->count == l->cap) {
		size_t cap = l->cap == 0 ? 16 : l->cap * 2;
		l->list = arena_grow(
		    l->c->arena, l->list, l->cap * sizeof(*l->list), cap * sizeof(*l->list));
		l->cap = cap;
	}
	loss = &l->list[l->count];
	memset(loss, 0, sizeof(*loss));
	loss->text = text;
	loss->order = l->count++;
	return loss;
}

void
losses_add(struct losses *l, unsigned line, const char *format, ...)
{
	struct loss *loss;
	va_list args;

	va_start(args, format);
	loss = find(l, arena_vprintf(l->c->arena, tr_for(l->c, format), args));
	va_end(args);
	if (loss->count > 0 && loss->count <= LOSSES_LINES && loss->lines[loss->count - 1] == line)
		return;
	if (loss->count < LOSSES_LINES)
		loss->lines[loss->count] = line;
	loss->count++;
}

static int
by_line(const void *a, const void *b)
{
	const struct loss *x = a, *y = b;

	/* Losses without a line come last. */
	if (x->lines[0] != y->lines[0])
		return x->lines[0] - 1 < y->lines[0] - 1 ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* Writes "line 3: ", or "lines 3, 4 and 7 more: " with the first lines only. */
static void
add_lines(struct buf *out, const struct loss *loss)
{
	size_t named = loss->count < LOSSES_LINES ? loss->count : LOSSES_LINES;

	buf_add_text(out, loss->count > 1 ? "lines " : "line ");
	for (size_t i = 0; i < named; i++) {
		if (i > 0)
			buf_add_text(out, i + 1 == loss->count ? " and " : ", ");
		buf_printf(out, "%u", loss->lines[i]);
	}
	if (loss->count > named)
		buf_printf(out, " and %zu more", loss->count - named);
	buf_lit(out, ": ");
}

/* Puts the losses in the order of their first lines; those without a line come last. */
static void
losses_sort(struct losses *l)
{
	if (l->count > 1)
		qsort(l->list, l->count, sizeof(*l->list), by_line);
}

void
losses_report(struct losses *l, struct notes *notes)
{
	struct buf out;

	losses_sort(l);
	for (size_t i = 0; i < l->count; i++) {
		const struct loss *loss = &l->list[i];
		buf_init(&out, l->c->arena, strlen(loss->text) + 200);
		if (loss->lines[0] > 0)
			add_lines(&out, loss);
		buf_printf(&out, "%s.", loss->text);
		notes_add(notes, "%s", out.data);
	}
}

const char *
losses_excerpt(struct ctx *c, const char *text, size_t max)
{
	size_t len = utf8_prefix(text, max);
	char *excerpt =
	    arena_printf(c->arena, "%.*s%s", (int)len, text, text[len] == '\0' ? "" : "…");

	for (char *p = excerpt; *p != '\0'; p++) {
		if (*p == '\n' || *p == '\t')
			*p = ' ';
	}
	return excerpt;
}

/* ---- kinds of notes, counted */

/* Returns the place after "line 3: " or "lines 3, 4 and 7 more: ". */
static const char *
behind_lines(const char *note)
{
	const char *p = note;

	if (strncmp(p, "line ", 5) != 0 && strncmp(p, "lines ", 6) != 0)
		return note;
	p += strcspn(p, " ");
	p += strspn(p, " ,0123456789");
	if (strncmp(p, "and ", 4) == 0)
		p += 4 + strspn(p + 4, " 0123456789");
	if (strncmp(p, "more", 4) == 0)
		p += 4;
	return strncmp(p, ": ", 2) == 0 ? p + 2 : note;
}

const char *
tally_kind_of(struct arena *a, const char *note)
{
	const char *p = behind_lines(note), *close;
	struct buf out;

	buf_init(&out, a, 2 * strlen(note) + 16);
	while (*p != '\0') {
		if (*p == '"' && (close = strchr(p + 1, '"')) != NULL) {
			buf_lit(&out, "\"…\"");
			p = close + 1;
		} else if (strncmp(p, "http://", 7) == 0 || strncmp(p, "https://", 8) == 0) {
			buf_lit(&out, "…");
			p += strcspn(p, " ");
		} else if (isdigit((unsigned char)*p) &&
			   (p == note || strchr(" [(#", p[-1]) != NULL)) {
			buf_lit(&out, "…");
			p += strspn(p, "0123456789");
		} else {
			buf_add_char(&out, *p++);
		}
	}
	while (out.len > 0 && out.data[out.len - 1] == '.')
		out.data[--out.len] = '\0';
	return out.data;
}

void
tally_add(struct tally *t, const char *text)
{
	for (size_t i = 0; i < t->count; i++) {
		if (strcmp(t->kinds[i].text, text) == 0) {
			t->kinds[i].count++;
			return;
		}
	}
	if (t->count == t->cap) {
		size_t cap = t->cap == 0 ? 32 : 2 * t->cap;
		t->kinds = arena_grow(
		    t->arena, t->kinds, t->cap * sizeof(*t->kinds), cap * sizeof(*t->kinds));
		t->cap = cap;
	}
	t->kinds[t->count++] = (struct tally_kind) { arena_text(t->arena, text), 1 };
}

void
tally_note(struct tally *t, const char *note)
{
	struct arena scratch;

	arena_init(&scratch, 64 * strlen(note) + (1 << 20));
	tally_add(t, tally_kind_of(&scratch, note));
	arena_release(&scratch);
}

/* Orders by how often, the most frequent first, then by text. */
static int
by_count(const void *a, const void *b)
{
	const struct tally_kind *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return strcmp(x->text, y->text);
}

void
tally_sort(struct tally *t)
{
	if (t->count > 1)
		qsort(t->kinds, t->count, sizeof(*t->kinds), by_count);
}
