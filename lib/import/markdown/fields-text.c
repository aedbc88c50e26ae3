#include "import/markdown/fields.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "content/lang.h"

const char *
fields_line(struct ctx *c, struct losses *losses, unsigned line,
    const char *text)
{
	struct buf out;
	bool dropped = false;
	size_t blanks = 0;

	text = lang_nfc(c->arena, text);
	buf_init(&out, c->arena, strlen(text));
	while (*text != '\0') {
		const char *from = text;
		uint32_t cp = utf8_next(&text);
		char bytes[5] = { 0 };
		memcpy(bytes, from, (size_t)(text - from));
		if (cp == ' ' || cp == '\t' || cp == '\n' || cp == 0x2028 ||
		    cp == 0x2029)
			blanks++;
		else if (utf8_forbidden(bytes, true) != NULL) {
			dropped = true;
		} else {
			for (; blanks > 0; blanks--)
				buf_add(&out, " ", out.len > 0 ? 1 : 0);
			buf_add_text(&out, bytes);
		}
	}
	if (dropped)
		losses_add(losses, line,
		    "characters that cannot be stored were dropped (controls,"
		    " bidi overrides)");
	return out.len > 0 ? out.data : NULL;
}

/* Copies what `set` allows, at most `max` bytes; how many. */
static size_t
take(const char **p, char *out, const char *set, size_t max)
{
	size_t n = strspn(*p, set);

	n = n < max ? n : max;
	memcpy(out, *p, n);
	out[n] = '\0';
	*p += n;
	return n;
}

bool
fields_date(struct ctx *c, const char *text, int64_t *at)
{
	char date[11], time[32], zone[8] = "Z";
	const char *p = text;

	if (take(&p, date, "0123456789-", 10) != 10)
		return false;
	if (*p == '\0')
		return clock_parse_date(date, at);
	if (*p != 'T' && *p != 't' && *p != ' ')
		return false;
	p++;
	if (take(&p, time, "0123456789:.", 30) < 5)
		return false;
	if (strlen(time) == 5)
		strcat(time, ":00");
	p += *p == ' ';
	if (*p == 'Z' || *p == 'z') {
		p++;
	} else if (*p == '+' || *p == '-') {
		/* "+02:00", "+0200", "+02" */
		size_t n = take(&p, zone, "+-:0123456789", 6);
		if (n == 5 && zone[3] != ':')
			memcpy(zone + 3, (char[]) { ':', zone[3], zone[4], 0 }, 4);
		else if (n == 3)
			strcat(zone, ":00");
	}
	return *p == '\0' && clock_parse(arena_printf(c->arena, "%sT%s%s",
	    date, time, zone), at);
}
