#include "content/origin.h"

#include <arpa/inet.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/encoding.h"
#include "base/utf8.h"

/* ---- punycode: names in other scripts as letters, digits and hyphens (RFC 3492) */

#define PUNYCODE_MAX 59 /* of a label, after its "xn--" */

/* The numbers of RFC 3492 §5. */
enum { BASE = 36, T_MIN = 1, T_MAX = 26, SKEW = 38, DAMP = 700, BIAS = 72, FIRST = 0x80 };

#define POINT_MAX 0x10FFFF

static uint32_t
adapt(uint32_t delta, uint32_t count, bool first)
{
	uint32_t k = 0;

	delta = first ? delta / DAMP : delta / 2;
	delta += delta / count;
	for (; delta > (BASE - T_MIN) * T_MAX / 2; k += BASE)
		delta /= BASE - T_MIN;
	return k + (BASE - T_MIN + 1) * delta / (delta + SKEW);
}

static uint32_t
threshold(uint32_t k, uint32_t bias)
{
	if (k <= bias)
		return T_MIN;
	return k >= bias + T_MAX ? T_MAX : k - bias;
}

static char
digit(uint32_t value)
{
	return (char)(value < 26 ? 'a' + value : '0' + (value - 26));
}

/* Adds a character; false if there is no room for it. */
static bool
put(char *out, size_t *len, char ch)
{
	if (*len == PUNYCODE_MAX)
		return false;
	out[(*len)++] = ch;
	return true;
}

/* Adds a number of variable length. */
static bool
put_number(char *out, size_t *len, uint32_t q, uint32_t bias)
{
	for (uint32_t k = BASE;; k += BASE) {
		uint32_t t = threshold(k, bias);
		if (q < t)
			return put(out, len, digit(q));
		if (!put(out, len, digit(t + (q - t) % (BASE - t))))
			return false;
		q = (q - t) / (BASE - t);
	}
}

/* Returns the smallest code point from `n` on. */
static uint32_t
smallest(const int32_t *points, size_t count, uint32_t n)
{
	uint32_t found = UINT32_MAX;

	for (size_t i = 0; i < count; i++) {
		uint32_t point = (uint32_t)points[i];
		if (point >= n && point < found)
			found = point;
	}
	return found;
}

/* Writes the code points as text with a NUL after it. Returns false if it is longer. */
static bool
punycode_encode(const int32_t *points, size_t count, char out[PUNYCODE_MAX + 1])
{
	uint32_t n = FIRST, delta = 0, bias = BIAS;
	size_t len = 0, plain, done;

	/* A label of so many characters is too long; no number below overflows. */
	if (count > PUNYCODE_MAX)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (points[i] < FIRST && !put(out, &len, (char)points[i]))
			return false;
	}
	plain = done = len;
	if (plain > 0 && !put(out, &len, '-'))
		return false;
	for (; done < count; delta++, n++) {
		uint32_t next = smallest(points, count, n);
		delta += (next - n) * (uint32_t)(done + 1);
		n = next;
		for (size_t i = 0; i < count; i++) {
			if ((uint32_t)points[i] < n)
				delta++;
			if ((uint32_t)points[i] != n)
				continue;
			if (!put_number(out, &len, delta, bias))
				return false;
			bias = adapt(delta, (uint32_t)done + 1, done == plain);
			delta = 0;
			done++;
		}
	}
	out[len] = '\0';
	return true;
}

static int
value_of(char ch)
{
	if (ch >= 'a' && ch <= 'z')
		return ch - 'a';
	return ch >= '0' && ch <= '9' ? ch - '0' + 26 : -1;
}

/* Reads a number of variable length and adds it to *i. Returns false if there is none. */
static bool
read_number(const char **p, uint64_t *i, uint32_t bias)
{
	uint64_t weight = 1;

	for (uint32_t k = BASE;; k += BASE) {
		uint32_t t = threshold(k, bias);
		int value = value_of(**p);
		if (value < 0)
			return false;
		(*p)++;
		*i += (uint64_t)value * weight;
		if (*i > UINT32_MAX)
			return false;
		if ((uint32_t)value < t)
			return true;
		weight *= BASE - t;
		if (weight > UINT32_MAX)
			return false;
	}
}

/* Reads such a text of letters in lower case. Returns how many code points it has, at most `max`;
 * -1 if it is none. */
static int
punycode_decode(const char *text, int32_t *points, size_t max)
{
	const char *hyphen = strrchr(text, '-'), *p = text;
	uint32_t bias = BIAS;
	size_t count = 0;
	uint64_t n = FIRST, i = 0, before;

	for (; hyphen != NULL && p < hyphen; p++) {
		if (count == max)
			return -1;
		points[count++] = *p;
	}
	p += hyphen != NULL ? 1 : 0;
	while (*p != '\0') {
		before = i;
		if (count == max || !read_number(&p, &i, bias))
			return -1;
		bias = adapt((uint32_t)(i - before), (uint32_t)count + 1, before == 0);
		n += i / (count + 1);
		i %= count + 1;
		if (n > POINT_MAX)
			return -1;
		memmove(points + i + 1, points + i, (count - i) * sizeof(*points));
		points[i++] = (int32_t)n;
		count++;
	}
	return (int)count;
}

#define HOST_MAX 253
#define LABEL_MAX 63
#define TEXT_MAX 2000 /* bytes of a host that is read */

/* ---- names in other scripts (UTS #46, as browsers use it) */

/* Maps text as Unicode compares names: compatible forms, lower case, composed. */
static const char *
fold(struct arena *a, const char *text, size_t len, unsigned options)
{
	utf8proc_uint8_t *made = NULL;
	utf8proc_ssize_t size = utf8proc_map((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)len,
	    &made, (utf8proc_option_t)(options | UTF8PROC_STABLE | UTF8PROC_COMPOSE));
	const char *out = size < 0 ? NULL : arena_text_n(a, (const char *)made, (size_t)size);

	free(made);
	return out;
}

/* Returns the bytes of a letter at `p` that stays where its fold is another name: the small
 * sharp s and the final sigma; 0: it is none. */
static size_t
kept_letter(const char *p)
{
	return strncmp(p, "\xC3\x9F", 2) == 0 || strncmp(p, "\xCF\x82", 2) == 0 ? 2 : 0;
}

/* Returns whether the name has a letter that browsers take in two ways: joiners, and the large
 * sharp s. Few names have them, and who needs one writes xn--. */
static bool
is_unclear(const char *name)
{
	return strstr(name, "\xE2\x80\x8C") != NULL || strstr(name, "\xE2\x80\x8D") != NULL ||
	       strstr(name, "\xE1\xBA\x9E") != NULL;
}

/* Adds text in which the full stops of East Asia are dots. */
static void
add_dotted(struct buf *out, const char *text)
{
	const char *stop;

	while ((stop = strstr(text, "\xE3\x80\x82")) != NULL) {
		buf_add(out, text, (size_t)(stop - text));
		buf_add_char(out, '.');
		text = stop + 3;
	}
	buf_add_text(out, text);
}

/* Returns the name in the form that is compared; NULL: it is no text. */
static const char *
map_name(struct arena *a, const char *name)
{
	const unsigned options = UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE;
	struct buf out;

	if (is_unclear(name))
		return NULL;
	buf_init(&out, a, (size_t)4 * TEXT_MAX);
	while (*name != '\0') {
		const char *from = name, *part;
		while (*name != '\0' && kept_letter(name) == 0)
			name++;
		part = fold(a, from, (size_t)(name - from), options);
		if (part == NULL)
			return NULL;
		add_dotted(&out, part);
		if (*name == '\0')
			break;
		buf_add(&out, name, kept_letter(name));
		name += kept_letter(name);
	}
	return buf_full(&out) ? NULL : fold(a, out.data, out.len, 0);
}

static bool
is_plain(int32_t point)
{
	return (point >= 'a' && point <= 'z') || (point >= '0' && point <= '9') || point == '-' ||
	       point == '_';
}

/* Returns whether a code point may be in a name: a letter, a mark, a digit, a sign. */
static bool
is_allowed(int32_t point)
{
	utf8proc_category_t category = utf8proc_category(point);

	if (point < 0x80)
		return is_plain(point);
	return category != UTF8PROC_CATEGORY_CN && category < UTF8PROC_CATEGORY_ZS;
}

static bool
is_mark(int32_t point)
{
	utf8proc_category_t category = utf8proc_category(point);

	return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC ||
	       category == UTF8PROC_CATEGORY_ME;
}

/* Reads the code points of a label. Returns how many; 0 if there is none, if one may not be there,
 * or if there are too many. */
static size_t
read_points(const char *label, size_t len, int32_t *points, bool *plain)
{
	size_t count = 0;

	*plain = true;
	for (size_t at = 0; at < len; count++) {
		utf8proc_ssize_t size = utf8proc_iterate((const utf8proc_uint8_t *)label + at,
		    (utf8proc_ssize_t)(len - at), &points[count]);
		if (size < 1 || count == LABEL_MAX || !is_allowed(points[count]))
			return 0;
		*plain = *plain && points[count] < 0x80;
		at += (size_t)size;
	}
	return count > 0 && is_mark(points[0]) ? 0 : count;
}

/* Returns whether a label that begins with xn-- is what Galley would write for its name. */
static bool
is_good_xn(struct arena *a, const char *label)
{
	int32_t points[LABEL_MAX + 1];
	char again[PUNYCODE_MAX + 1];
	int count = punycode_decode(label + 4, points, LABEL_MAX);
	const char *mapped;
	struct buf name;
	bool plain = true;

	buf_init(&name, a, TEXT_MAX);
	for (int i = 0; i < count; i++) {
		utf8proc_uint8_t bytes[4];
		if (points[i] == '.' || !is_allowed(points[i]))
			return false;
		buf_add(&name, bytes, (size_t)utf8proc_encode_char(points[i], bytes));
		plain = plain && points[i] < 0x80;
	}
	if (count < 1 || plain || is_mark(points[0]) || buf_full(&name))
		return false;
	mapped = map_name(a, name.data);
	return mapped != NULL && strcmp(mapped, name.data) == 0 &&
	       punycode_encode(points, (size_t)count, again) && strcmp(again, label + 4) == 0;
}

/* Adds a label of a mapped name. Returns false if it is none. */
static bool
add_label(struct buf *out, const char *label, size_t len)
{
	int32_t points[LABEL_MAX + 1];
	char code[PUNYCODE_MAX + 1];
	bool plain;
	size_t count = read_points(label, len, points, &plain);
	const char *text = arena_text_n(out->arena, label, len);

	if (count == 0)
		return false;
	if (!plain) {
		if (strncmp(text, "xn--", 4) == 0 || !punycode_encode(points, count, code))
			return false;
		buf_printf(out, "xn--%s", code);
		return true;
	}
	if (strncmp(text, "xn--", 4) == 0 && !is_good_xn(out->arena, text))
		return false;
	buf_add_text(out, text);
	return len <= LABEL_MAX;
}

/* ---- hosts */

static bool
add_ipv6(struct buf *out, const char *text)
{
	unsigned char bytes[16];
	unsigned words[8];
	int best = -1, most = 1;

	if (inet_pton(AF_INET6, text, bytes) != 1)
		return false;
	for (int i = 0; i < 8; i++)
		words[i] = (unsigned)bytes[2 * i] << 8 | bytes[2 * i + 1];
	for (int i = 0; i < 8; i++) {
		int n = 0;
		while (i + n < 8 && words[i + n] == 0)
			n++;
		if (n > most) {
			best = i;
			most = n;
		}
	}
	buf_add_char(out, '[');
	for (int i = 0; i < 8; i++) {
		if (i == best) {
			buf_lit(out, "::");
			i += most - 1;
			continue;
		}
		buf_printf(out, "%s%x", i > 0 && i != best + most ? ":" : "", words[i]);
	}
	buf_add_char(out, ']');
	return true;
}

/* Returns whether the last label says that the host is an IPv4 address, which browsers read in
 * forms that nobody writes. */
static bool
is_number(const char *host)
{
	const char *last = strrchr(host, '.');

	last = last == NULL ? host : last + 1;
	if (last[0] == '0' && last[1] == 'x')
		return last[2 + strspn(last + 2, "0123456789abcdef")] == '\0';
	return last[0] != '\0' && last[strspn(last, "0123456789")] == '\0';
}

static bool
is_ipv4(const char *host)
{
	struct in_addr address;
	char text[INET_ADDRSTRLEN];

	return inet_pton(AF_INET, host, &address) == 1 &&
	       inet_ntop(AF_INET, &address, text, sizeof(text)) != NULL && strcmp(text, host) == 0;
}

/* Returns the text with its percent-encoded bytes decoded; NULL: it is no UTF-8. */
static const char *
decode(struct arena *a, const char *text)
{
	const char *end = text + strlen(text);
	struct buf out;
	int byte;

	buf_init(&out, a, TEXT_MAX);
	for (; text < end; text++) {
		byte = (unsigned char)*text;
		if (*text == '%') {
			byte = percent_byte(text, end);
			if (byte < 0)
				return NULL;
			text += 2;
		}
		if (byte == 0)
			return NULL;
		buf_add_char(&out, (char)byte);
	}
	return buf_full(&out) || !utf8_valid(out.data, out.len) ? NULL : out.data;
}

/* Adds a name, an IPv4 address or an IPv6 address in brackets. Returns false if the host is none
 * of them. */
static bool
add_host(struct buf *out, const char *text)
{
	size_t begin = out->len, len = strlen(text);
	const char *name;

	if (len > 2 && text[0] == '[' && text[len - 1] == ']')
		return add_ipv6(out, arena_text_n(out->arena, text + 1, len - 2));
	name = decode(out->arena, text);
	name = name != NULL ? map_name(out->arena, name) : NULL;
	if (name == NULL)
		return false;
	for (;;) {
		len = strcspn(name, ".");
		if (!add_label(out, name, len))
			return false;
		name += len;
		if (name[0] == '\0' || name[1] == '\0')
			break;
		buf_add_char(out, '.');
		name++;
	}
	return !buf_full(out) && out->len - begin <= HOST_MAX &&
	       (!is_number(out->data + begin) || is_ipv4(out->data + begin));
}

/* ---- origins */

/* Adds ":PORT", unless it is the scheme's own. Returns false if it is no port. */
static bool
add_port(struct buf *out, const char *text, long own)
{
	size_t len = strlen(text);
	long port;

	if (len == 0)
		return true;
	port = len <= 20 && strspn(text, "0123456789") == len ? strtol(text, NULL, 10) : 0;
	if (port < 1 || port > 65535)
		return false;
	if (port != own)
		buf_printf(out, ":%ld", port);
	return true;
}

/* Returns what is after the scheme of an address; NULL: it has another one. */
static const char *
behind(const char *text, const char *scheme)
{
	for (; *scheme != '\0'; scheme++, text++) {
		char ch = *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text;
		if (ch != *scheme)
			return NULL;
	}
	return text;
}

/* Adds host and port. */
static bool
add_site(struct buf *out, const char *text, long own)
{
	const char *slash = text + strcspn(text, "/?#\\");
	const char *colon = slash;

	if (slash[0] != '\0' && strcmp(slash, "/") != 0)
		return false;
	while (colon > text && colon[-1] >= '0' && colon[-1] <= '9')
		colon--;
	colon = colon > text && colon[-1] == ':' ? colon - 1 : slash;
	return add_host(out, arena_text_n(out->arena, text, (size_t)(colon - text))) &&
	       add_port(out,
		   colon == slash
		       ? ""
		       : arena_text_n(out->arena, colon + 1, (size_t)(slash - colon) - 1),
		   own);
}

/* Returns whether a clean address is one of this machine. */
static bool
is_local(const char *origin)
{
	const char *host = origin + strlen("http://");
	size_t len = strcspn(host, ":");

	return (len == 9 && strncmp(host, "localhost", len) == 0) ||
	       (len == 9 && strncmp(host, "127.0.0.1", len) == 0);
}

const char *
origin_clean(struct arena *a, const char *text, bool local)
{
	const char *rest = behind(text, "https://");
	struct buf out;

	if (strlen(text) > TEXT_MAX)
		return NULL;
	buf_init(&out, a, TEXT_MAX);
	if (rest != NULL) {
		buf_lit(&out, "https://");
		return add_site(&out, rest, 443) && !buf_full(&out) ? out.data : NULL;
	}
	rest = local ? behind(text, "http://") : NULL;
	if (rest == NULL)
		return NULL;
	buf_lit(&out, "http://");
	return add_site(&out, rest, 80) && !buf_full(&out) && is_local(out.data) ? out.data : NULL;
}

/* Returns whether a list that is separated by spaces has the word. */
static bool
has_word(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = strstr(list, word); p != NULL; p = strstr(p + 1, word)) {
		if ((p == list || p[-1] == ' ') && (p[len] == ' ' || p[len] == '\0'))
			return true;
	}
	return false;
}

const char *
origin_clean_list(struct arena *a, const char *list, bool local)
{
	struct buf out;

	buf_init(&out, a, 2 * strlen(list) + TEXT_MAX);
	while (*list != '\0') {
		size_t len = strcspn(list, " ");
		const char *word = arena_text_n(a, list, len);
		const char *clean = origin_clean(a, word, local);
		clean = clean != NULL ? clean : word;
		if (len > 0 && !has_word(out.len > 0 ? buf_done(&out) : "", clean))
			buf_printf(&out, "%s%s", out.len > 0 ? " " : "", clean);
		list += len + (list[len] != '\0');
	}
	return out.len > 0 ? buf_done(&out) : "";
}
