#include "content/inline-parser.h"
#include "content/inline.h"

#include <string.h>

#include "base/arena.h"

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

struct inline_token *
inline_tokens(const struct parser *ps, size_t *count)
{
	struct writer w = { .arena = ps->arena };

	w.bytes = arena_alloc(ps->arena, (size_t)(ps->end - ps->text) + 1);
	for (size_t i = 0; i < ps->count; i++)
		write_piece(&w, &ps->pieces[i]);
	*count = w.count;
	return w.tokens;
}
