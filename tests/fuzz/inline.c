/* Inline marks: any text becomes tokens, open marks are closed in their order, and
 * escaped text shows as it is. */
#include "base/buf.h"
#include "content/inline.h"
#include "tests/fuzz/fuzz.h"

static void
check_nesting(struct ctx *c, const struct inline_token *tokens, size_t count)
{
	enum inline_event *open = arena_array(c->arena, count + 1, sizeof(*open));
	size_t depth = 0;

	for (size_t i = 0; i < count; i++) {
		switch (tokens[i].event) {
		case INLINE_STRONG:
		case INLINE_EMPHASIS:
		case INLINE_LINK:
			open[depth++] = tokens[i].event;
			break;
		case INLINE_STRONG_END:
		case INLINE_EMPHASIS_END:
		case INLINE_LINK_END:
			MUST(depth > 0 && open[--depth] + 1 == tokens[i].event);
			break;
		default:
			break;
		}
	}
	MUST(depth == 0);
}

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	struct inline_token *tokens;
	struct buf escaped;
	size_t count;

	if (!fuzz_is_text(text, len))
		return;
	tokens = inline_parse(c->arena, text, &count);
	check_nesting(c, tokens, count);
	(void)inline_plain(c->arena, text);
	buf_init(&escaped, c->arena, 4 * len + 16);
	inline_escape(&escaped, text, len);
	MUST(strcmp(inline_plain(c->arena, buf_done(&escaped)), text) == 0);
}
