#include "content/inline-parser.h"

#include <stdint.h>
#include <string.h>

#include <utf8proc.h>

#include "base/arena.h"
#include "base/utf8.h"

static bool
is_blank(uint32_t cp)
{
	if (cp < 0x80)
		return cp == 0 || cp == ' ' || (cp >= 9 && cp <= 13);
	return utf8proc_category((utf8proc_int32_t)cp) == UTF8PROC_CATEGORY_ZS;
}

static bool
is_punctuation(uint32_t cp)
{
	utf8proc_category_t category;

	if (cp < 0x80)
		return (cp > 0x20 && cp < '0') || (cp > '9' && cp < 'A') ||
		       (cp > 'Z' && cp < 'a') || (cp > 'z' && cp < 0x7F);
	category = utf8proc_category((utf8proc_int32_t)cp);
	return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

/* Returns the code point that ends before `p`, or 0 at the beginning. */
static uint32_t
code_point_before(const struct parser *ps, const char *p)
{
	if (p == ps->text)
		return 0;
	do
		p--;
	while (p > ps->text && ((unsigned char)*p & 0xC0) == 0x80);
	return utf8_next(&p);
}

void
inline_stars(struct parser *ps)
{
	struct run *run = arena_alloc(ps->arena, sizeof(*run));
	size_t len = strspn(ps->p, "*");
	const char *next = ps->p + len;
	uint32_t before = code_point_before(ps, ps->p);
	uint32_t after = utf8_next(&next);
	bool open_left = is_blank(before) || is_punctuation(before);
	bool open_right = is_blank(after) || is_punctuation(after);

	run->at = ps->p;
	run->len = run->whole = len;
	run->can_open = !is_blank(after) && (!is_punctuation(after) || open_left);
	run->can_close = !is_blank(before) && (!is_punctuation(before) || open_right);
	if (!run->can_open && !run->can_close) {
		inline_literal(ps, len);
		return;
	}
	run->ends_tail = &run->ends;
	run->before = ps->last_run;
	if (ps->last_run != NULL)
		ps->last_run->after = run;
	else
		ps->first_run = run;
	ps->last_run = run;
	inline_piece(ps, STARS, ps->p, len)->run = run;
	ps->p += len;
}

static void
run_remove(struct parser *ps, struct run *run)
{
	if (run->before != NULL)
		run->before->after = run->after;
	else
		ps->first_run = run->after;
	if (run->after != NULL)
		run->after->before = run->before;
	else
		ps->last_run = run->before;
}

/* Returns whether two runs may pair, by CommonMark's rules 9 and 10: if one of
 * them may both open and close, the sum of their lengths must not be a multiple
 * of three, unless both lengths are. Runs that cannot open are gone when a later
 * one closes. */
static bool
may_pair(const struct run *opener, const struct run *closer)
{
	if (!opener->can_close && !closer->can_open)
		return true;
	return (opener->whole + closer->whole) % 3 != 0 ||
	       (opener->whole % 3 == 0 && closer->whole % 3 == 0);
}

/* Makes a mark of two runs: strong if both have two stars or more, else emphasis.
 * The stars that are used leave the runs. */
static void
pair(struct parser *ps, struct run *opener, struct run *closer)
{
	struct mark *begin = arena_alloc(ps->arena, sizeof(*begin));
	struct mark *end = arena_alloc(ps->arena, sizeof(*end));
	size_t used = opener->len > 1 && closer->len > 1 ? 2 : 1;

	begin->strong = end->strong = used == 2;
	begin->next = opener->begins;
	opener->begins = begin;
	*closer->ends_tail = end;
	closer->ends_tail = &end->next;
	opener->len -= used;
	closer->len -= used;
	opener->after = closer;
	closer->before = opener;
	if (opener->len == 0)
		run_remove(ps, opener);
}

void
inline_stars_pair(struct parser *ps, struct run *bottom)
{
	const char *failed[2][3] = { { NULL } };
	struct run *closer = bottom != NULL ? bottom->after : ps->first_run;

	while (closer != NULL) {
		const char **floor = &failed[closer->can_open ? 1 : 0][closer->whole % 3];
		struct run *opener = closer->before, *next = closer->after;
		if (!closer->can_close) {
			closer = next;
			continue;
		}
		while (opener != bottom && opener != NULL &&
		       (*floor == NULL || opener->at > *floor) && !may_pair(opener, closer))
			opener = opener->before;
		if (opener != bottom && opener != NULL && (*floor == NULL || opener->at > *floor)) {
			pair(ps, opener, closer);
			if (closer->len > 0)
				continue;
			run_remove(ps, closer);
		} else {
			if (closer->before != NULL)
				*floor = closer->before->at;
			if (!closer->can_open)
				run_remove(ps, closer);
		}
		closer = next;
	}
	ps->last_run = bottom;
	if (bottom != NULL)
		bottom->after = NULL;
	else
		ps->first_run = NULL;
}
