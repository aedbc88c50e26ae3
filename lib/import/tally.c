#include "import/tally.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"

/* Returns the place behind "line 3: " or "lines 3, 4 and 7 more: ". */
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
compare(const void *a, const void *b)
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
		qsort(t->kinds, t->count, sizeof(*t->kinds), compare);
}
