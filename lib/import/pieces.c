#include "import/pieces.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"

/* In a text token it means the end of a paragraph, or the end of a line if no
 * paragraph ends there. */
#define PARAGRAPH '\f'
#define LINE '\v'

/* ---- what is added */

void
pieces_init(struct pieces *pieces, struct ctx *c, struct losses *losses)
{
	memset(pieces, 0, sizeof(*pieces));
	pieces->c = c;
	pieces->losses = losses;
}

/* Adds a token. The room doubles when it is full. */
static struct inline_token *
add(struct pieces *pieces, enum inline_event event, const char *text, size_t len)
{
	struct inline_token *token;

	if (pieces->count == pieces->cap) {
		size_t cap = pieces->cap == 0 ? 16 : pieces->cap * 2;
		pieces->tokens = arena_grow(pieces->c->arena, pieces->tokens,
		    pieces->cap * sizeof(*token), cap * sizeof(*token));
		pieces->cap = cap;
	}
	token = &pieces->tokens[pieces->count++];
	token->event = event;
	token->text = text;
	token->len = len;
	return token;
}

/* Returns a copy without the characters that no text may contain. */
static char *
storable(struct pieces *pieces, const char *text)
{
	char *copy = arena_text(pieces->c->arena, text);

	/* These are spaces in HTML. */
	for (char *p = copy; (p = strpbrk(p, "\f\r")) != NULL;)
		*p = ' ';
	if (utf8_drop_forbidden(copy, false))
		losses_add(pieces->losses, pieces->line,
		    tr_mark(
			"characters that cannot be stored were dropped (controls, bidi overrides)"));
	return copy;
}

void
pieces_text(struct pieces *pieces, const char *text)
{
	char *copy = storable(pieces, text);

	for (char *p = copy; *p != '\0'; p++) {
		if (*p == '\n' || *p == '\t')
			*p = ' ';
	}
	add(pieces, INLINE_TEXT, copy, strlen(copy));
}

void
pieces_code(struct pieces *pieces, const char *code)
{
	char *copy = storable(pieces, code), *to = copy;

	for (const char *p = copy; *p != '\0'; p++) {
		if (*p != '\n') {
			*to++ = *p == '\t' ? ' ' : *p;
			continue;
		}
		while (to > copy && to[-1] == ' ')
			to--;
		p += strspn(p, " \t\n") - 1;
		if (to > copy && p[1] != '\0')
			*to++ = ' ';
	}
	*to = '\0';
	if (to > copy)
		add(pieces, INLINE_CODE, copy, (size_t)(to - copy));
}

void
pieces_cite(struct pieces *pieces, const char *id)
{
	add(pieces, INLINE_CITE, id, strlen(id));
}

void
pieces_break(struct pieces *pieces)
{
	add(pieces, INLINE_TEXT, "\n", 1);
}

void
pieces_line(struct pieces *pieces)
{
	add(pieces, INLINE_TEXT, "\v", 1);
}

void
pieces_paragraph(struct pieces *pieces)
{
	add(pieces, INLINE_TEXT, "\f", 1);
}

void
pieces_open(struct pieces *pieces, enum inline_event event, const char *address)
{
	if (event == INLINE_LINK)
		pieces->link = true;
	else if ((event == INLINE_STRONG ? pieces->strong++ : pieces->emphasis++) > 0)
		return;
	add(pieces, event, address == NULL ? "" : address, address == NULL ? 0 : strlen(address));
}

void
pieces_close(struct pieces *pieces, enum inline_event event)
{
	if (event == INLINE_LINK_END)
		pieces->link = false;
	else if ((event == INLINE_STRONG_END ? --pieces->strong : --pieces->emphasis) > 0)
		return;
	add(pieces, event, "", 0);
}

/* ---- put in order */

/* The tokens while they are being put in order. */
struct tidy {
	struct pieces *out;
	struct inline_token pending[3]; /* marks that contain nothing yet */
	size_t pending_count;
	struct pieces cites; /* citations inside the open link */
	bool space; /* a space must be written before the next visible text */
	size_t newlines; /* so many newlines must be written before it */
	bool paragraph; /* the newlines end a paragraph */
};

/* Returns whether the last token ends the mark that another one opens. */
static bool
ends(const struct inline_token *last, enum inline_event opening)
{
	return (last->event == INLINE_STRONG_END && opening == INLINE_STRONG) ||
	       (last->event == INLINE_EMPHASIS_END && opening == INLINE_EMPHASIS);
}

/* Adds what must precede something visible: spaces, then marks. Where a mark ends
 * and the same mark begins again, the first one continues. */
static void
tidy_due(struct tidy *t)
{
	struct pieces *out = t->out;
	size_t i = 0;

	if (out->count > 0 && t->newlines > 0) {
		char *breaks = arena_alloc(out->c->arena, t->newlines + 1);
		memset(breaks, '\n', t->newlines);
		add(out, INLINE_TEXT, breaks, t->newlines);
	} else if (out->count > 0 && t->space) {
		add(out, INLINE_TEXT, " ", 1);
	} else if (out->count > 0 && t->pending_count > 0 &&
		   ends(&out->tokens[out->count - 1], t->pending[0].event)) {
		out->count--;
		i = 1;
	}
	t->space = t->paragraph = false;
	t->newlines = 0;
	for (; i < t->pending_count; i++)
		add(out, t->pending[i].event, t->pending[i].text, t->pending[i].len);
	t->pending_count = 0;
}

/* Adds a text. Spaces wait until something visible follows. Newlines replace
 * spaces, and the end of a paragraph replaces the ends of lines around it. */
static void
tidy_text(struct tidy *t, const char *p, const char *end)
{
	while (p < end) {
		const char *from = p;
		while (p < end && *p != ' ' && *p != '\n' && *p != PARAGRAPH && *p != LINE)
			p++;
		if (p > from) {
			tidy_due(t);
			add(t->out, INLINE_TEXT, from, (size_t)(p - from));
		} else if (*p == ' ') {
			t->space = true;
			p++;
		} else {
			/* A line break directly before or after a paragraph's end
			 * shows nothing. */
			if (*p == PARAGRAPH)
				t->newlines = 2;
			else if (!t->paragraph && (*p != LINE || t->newlines == 0))
				t->newlines++;
			t->paragraph = t->paragraph || *p == PARAGRAPH;
			p++;
		}
	}
}

/* Adds a citation or code. Code directly after code is joined to it: backticks
 * cannot touch each other. */
static void
tidy_solid(struct tidy *t, const struct inline_token *token)
{
	struct pieces *out = t->out;
	struct inline_token *last = out->count > 0 ? &out->tokens[out->count - 1] : NULL;

	if (token->event != INLINE_CODE || last == NULL || last->event != INLINE_CODE) {
		add(out, token->event, token->text, token->len);
		return;
	}
	last->text = arena_printf(
	    out->c->arena, "%.*s%.*s", (int)last->len, last->text, (int)token->len, token->text);
	last->len += token->len;
}

/* Ends a mark. A mark without content is dropped; a dropped link is a loss. The
 * citations inside a link follow its end. */
static void
tidy_close(struct tidy *t, enum inline_event event)
{
	if (t->pending_count == 0)
		add(t->out, event, "", 0);
	else if (t->pending[--t->pending_count].event == INLINE_LINK)
		losses_add(t->out->losses, t->out->line,
		    tr_mark("a link without text was dropped: %s"),
		    t->pending[t->pending_count].text);
	if (event != INLINE_LINK_END)
		return;
	for (size_t i = 0; i < t->cites.count; i++) {
		tidy_due(t);
		add(t->out, INLINE_CITE, t->cites.tokens[i].text, t->cites.tokens[i].len);
	}
	t->cites.count = 0;
}

/* Puts the tokens in the order in which inline_parse() would give them. */
static void
tidy(struct pieces *pieces, struct pieces *out)
{
	struct tidy t = { .out = out };
	bool link = false;

	pieces_init(&t.cites, pieces->c, pieces->losses);
	for (size_t i = 0; i < pieces->count; i++) {
		const struct inline_token *token = &pieces->tokens[i];
		switch (token->event) {
		case INLINE_TEXT:
			tidy_text(&t, token->text, token->text + token->len);
			break;
		case INLINE_CITE:
			if (link) {
				pieces_cite(&t.cites, token->text);
				break;
			}
			/* fall through */
		case INLINE_CODE:
			tidy_due(&t);
			tidy_solid(&t, token);
			break;
		case INLINE_STRONG:
		case INLINE_EMPHASIS:
		case INLINE_LINK:
			link = link || token->event == INLINE_LINK;
			t.pending[t.pending_count++] = *token;
			break;
		default:
			link = link && token->event != INLINE_LINK_END;
			tidy_close(&t, token->event);
		}
	}
}

/* "***a***" is read as emphasis around strong text. If two marks hold the same
 * text, their tokens get that order. */
static void
order_marks(struct pieces *out)
{
	struct inline_token *t = out->tokens;
	size_t j;

	for (size_t i = 0; i + 1 < out->count; i++) {
		if (t[i].event != INLINE_STRONG || t[i + 1].event != INLINE_EMPHASIS)
			continue;
		j = i + 2;
		while (j + 1 < out->count && t[j].event != INLINE_EMPHASIS_END)
			j++;
		if (j + 1 == out->count || t[j + 1].event != INLINE_STRONG_END)
			continue;
		t[i].event = INLINE_EMPHASIS;
		t[i + 1].event = INLINE_STRONG;
		t[j].event = INLINE_STRONG_END;
		t[j + 1].event = INLINE_EMPHASIS_END;
	}
}

/* Returns whether the pieces show nothing. Non-breaking spaces (which editors put
 * into empty paragraphs), zero-width spaces and ideographic spaces show nothing. */
static bool
is_blank(const struct pieces *pieces)
{
	for (size_t i = 0; i < pieces->count; i++) {
		const struct inline_token *token = &pieces->tokens[i];
		const char *p = token->text, *end = p + token->len;
		if (token->event == INLINE_CODE || token->event == INLINE_CITE)
			return false;
		while (token->event == INLINE_TEXT && p < end) {
			uint32_t cp = utf8_next(&p);
			if (cp != ' ' && cp != '\n' && cp != 0xA0 && cp != 0x200B && cp != 0x3000)
				return false;
		}
	}
	return true;
}

const char *
pieces_end(struct pieces *pieces)
{
	struct pieces out;
	const char *text = NULL;

	pieces_init(&out, pieces->c, pieces->losses);
	out.line = pieces->line;
	tidy(pieces, &out);
	order_marks(&out);
	if (!is_blank(&out))
		text = pieces_write(pieces->c, pieces->losses, pieces->line, out.tokens, out.count);
	pieces->count = 0;
	return text;
}

/* ---- written, and read back */

enum { TRIES_MAX = 64 };

/* Writes tokens in the marks of inline.h. */
static void
write_tokens(struct buf *out, const struct inline_token *tokens, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct inline_token *token = &tokens[i];
		switch (token->event) {
		case INLINE_TEXT:
			inline_escape(out, token->text, token->len);
			break;
		case INLINE_CODE:
			inline_escape_code(out, token->text, token->len);
			break;
		case INLINE_CITE:
			buf_printf(out, "[^%.*s]", (int)token->len, token->text);
			break;
		case INLINE_STRONG:
		case INLINE_STRONG_END:
			buf_lit(out, "**");
			break;
		case INLINE_EMPHASIS:
		case INLINE_EMPHASIS_END:
			buf_lit(out, "*");
			break;
		case INLINE_LINK:
			buf_lit(out, "[");
			break;
		case INLINE_LINK_END:
			buf_lit(out, "](");
			/* The address is in the token that opened the link. */
			for (size_t j = i; j > 0; j--) {
				if (tokens[j - 1].event == INLINE_LINK) {
					inline_escape_address(out, tokens[j - 1].text);
					break;
				}
			}
			buf_lit(out, ")");
			break;
		}
	}
}

/* Moves *i past `len` bytes of one text, which may be in several tokens.
 * Returns false if the tokens hold another text. */
static bool
same_text(const struct inline_token *tokens, size_t count, size_t *i, const char *text, size_t len)
{
	while (len > 0) {
		const struct inline_token *token = &tokens[*i];
		if (*i >= count || token->event != INLINE_TEXT || token->len > len ||
		    memcmp(token->text, text, token->len) != 0)
			return false;
		text += token->len;
		len -= token->len;
		++*i;
	}
	return true;
}

/* Returns whether reading `text` gives these tokens again. */
static bool
reads_back(struct ctx *c, const char *text, const struct inline_token *tokens, size_t count)
{
	size_t parsed_count, i = 0;
	const struct inline_token *parsed = inline_parse(c->arena, text, &parsed_count);

	for (size_t n = 0; n < parsed_count; n++) {
		if (parsed[n].event == INLINE_TEXT) {
			if (!same_text(tokens, count, &i, parsed[n].text, parsed[n].len))
				return false;
		} else if (i >= count || tokens[i].event != parsed[n].event ||
			   tokens[i].len != parsed[n].len ||
			   memcmp(tokens[i].text, parsed[n].text, parsed[n].len) != 0) {
			return false;
		} else {
			i++;
		}
	}
	return i == count;
}

/* Returns the text of the tokens, in the arena. */
static const char *
text_of(struct ctx *c, const struct inline_token *tokens, size_t count)
{
	struct buf out;
	size_t size = 64;

	for (size_t i = 0; i < count; i++)
		size += 4 * tokens[i].len + 8;
	buf_init(&out, c->arena, size);
	write_tokens(&out, tokens, count);
	return buf_done(&out);
}

/* Returns `tokens` without the pair that opens at `at`; with `all`, without all
 * pairs of strong and emphasised text. */
static size_t
without(
    const struct inline_token *tokens, size_t count, size_t at, bool all, struct inline_token *out)
{
	enum inline_event open = tokens[at].event;
	enum inline_event end = open == INLINE_STRONG ? INLINE_STRONG_END : INLINE_EMPHASIS_END;
	bool ended = false;
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		bool mark =
		    tokens[i].event == INLINE_STRONG || tokens[i].event == INLINE_STRONG_END ||
		    tokens[i].event == INLINE_EMPHASIS || tokens[i].event == INLINE_EMPHASIS_END;
		if (all ? mark : i == at)
			continue;
		if (!all && i > at && !ended && tokens[i].event == end) {
			ended = true;
			continue;
		}
		out[n++] = tokens[i];
	}
	return n;
}

/* Writes the text with fewer marks (a loss): CommonMark's flanking rules do not
 * allow every mark in every place. Drops one mark if that is enough, else all of
 * them, so that the rest is read back unchanged. */
static const char *
with_fewer_marks(struct ctx *c, struct losses *losses, unsigned line,
    const struct inline_token *tokens, size_t count)
{
	struct inline_token *fewer = arena_array(c->arena, count + 1, sizeof(*fewer));
	size_t tries = 0, n;
	const char *text;

	losses_add(losses, line,
	    tr_mark(
		"strong or emphasised text that begins or ends with punctuation inside a word could not stay so; the text was kept"));
	for (size_t i = 0; i < count && tries < TRIES_MAX; i++) {
		if (tokens[i].event != INLINE_STRONG && tokens[i].event != INLINE_EMPHASIS)
			continue;
		tries++;
		n = without(tokens, count, i, false, fewer);
		text = text_of(c, fewer, n);
		if (reads_back(c, text, fewer, n))
			return text;
	}
	n = without(tokens, count, 0, true, fewer);
	return text_of(c, fewer, n);
}

const char *
pieces_write(struct ctx *c, struct losses *losses, unsigned line, const struct inline_token *tokens,
    size_t count)
{
	const char *text = text_of(c, tokens, count);

	if (reads_back(c, text, tokens, count))
		return text;
	return with_fewer_marks(c, losses, line, tokens, count);
}
