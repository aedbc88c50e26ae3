#include "import/html/pieces.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"

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

/* Moves *i behind `len` bytes of one text, which may be in several tokens.
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
