#include "content/inline.h"

#include <stdint.h>
#include <string.h>
#include <utf8proc.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "content/url.h"

/*
 * Two passes, as CommonMark's appendix describes them: the text is cut into
 * pieces, links being decided at their "]"; runs of asterisks are paired when
 * a link, or the whole text, ends. What makes it linear: the last place of
 * every length of backtick run is known, addresses nest a fixed number of
 * parentheses, and a search for an opening run never passes the place where
 * one of its kind failed before.
 */

/* One end of a pair of marks, in the list of the run that gave it. */
struct mark {
	bool strong;
	struct mark *next;
};

/*
 * A run of asterisks. The pairs that it ends are on its left, those that it begins on its
 * right. Asterisks that are not used up are between them, as text.
 */
struct run {
	const char *at;
	size_t len; /* asterisks not used up */
	size_t whole; /* asterisks at first */
	bool can_open, can_close;
	struct mark *ends, **ends_tail; /* innermost first */
	struct mark *begins; /* outermost first */
	struct run *before, *after; /* among the runs still to be paired */
};

enum piece_kind { TEXT, CODE, CITE, STARS, BRACKET, LINK, LINK_END };

struct piece {
	enum piece_kind kind;
	const char *text; /* in the source; of a link: the clean address */
	size_t len;
	struct run *run; /* of STARS */
};

/* A "[" that may begin a link. */
struct bracket {
	size_t piece;
	struct run *last_run; /* the newest run when it was met, or NULL */
	struct bracket *below;
};

struct parser {
	struct arena *arena;
	const char *text, *end, *p;
	struct piece *pieces;
	size_t count, cap;
	struct run *first_run, *last_run;
	struct bracket *brackets; /* the newest first */
	const char **ticks; /* [n]: the last run of n backticks; NULL at first */
	size_t ticks_max;
};

/* Adds a piece. It may move when the next one is added. */
static struct piece *
piece_add(struct parser *ps, enum piece_kind kind, const char *text, size_t len)
{
	struct piece *piece;

	if (ps->count == ps->cap) {
		size_t cap = ps->cap == 0 ? 16 : ps->cap * 2;
		ps->pieces = arena_grow(
		    ps->arena, ps->pieces, ps->cap * sizeof(*piece), cap * sizeof(*piece));
		ps->cap = cap;
	}
	piece = &ps->pieces[ps->count++];
	piece->kind = kind;
	piece->text = text;
	piece->len = len;
	piece->run = NULL;
	return piece;
}

/* Takes the next `len` bytes as text. */
static void
literal(struct parser *ps, size_t len)
{
	struct piece *last = ps->count > 0 ? &ps->pieces[ps->count - 1] : NULL;

	if (last != NULL && last->kind == TEXT && last->text + last->len == ps->p)
		last->len += len;
	else
		piece_add(ps, TEXT, ps->p, len);
	ps->p += len;
}

/* ---- runs of asterisks */

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

/* Takes the run of asterisks at ps->p. */
static void
add_stars(struct parser *ps)
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
		literal(ps, len);
		return;
	}
	run->ends_tail = &run->ends;
	run->before = ps->last_run;
	if (ps->last_run != NULL)
		ps->last_run->after = run;
	else
		ps->first_run = run;
	ps->last_run = run;
	piece_add(ps, STARS, ps->p, len)->run = run;
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

/* Pairs the runs after `bottom` (NULL: all) and forgets those left over. */
static void
pair_stars(struct parser *ps, struct run *bottom)
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

/* ---- tokens of the pieces */

struct writer {
	struct arena *arena;
	struct inline_token *tokens;
	size_t count, cap;
	char *bytes; /* the place of the next text; the memory has room for the whole
	              * source */
};

static struct inline_token *
token_add(struct writer *w, enum inline_event event)
{
	struct inline_token *token;

	if (w->count == w->cap) {
		size_t cap = w->cap == 0 ? 8 : w->cap * 2;
		w->tokens =
		    arena_grow(w->arena, w->tokens, w->cap * sizeof(*token), cap * sizeof(*token));
		w->cap = cap;
	}
	token = &w->tokens[w->count++];
	token->event = event;
	token->text = w->bytes;
	token->len = 0;
	return token;
}

static void
copy(struct writer *w, struct inline_token *token, const char *text, size_t len)
{
	memcpy(w->bytes, text, len);
	w->bytes += len;
	token->len += len;
}

static void
write_text(struct writer *w, const char *text, size_t len)
{
	struct inline_token *token = NULL;

	if (len == 0)
		return;
	if (w->count > 0 && w->tokens[w->count - 1].event == INLINE_TEXT)
		token = &w->tokens[w->count - 1];
	else
		token = token_add(w, INLINE_TEXT);
	copy(w, token, text, len);
}

/* Adds a code token. Newlines in code become spaces. */
static void
write_code(struct writer *w, const struct piece *piece)
{
	struct inline_token *token = token_add(w, INLINE_CODE);
	char *p = w->bytes;

	copy(w, token, piece->text, piece->len);
	for (; p < w->bytes; p++) {
		if (*p == '\n')
			*p = ' ';
	}
}

static void
write_stars(struct writer *w, const struct run *run)
{
	const struct mark *mark;

	for (mark = run->ends; mark != NULL; mark = mark->next)
		token_add(w, mark->strong ? INLINE_STRONG_END : INLINE_EMPHASIS_END);
	write_text(w, run->at, run->len);
	for (mark = run->begins; mark != NULL; mark = mark->next)
		token_add(w, mark->strong ? INLINE_STRONG : INLINE_EMPHASIS);
}

static void
write_piece(struct writer *w, const struct piece *piece)
{
	struct inline_token *token;

	switch (piece->kind) {
	case TEXT:
	case BRACKET:
		write_text(w, piece->text, piece->len);
		break;
	case CODE:
		write_code(w, piece);
		break;
	case CITE:
		token = token_add(w, INLINE_CITE);
		copy(w, token, piece->text, piece->len);
		break;
	case STARS:
		write_stars(w, piece->run);
		break;
	case LINK:
		token = token_add(w, INLINE_LINK);
		token->text = piece->text;
		token->len = piece->len;
		break;
	case LINK_END:
		token_add(w, INLINE_LINK_END);
		break;
	}
}

/* Returns the tokens of all pieces. */
static struct inline_token *
tokens_of(const struct parser *ps, size_t *count)
{
	struct writer w = { .arena = ps->arena };

	w.bytes = arena_alloc(ps->arena, (size_t)(ps->end - ps->text) + 1);
	for (size_t i = 0; i < ps->count; i++)
		write_piece(&w, &ps->pieces[i]);
	*count = w.count;
	return w.tokens;
}

/* ---- the text is cut into pieces */

#define NESTING_MAX 32 /* levels of parentheses in an address */
#define CITE_MAX 64

static size_t
ticks_length(const char *p)
{
	const char *from = p;

	while (*p == '`')
		p++;
	return (size_t)(p - from);
}

static void
ticks_find(struct parser *ps)
{
	const char *p;
	size_t n;

	for (p = ps->p; p < ps->end; p += n + 1) {
		n = ticks_length(p);
		if (n > ps->ticks_max)
			ps->ticks_max = n;
	}
	ps->ticks = arena_array(ps->arena, ps->ticks_max + 1, sizeof(*ps->ticks));
	for (p = ps->p; p < ps->end; p += n + 1) {
		n = ticks_length(p);
		ps->ticks[n] = p;
	}
}

/* Returns the first run of exactly `n` backticks from `p` on. The caller knows
 * that there is one. */
static const char *
ticks_next(const struct parser *ps, const char *p, size_t n)
{
	size_t len;

	for (;; p += len) {
		p = memchr(p, '`', (size_t)(ps->end - p));
		len = ticks_length(p);
		if (len == n)
			return p;
	}
}

static bool
is_space(char byte)
{
	return byte == ' ' || byte == '\n';
}

/* Adds code. If it has a space at each end and is not only spaces, one space at
 * each end belongs to the mark: so code can begin and end with a backtick. */
static void
code_add(struct parser *ps, const char *from, const char *to)
{
	const char *p = from;

	while (p < to && is_space(*p))
		p++;
	if (p < to && is_space(*from) && is_space(to[-1])) {
		from++;
		to--;
	}
	piece_add(ps, CODE, from, (size_t)(to - from));
}

/* Reads backticks. A later run of the same length ends the code; without one the
 * backticks are text. */
static void
code(struct parser *ps)
{
	size_t n = ticks_length(ps->p);
	const char *close;

	if (ps->ticks == NULL)
		ticks_find(ps);
	if (n > ps->ticks_max || ps->ticks[n] == NULL || ps->ticks[n] <= ps->p) {
		literal(ps, n);
		return;
	}
	close = ticks_next(ps, ps->p + n, n);
	code_add(ps, ps->p + n, close);
	ps->p = close + n;
}

static bool
is_id(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') ||
	       ch == '-';
}

/* Reads "[^id]" as a citation. Returns false if the text is something else. */
static bool
cite(struct parser *ps)
{
	const char *id = ps->p + 2, *p = id;

	if (id > ps->end || ps->p[1] != '^')
		return false;
	while (p < ps->end && is_id(*p) && p - id < CITE_MAX)
		p++;
	if (p == id || p == ps->end || *p != ']')
		return false;
	piece_add(ps, CITE, id, (size_t)(p - id));
	/* A citation is a link, and links do not nest: brackets that are open can
	 * make no link around it. */
	ps->brackets = NULL;
	ps->p = p + 1;
	return true;
}

static void
bracket_open(struct parser *ps)
{
	struct bracket *bracket;

	if (cite(ps))
		return;
	bracket = arena_alloc(ps->arena, sizeof(*bracket));
	bracket->piece = ps->count;
	bracket->last_run = ps->last_run;
	bracket->below = ps->brackets;
	ps->brackets = bracket;
	piece_add(ps, BRACKET, ps->p, 1);
	ps->p++;
}

/* Returns the ")" that ends the address at `p`, or NULL. */
static const char *
address_end(const struct parser *ps, const char *p)
{
	int depth = 1;

	for (; p < ps->end && (unsigned char)*p > ' '; p++) {
		if (*p == '\\' && p + 1 < ps->end)
			p++;
		else if (*p == '(' && ++depth > NESTING_MAX)
			return NULL;
		else if (*p == ')' && --depth == 0)
			return p;
	}
	return NULL;
}

/* Returns the clean address of "(address)" at *p, and moves *p past it. Returns
 * NULL if none is there, or if url_clean() refuses it. */
static const char *
address(const struct parser *ps, const char **p)
{
	const char *from = *p + 1, *to;
	struct buf plain;

	if (*p >= ps->end || **p != '(')
		return NULL;
	to = address_end(ps, from);
	if (to == NULL)
		return NULL;
	*p = to + 1;
	if (memchr(from, '\\', (size_t)(to - from)) == NULL)
		return url_clean(ps->arena, from, (size_t)(to - from));
	buf_init(&plain, ps->arena, (size_t)(to - from));
	for (; from < to; from++) {
		if (*from == '\\')
			from++;
		buf_add_char(&plain, *from);
	}
	return url_clean(ps->arena, plain.data, plain.len);
}

/* Reads "]". With an open bracket before it and an address after it, the text
 * between is a link; else the bracket is text. */
static void
bracket_close(struct parser *ps)
{
	struct bracket *bracket = ps->brackets;
	const char *after = ps->p + 1;
	const char *target = NULL;
	struct piece *open;

	if (bracket != NULL) {
		ps->brackets = bracket->below;
		target = address(ps, &after);
	}
	if (target == NULL) {
		literal(ps, 1);
		return;
	}
	pair_stars(ps, bracket->last_run);
	open = &ps->pieces[bracket->piece];
	open->kind = LINK;
	open->text = target;
	open->len = strlen(target);
	piece_add(ps, LINK_END, ps->p, 0);
	ps->brackets = NULL;
	ps->p = after;
}

static void
cut(struct parser *ps)
{
	while (ps->p < ps->end) {
		switch (*ps->p) {
		case '\\':
			if (ps->p + 1 < ps->end)
				ps->p++;
			literal(ps, 1);
			break;
		case '*':
			add_stars(ps);
			break;
		case '`':
			code(ps);
			break;
		case '[':
			bracket_open(ps);
			break;
		case ']':
			bracket_close(ps);
			break;
		default:
			literal(ps, strcspn(ps->p, "\\*`[]"));
		}
	}
	pair_stars(ps, NULL);
}

struct inline_token *
inline_parse(struct arena *a, const char *text, size_t *count)
{
	struct parser ps = { .arena = a, .text = text, .p = text, .end = text + strlen(text) };

	cut(&ps);
	return tokens_of(&ps, count);
}

const char *
inline_plain(struct arena *a, const char *text)
{
	size_t count;
	struct inline_token *tokens;
	struct buf out;

	if (strpbrk(text, "\\*`[") == NULL)
		return text;
	tokens = inline_parse(a, text, &count);
	buf_init(&out, a, strlen(text));
	for (size_t i = 0; i < count; i++) {
		if (tokens[i].event == INLINE_TEXT || tokens[i].event == INLINE_CODE)
			buf_add(&out, tokens[i].text, tokens[i].len);
	}
	return buf_done(&out);
}

void
inline_escape(struct buf *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] != '\0' && strchr("\\*`[]", text[i]) != NULL)
			buf_add_char(out, '\\');
		buf_add_char(out, text[i]);
	}
}

void
inline_escape_code(struct buf *out, const char *code, size_t len)
{
	size_t longest = 0, run = 0;
	bool empty = true, pad;

	if (len == 0)
		return;
	for (size_t i = 0; i < len; i++) {
		run = code[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
		empty = empty && is_space(code[i]);
	}
	pad = code[0] == '`' || code[len - 1] == '`' ||
	      (!empty && is_space(code[0]) && is_space(code[len - 1]));
	for (size_t i = 0; i <= longest; i++)
		buf_add_char(out, '`');
	if (pad)
		buf_add_char(out, ' ');
	buf_add(out, code, len);
	if (pad)
		buf_add_char(out, ' ');
	for (size_t i = 0; i <= longest; i++)
		buf_add_char(out, '`');
}

void
inline_escape_address(struct buf *out, const char *address)
{
	for (; *address != '\0'; address++) {
		if (*address == '(' || *address == ')' || *address == '\\')
			buf_add_char(out, '\\');
		buf_add_char(out, *address);
	}
}
