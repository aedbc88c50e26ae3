#include "provider/outline/title.h"

#include <string.h>

#include <utf8proc.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"

enum {
	TITLE_MAX = 110,
	SENTENCE_MIN = 15 /* code points of a sentence: "Dr." is too short */
};

bool
title_is_blank(const char *text)
{
	while (*text != '\0') {
		switch (utf8proc_category((utf8proc_int32_t)utf8_next(&text))) {
		case UTF8PROC_CATEGORY_ZS:
		case UTF8PROC_CATEGORY_ZL:
		case UTF8PROC_CATEGORY_ZP:
		case UTF8PROC_CATEGORY_CC:
		case UTF8PROC_CATEGORY_CF:
		case UTF8PROC_CATEGORY_MN:
		case UTF8PROC_CATEGORY_ME:
		case UTF8PROC_CATEGORY_CN:
			break;
		default:
			return false;
		}
	}
	return true;
}

bool
title_is_question(const char *text)
{
	uint32_t last = 0;

	while (*text != '\0')
		last = utf8_next(&text);
	return last == '?' || last == 0xFF1F || last == 0x061F;
}

/* Returns whether a text may be cut between two code points. */
static bool
may_cut(uint32_t before, uint32_t after)
{
	utf8proc_category_t kind = utf8proc_category((utf8proc_int32_t)after);

	return before != 0x200D && after != 0x200D && kind != UTF8PROC_CATEGORY_MN &&
	       kind != UTF8PROC_CATEGORY_MC && kind != UTF8PROC_CATEGORY_ME &&
	       !(after >= 0x1F3FB && after <= 0x1F3FF);
}

static bool
is_trailing(char byte)
{
	return strchr(" ,;:-.", byte) != NULL;
}

const char *
title_cut(struct ctx *c, const char *text, size_t max)
{
	const char *p = text;
	size_t at = 0, space = 0, count = 1;
	uint32_t before = 0;

	if (utf8_length(text) <= max)
		return text;
	for (; count <= max; count++) {
		const char *here = p;
		uint32_t cp = utf8_next(&p);
		if (cp == ' ' && count > max / 2)
			space = (size_t)(here - text);
		if (may_cut(before, cp))
			at = (size_t)(here - text);
		before = cp;
	}
	if (space > 0)
		at = space;
	while (at > 0 && is_trailing(text[at - 1]))
		at--;
	return arena_printf(c->arena, "%.*s…", (int)at, text);
}

/* Returns whether a mark ends a sentence. Some marks do so only before a space,
 * some everywhere. */
static bool
ends_sentence(uint32_t cp, char next)
{
	switch (cp) {
	case 0x3002: /* ideographic full stop */
	case 0xFF01: /* full-width exclamation and question mark */
	case 0xFF1F:
	case 0x0964: /* danda */
		return true;
	case '.':
	case '!':
	case '?':
	case 0x061F: /* Arabic question mark */
		return next == ' ' || next == '\0';
	default:
		return false;
	}
}

const char *
title_of_topic(struct ctx *c, const char *topic)
{
	size_t line = strcspn(topic, "\n"), end = line, count = 1;
	const char *text = arena_text_n(c->arena, topic, line);
	const char *p = text;

	for (; *p != '\0'; count++) {
		const char *here = p;
		uint32_t cp = utf8_next(&p);
		if (!ends_sentence(cp, *p) || (cp < 0x80 && count < SENTENCE_MIN && *p != '\0'))
			continue;
		end = cp == '.' || cp == 0x3002 || cp == 0x0964 ? (size_t)(here - text)
								: (size_t)(p - text);
		break;
	}
	/* "Wait..." and a topic of dots alone stay as they are. */
	if (end == 0 || text[end - 1] == '.')
		end = line;
	return title_cut(c, arena_text_n(c->arena, text, end), TITLE_MAX);
}
