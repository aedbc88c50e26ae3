#include "terminal/plain.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/utf8.h"

/* Returns the length of the UTF-8 sequence at `p`, or 1 if there is none. *obeyed
 * tells whether a terminal would obey it, so that it must not be shown unchanged. */
static size_t
look_at(const char *p, bool *obeyed)
{
	size_t len = utf8_sequence(p);
	char one[5];

	*obeyed = true;
	if (len == 0)
		return 1;
	memcpy(one, p, len);
	one[len] = '\0';
	*obeyed = utf8_forbidden(one, true) != NULL || utf8_is_obeyed(utf8_next(&p));
	return len;
}

static bool
is_layout(char ch)
{
	return ch == '\n' || ch == '\t';
}

size_t
plain_make(char *text)
{
	char *to = text;
	bool obeyed;

	for (const char *p = text; *p != '\0';) {
		size_t len = look_at(p, &obeyed);
		if (obeyed && !is_layout(*p)) {
			*to++ = '?';
		} else {
			memmove(to, p, len);
			to += len;
		}
		p += len;
	}
	*to = '\0';
	return (size_t)(to - text);
}

const char *
plain_cell(struct arena *a, const char *text)
{
	const char *p = text;
	bool obeyed = false;
	char *copy;

	while (*p != '\0' && !obeyed)
		p += look_at(p, &obeyed);
	if (!obeyed)
		return text;
	copy = arena_text(a, text);
	(void)plain_make(copy);
	for (char *at = copy; *at != '\0'; at++)
		*at = is_layout(*at) ? ' ' : *at;
	return copy;
}

/* A surrogate pair is never needed: a terminal obeys no character above U+FFFF,
 * and a noncharacter there does no harm. */
const char *
plain_json(struct arena *a, const char *json)
{
	struct buf out;
	bool obeyed;

	buf_init(&out, a, 6 * strlen(json) + 1);
	while (*json != '\0') {
		const char *from = json;
		size_t len = look_at(json, &obeyed);
		uint32_t cp = utf8_next(&json);
		json = from + len;
		if (obeyed && cp >= 0x7F && cp <= 0xFFFF)
			buf_printf(&out, "\\u%04x", (unsigned)cp);
		else
			buf_add(&out, from, len);
	}
	return buf_done(&out);
}
