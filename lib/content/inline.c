#include "content/inline.h"

#include <string.h>

#include "base/arena.h"
#include "content/inline-parser.h"
#include "content/url.h"

#define NESTING_MAX 32 /* levels of parentheses in an address */
#define CITE_MAX 64

struct piece *
inline_piece(struct parser *ps, enum piece_kind kind, const char *text, size_t len)
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

void
inline_literal(struct parser *ps, size_t len)
{
	struct piece *last = ps->count > 0 ? &ps->pieces[ps->count - 1] : NULL;

	if (last != NULL && last->kind == TEXT && last->text + last->len == ps->p)
		last->len += len;
	else
		inline_piece(ps, TEXT, ps->p, len);
	ps->p += len;
}

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
	inline_piece(ps, CODE, from, (size_t)(to - from));
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
		inline_literal(ps, n);
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
	inline_piece(ps, CITE, id, (size_t)(p - id));
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
	inline_piece(ps, BRACKET, ps->p, 1);
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

/* Returns the clean address of "(address)" at *p, and moves *p behind it. Returns
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

/* Reads "]". With an open bracket before it and an address behind it, the text
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
		inline_literal(ps, 1);
		return;
	}
	inline_stars_pair(ps, bracket->last_run);
	open = &ps->pieces[bracket->piece];
	open->kind = LINK;
	open->text = target;
	open->len = strlen(target);
	inline_piece(ps, LINK_END, ps->p, 0);
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
			inline_literal(ps, 1);
			break;
		case '*':
			inline_stars(ps);
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
			inline_literal(ps, strcspn(ps->p, "\\*`[]"));
		}
	}
	inline_stars_pair(ps, NULL);
}

struct inline_token *
inline_parse(struct arena *a, const char *text, size_t *count)
{
	struct parser ps = { .arena = a, .text = text, .p = text, .end = text + strlen(text) };

	cut(&ps);
	return inline_tokens(&ps, count);
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
