#include "content/url.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/encoding.h"
#include "base/utf8.h"

/* ---- a clean address */

#define URL_MAX 2000

static bool
is_alpha(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z');
}

static bool
is_digit(char ch)
{
	return ch >= '0' && ch <= '9';
}

static char
lower(char ch)
{
	return ch >= 'A' && ch <= 'Z' ? (char)(ch - 'A' + 'a') : ch;
}

static void
add_escaped(struct buf *out, unsigned char byte)
{
	static const char digits[] = "0123456789ABCDEF";
	char text[3] = { '%', digits[byte >> 4], digits[byte & 15] };

	buf_add(out, text, sizeof(text));
}

/* Adds the bytes between `from` and `to`. Percent-encodes those that are not
 * letters, not digits, not in `plain`, and not part of a valid percent-encoding. */
static void
add_encoded(struct buf *out, const char *from, const char *to, const char *plain)
{
	for (; from < to; from++) {
		bool keep =
		    *from == '%' ? percent_byte(from, to) >= 0 : strchr(plain, *from) != NULL;
		if (is_alpha(*from) || is_digit(*from) || keep)
			buf_add_char(out, *from);
		else
			add_escaped(out, (unsigned char)*from);
	}
}

/* Characters that stay unencoded in a path, query or fragment (RFC 3986 §3.3).
 * "'" is not among them: it would end attributes in careless templates. */
#define PLAIN "-._~!$&()*+,;=:@/?"

/* Returns whether the address holds a space, a control character, a backslash or
 * bytes that are not UTF-8: these are refused everywhere. */
static bool
has_refused_byte(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char byte = (unsigned char)text[i];
		if (byte <= ' ' || byte == '\\' || byte == 0x7F)
			return true;
	}
	return !utf8_valid(text, len);
}

/* Returns whether the last label is a number but the host is not an IPv4 address:
 * such a host is nothing. */
static bool
is_wrong_ipv4(const char *host)
{
	const char *last = strrchr(host, '.');
	struct in_addr address;

	last = last == NULL ? host : last + 1;
	return last[0] != '\0' && last[strspn(last, "0123456789")] == '\0' &&
	       inet_pton(AF_INET, host, &address) != 1;
}

static bool
is_ipv6(struct arena *a, const char *from, const char *to)
{
	struct in6_addr address;

	if (to - from < 4 || *from != '[' || to[-1] != ']')
		return false;
	return inet_pton(AF_INET6, arena_text_n(a, from + 1, (size_t)(to - from) - 2), &address) ==
	       1;
}

/* Adds a host's name in lower case, and percent-encodes its bytes outside ASCII.
 * `name` receives the decoded form. Returns false if a byte cannot be in a name. */
static bool
add_name(struct buf *out, struct buf *name, const char *from, const char *to)
{
	for (; from < to; from++) {
		int byte = (unsigned char)*from;
		if (*from == '%') {
			byte = percent_byte(from, to);
			if (byte < 0)
				return false;
			from += 2;
		}
		byte = (unsigned char)lower((char)byte);
		buf_add_char(name, (char)byte);
		if (byte >= 0x80)
			add_escaped(out, (unsigned char)byte);
		else if (is_alpha((char)byte) || is_digit((char)byte) ||
			 (byte > ' ' && strchr("-._~", byte) != NULL))
			buf_add_char(out, (char)byte);
		else
			return false;
	}
	return true;
}

/* Adds an IPv6 address in brackets, or a name without empty labels before its
 * end, or an IPv4 address. Returns false if the host is none of them. */
static bool
add_host(struct buf *out, const char *from, const char *to)
{
	struct buf name;

	if (is_ipv6(out->arena, from, to)) {
		for (; from < to; from++)
			buf_add_char(out, lower(*from));
		return true;
	}
	buf_init(&name, out->arena, URL_MAX);
	if (!add_name(out, &name, from, to) || name.len == 0 || name.full)
		return false;
	if (name.data[0] == '.' || strstr(name.data, "..") != NULL)
		return false;
	return utf8_valid(name.data, name.len) && !is_wrong_ipv4(name.data);
}

/* Adds a port: ":" and digits up to 65535. A ":" without digits is dropped. The
 * caller has found the digits. */
static bool
add_port(struct buf *out, const char *from, const char *to)
{
	long port = 0;

	if (to - from <= 1)
		return true;
	for (const char *p = from + 1; p < to; p++) {
		port = port * 10 + (*p - '0');
		if (port > 65535)
			return false;
	}
	buf_printf(out, ":%ld", port);
	return true;
}

static const char *
find_any(const char *from, const char *to, const char *set)
{
	while (from < to && strchr(set, *from) == NULL)
		from++;
	return from;
}

/* Adds what follows "https://" or "http://". Refuses a user's name or password
 * ("@"). */
static bool
add_web(struct buf *out, const char *from, const char *to)
{
	const char *rest = find_any(from, to, "/?#");
	const char *port = rest, *hash;

	if (memchr(from, '@', (size_t)(rest - from)) != NULL)
		return false;
	while (port > from && is_digit(port[-1]))
		port--;
	if (port > from && port[-1] == ':')
		port--;
	else
		port = rest;
	if (!add_host(out, from, port) || !add_port(out, port, rest))
		return false;
	hash = find_any(rest, to, "#");
	add_encoded(out, rest, hash, PLAIN);
	if (hash < to) {
		buf_add_char(out, '#');
		add_encoded(out, hash + 1, to, PLAIN);
	}
	return true;
}

/* Adds what follows "mailto:". It must be something@something; a query may
 * follow. */
static bool
add_mail(struct buf *out, const char *from, const char *to)
{
	const char *query = find_any(from, to, "?");
	const char *at = find_any(from, query, "@");

	if (at == from || query - at < 2)
		return false;
	add_encoded(out, from, to, PLAIN);
	return true;
}

static bool
starts(const char **p, const char *end, const char *prefix)
{
	const char *at = *p;

	for (; *prefix != '\0'; prefix++, at++) {
		if (at == end || lower(*at) != *prefix)
			return false;
	}
	*p = at;
	return true;
}

/* Adds an address that begins with https:, http:, mailto: or "#". Refuses all
 * others. */
static bool
add_clean(struct buf *out, const char *p, const char *end)
{
	if (starts(&p, end, "https://")) {
		buf_lit(out, "https://");
		return add_web(out, p, end);
	}
	if (starts(&p, end, "http://")) {
		buf_lit(out, "http://");
		return add_web(out, p, end);
	}
	if (starts(&p, end, "mailto:")) {
		buf_lit(out, "mailto:");
		return add_mail(out, p, end);
	}
	if (end - p < 2 || *p != '#')
		return false;
	buf_add_char(out, '#');
	add_encoded(out, p + 1, end, PLAIN);
	return true;
}

const char *
url_clean(struct arena *a, const char *text, size_t len)
{
	struct buf out;

	if (len > URL_MAX || has_refused_byte(text, len))
		return NULL;
	buf_init(&out, a, URL_MAX);
	if (!add_clean(&out, text, text + len) || buf_full(&out))
		return NULL;
	return out.data;
}

static bool
is_web(const char *url)
{
	return strncmp(url, "https://", 8) == 0 || strncmp(url, "http://", 7) == 0;
}

const char *
url_clean_web(struct arena *a, const char *text)
{
	const char *url = url_clean(a, text, strlen(text));

	return url != NULL && is_web(url) ? url : NULL;
}

const char *
url_clean_origin(struct arena *a, const char *text)
{
	const char *url = url_clean_web(a, text);
	const char *rest;

	if (url == NULL || strncmp(url, "https://", 8) != 0)
		return NULL;
	rest = url + 8 + strcspn(url + 8, "/?#");
	if (rest[0] == '\0')
		return url;
	if (strcmp(rest, "/") != 0)
		return NULL;
	return arena_text_n(a, url, (size_t)(rest - url));
}

const char *
url_host(struct arena *a, const char *url)
{
	const char *from, *to;

	if (!is_web(url))
		return NULL;
	from = strchr(url, '/') + 2;
	to = from + strcspn(from, "/?#");
	if (*from == '[')
		to = from + strcspn(from, "]") + 1;
	else
		to = find_any(from, to, ":");
	return arena_text_n(a, from, (size_t)(to - from));
}

/* ---- a reference and its base */

/* The parts of a reference (RFC 3986, appendix B). Each part begins with its
 * delimiter and ends before the next part. Missing parts are empty. */
struct parts {
	const char *scheme; /* "https:" */
	size_t scheme_len;
	const char *authority; /* "//host" */
	size_t authority_len;
	const char *path;
	size_t path_len;
	const char *query; /* "?a=b" */
	size_t query_len;
	const char *fragment; /* "#c" */
};

static size_t
scheme_length(const char *p)
{
	size_t len = strcspn(p, ":/?#");

	if (p[len] != ':' || len == 0)
		return 0;
	if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z')))
		return 0;
	return len + 1;
}

static void
split(struct parts *parts, const char *p)
{
	parts->scheme = p;
	parts->scheme_len = scheme_length(p);
	p += parts->scheme_len;
	parts->authority = p;
	parts->authority_len = strncmp(p, "//", 2) == 0 ? 2 + strcspn(p + 2, "/?#") : 0;
	p += parts->authority_len;
	parts->path = p;
	parts->path_len = strcspn(p, "?#");
	p += parts->path_len;
	parts->query = p;
	parts->query_len = strcspn(p, "#");
	parts->fragment = p + parts->query_len;
}

/* Removes the last segment of `out`, but nothing before `root`. */
static void
drop_segment(struct buf *out, size_t root)
{
	while (out->len > root && out->data[out->len - 1] != '/')
		out->len--;
	if (out->len > root)
		out->len--;
	out->data[out->len] = '\0';
}

/* Appends an absolute path without its dot segments (RFC 3986 §5.2.4). */
static void
add_path(struct buf *out, const char *path)
{
	size_t root = out->len;

	while (*path == '/') {
		const char *segment = path + 1;
		size_t len = strcspn(segment, "/");
		bool dot = len == 1 && segment[0] == '.';
		bool up = len == 2 && strncmp(segment, "..", 2) == 0;
		if (up)
			drop_segment(out, root);
		if (!dot && !up)
			buf_add(out, path, len + 1);
		else if (segment[len] == '\0')
			buf_add_char(out, '/');
		path = segment + len;
	}
}

/* Returns the path of `ref`, resolved against the path of `base` (RFC 3986
 * §5.2.3). */
static const char *
merged(struct arena *a, const struct parts *base, const struct parts *ref)
{
	size_t folder = base->path_len;

	if (ref->path_len > 0 && ref->path[0] == '/')
		return arena_text_n(a, ref->path, ref->path_len);
	while (folder > 0 && base->path[folder - 1] != '/')
		folder--;
	if (folder == 0)
		return arena_printf(a, "/%.*s", (int)ref->path_len, ref->path);
	return arena_printf(a, "%.*s%.*s", (int)folder, base->path, (int)ref->path_len, ref->path);
}

const char *
url_resolve(struct arena *a, const char *base, const char *ref)
{
	struct parts b, r;
	struct buf out;

	split(&b, base);
	split(&r, ref);
	if (url_host(a, base) == NULL || b.authority_len <= 2)
		return NULL;
	if (r.scheme_len > 0)
		return arena_text(a, ref);
	buf_init(&out, a, strlen(base) + strlen(ref) + 2);
	buf_add(&out, b.scheme, b.scheme_len);
	if (r.authority_len > 0) {
		buf_add(&out, r.authority, r.authority_len);
		add_path(&out, arena_text_n(a, r.path, r.path_len));
	} else {
		buf_add(&out, b.authority, b.authority_len);
		if (r.path_len > 0)
			add_path(&out, merged(a, &b, &r));
		else
			buf_add(&out, b.path, b.path_len);
	}
	if (r.query_len > 0 || r.authority_len > 0 || r.path_len > 0)
		buf_add(&out, r.query, r.query_len);
	else
		buf_add(&out, b.query, b.query_len);
	buf_add_text(&out, r.fragment);
	return buf_done(&out);
}
