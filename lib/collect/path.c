#include "collect/path.h"

#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/encoding.h"
#include "base/utf8.h"
#include "stats/label.h"

/* A body has 1 KiB, and a byte of it becomes an escape at most. */
#define ROOM ((size_t)8 * 1024)

static bool
is_one_of(char ch, const char *set)
{
	return ch != '\0' && strchr(set, ch) != NULL;
}

static bool
is_plain(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') ||
	       is_one_of(ch, "-._~!$&'()*+,;=:@/");
}

static void
add_escape(struct buf *out, unsigned char byte)
{
	static const char digits[] = "0123456789ABCDEF";

	buf_add_char(out, '%');
	buf_add_char(out, digits[byte >> 4]);
	buf_add_char(out, digits[byte & 15]);
}

/* Decodes each escape but those of characters that would mean something else. What is left with
 * a "%" is an escape. */
static const char *
decode(struct arena *a, const char *raw)
{
	const char *end = raw + strcspn(raw, "?#");
	struct buf out;

	buf_init(&out, a, ROOM);
	for (const char *p = raw; p < end; p++) {
		int byte = percent_byte(p, end);
		if (byte < 0 && *p != '%') {
			buf_add_char(&out, *p);
			continue;
		}
		if (byte < 0)
			byte = '%';
		else
			p += 2;
		if (is_one_of((char)byte, "/?#%"))
			add_escape(&out, (unsigned char)byte);
		else if (byte != 0)
			buf_add_char(&out, (char)byte);
	}
	return buf_done(&out);
}

/* Copies a character at `p`, unless it is obeyed instead of shown. Returns its length. */
static size_t
copy(struct buf *out, const char *p)
{
	size_t len = utf8_sequence(p);
	const char *next = p;

	if (len == 0) {
		add_escape(out, (unsigned char)*p);
		return 1;
	}
	if (utf8_is_obeyed(utf8_next(&next)))
		return len;
	if (len > 1 || *p == '%' || is_plain(*p))
		buf_add(out, p, len);
	else
		add_escape(out, (unsigned char)*p);
	return len;
}

/* Removes the last part, with its slash. */
static void
drop_part(struct buf *out)
{
	if (out->len == 0)
		return;
	while (out->len > 0 && out->data[--out->len] != '/')
		;
	out->data[out->len] = '\0';
}

static bool
is_dots(const char *part, size_t len)
{
	return (len == 1 || len == 2) && memcmp(part, "..", len) == 0;
}

/* Adds the parts one after another (RFC 3986 §5.2.4). */
static void
add_parts(struct buf *out, const char *path)
{
	while (*path == '/') {
		const char *part = path + 1;
		size_t len = strcspn(part, "/");

		path = part + len;
		if (is_dots(part, len)) {
			if (len == 2)
				drop_part(out);
			if (*path == '\0')
				buf_add_char(out, '/');
			continue;
		}
		buf_add_char(out, '/');
		if (part_is_personal(part, len))
			buf_lit(out, PART_HIDDEN);
		else
			buf_add(out, part, len);
	}
}

const char *
path_clean(struct arena *a, const char *raw)
{
	struct buf text, out;

	buf_init(&text, a, ROOM);
	buf_init(&out, a, ROOM);
	for (const char *p = decode(a, raw); *p != '\0';)
		p += copy(&text, p);
	add_parts(&out, buf_done(&text));
	while (out.len > HIT_PATH_MAX)
		drop_part(&out);
	return out.len > 0 ? buf_done(&out) : "/";
}

/* ---- where the reader came from */

static bool
is_host(const char *host)
{
	const char *last = strrchr(host, '.');

	if (last == NULL || last == host || host[0] == '-' || strstr(host, "..") != NULL)
		return false;
	/* The last label of a name has a letter, that of an address has none. */
	return strspn(host, "abcdefghijklmnopqrstuvwxyz0123456789-.") == strlen(host) &&
	       strspn(last + 1, "0123456789") != strlen(last + 1);
}

/* Returns whether `host` is that of the origin. */
static bool
is_own(const char *host, const char *origin)
{
	const char *own = strstr(origin, "://");
	size_t len = strlen(host);

	return own != NULL && strncmp(own + 3, host, len) == 0 &&
	       (own[3 + len] == '\0' || own[3 + len] == ':');
}

const char *
path_referrer(struct arena *a, const char *raw, const char *own)
{
	char *host = arena_text(a, raw);
	size_t len;

	for (char *p = host; *p != '\0'; p++) {
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
	}
	host[strcspn(host, ":")] = '\0';
	len = strlen(host);
	if (len > 0 && host[len - 1] == '.')
		host[len - 1] = '\0';
	if (!is_host(host) || is_own(host, own))
		return "";
	while (strlen(host) > HIT_REFERRER_MAX) {
		host = strchr(host, '.');
		if (host == NULL)
			return "";
		host++;
	}
	return is_host(host) ? host : "";
}

/* Adds a text in one line, without what is obeyed; several spaces are one. */
static void
add_word(struct buf *out, const char *text)
{
	size_t from = out->len;
	bool space = false;

	while (*text != '\0') {
		const char *at = text;
		uint32_t cp = utf8_next(&text);
		if (cp == ' ' || cp == '\t' || cp == '\n') {
			space = out->len > from;
			continue;
		}
		if (utf8_is_obeyed(cp))
			continue;
		if (space)
			buf_add_char(out, ' ');
		space = false;
		buf_add(out, at, (size_t)(text - at));
	}
	if (part_is_personal(out->data + from, out->len - from)) {
		out->len = from;
		buf_lit(out, PART_HIDDEN);
	} else if (out->len == from) {
		buf_add_char(out, '-');
	}
}

const char *
path_campaign(struct arena *a, const char *source, const char *medium, const char *campaign)
{
	const char *const words[] = { source, medium, campaign };
	size_t known = 0, len;
	struct buf out;

	for (size_t i = 0; i < 3; i++) {
		if (words[i] != NULL && words[i][0] != '\0')
			known = i + 1;
	}
	buf_init(&out, a, ROOM);
	for (size_t i = 0; i < known; i++) {
		if (i > 0)
			buf_lit(&out, " / ");
		add_word(&out, words[i] != NULL ? words[i] : "");
	}
	len = out.len;
	if (len > HIT_CAMPAIGN_MAX) {
		/* No character is cut in two. */
		for (len = HIT_CAMPAIGN_MAX; ((unsigned char)out.data[len] & 0xC0) == 0x80;)
			len--;
	}
	return known > 0 ? arena_text_n(a, buf_done(&out), len) : "";
}
