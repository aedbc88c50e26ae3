#include "base/mask.h"

#include <stdint.h>
#include <string.h>

#include "base/encoding.h"

/* How many times a text may have been encoded on its way. */
#define LAYERS 4

/* How many characters after its prefix are shown of a key (access/apikey.h). */
#define SHOWN 4

/* The beginnings of all secrets of Galley: of keys, and of the links and codes
 * that are planned. They are in lower case, and all have the same first letters. */
static const char *const prefixes[] = { "ab_live_", "ab_invite_", "ab_reset_", "ab_share_",
	"ab_code_", "ab_ping_" };

#define EACH UINT64_C(0x0101010101010101)
#define HIGH UINT64_C(0x8080808080808080)

/* Returns not zero if one of eight bytes, all of ASCII, is above `low` and below
 * `high`. */
static uint64_t
between(uint64_t word, unsigned char low, unsigned char high)
{
	return (EACH * (127U + high) - word) & (word + EACH * (127U - low)) & HIGH;
}

/* Returns not zero if one of eight bytes is # $ % & or \ ] ^ _: one of them is in
 * every prefix and begins every escape. */
static uint64_t
marks(uint64_t word)
{
	return between(word, '"', '\'') | between(word, '[', '`');
}

/* Returns whether a prefix or an escape may be at `p`. Most of these characters
 * only belong to parameters. */
static bool
is_suspect(const char *text, const char *p, const char *end)
{
	switch (*p) {
	case '%':
	case '\\':
	case '#':
		return true;
	case '_':
		return p > text && (p[-1] == 'b' || p[-1] == 'B');
	case '&': /* &lowbar; &UnderBar; */
		return end - p > 2 &&
		       (strncmp(p + 1, "lo", 2) == 0 || strncmp(p + 1, "Un", 2) == 0);
	default:
		return false;
	}
}

/* Returns whether a text must be searched for secrets. Nearly no line of a log
 * holds one: this test passes over eight bytes in a dozen steps. */
bool
mask_suspects(const char *text, size_t len)
{
	const char *p = text, *end = text + len, *next;
	uint64_t word = 0;

	for (; p < end; p = next) {
		next = end - p > (ptrdiff_t)sizeof(word) ? p + sizeof(word) : end;
		if (next < end)
			memcpy(&word, p, sizeof(word));
		else
			memcpy(&word, end - (len < sizeof(word) ? len : sizeof(word)),
			    len < sizeof(word) ? len : sizeof(word));
		if (marks(word) == 0)
			continue;
		for (; p < next; p++) {
			if (is_suspect(text, p, end))
				return true;
		}
	}
	return false;
}

static int read_char(const char **p, int layers);

/* Returns the value of `count` hexadecimal digits at *p and moves *p past them,
 * or returns -1. */
static int
read_hex(const char **p, int count, int layers)
{
	int value = 0;

	for (; count > 0; count--) {
		int ch = read_char(p, layers);
		int digit = ch > 0 && ch < 0x80 ? percent_digit((char)ch) : -1;
		if (digit < 0)
			return -1;
		value = value << 4 | digit;
	}
	return value;
}

/* Moves *p past `word`. Returns false if another text is there; then *p may be
 * anywhere. */
static bool
pass(const char **p, const char *word, int layers)
{
	while (*word != '\0' && read_char(p, layers) == (unsigned char)*word)
		word++;
	return *word == '\0';
}

/* Returns the character of an HTML reference, read from after its "&"; the
 * semicolon may be missing. Returns -1 if there is no such reference. */
static int
read_reference(const char **p, int layers)
{
	const char *start = *p, *behind;
	int value = 0, base = 10, digits = 0, digit, ch;

	if (pass(p, "lowbar;", layers))
		return '_';
	*p = start;
	if (pass(p, "UnderBar;", layers))
		return '_';
	*p = start;
	if (!pass(p, "#", layers))
		return -1;
	behind = *p;
	ch = read_char(p, layers);
	if (ch == 'x' || ch == 'X') {
		base = 16;
		behind = *p;
		ch = read_char(p, layers);
	}
	for (; digits < 8; digits++) {
		digit = ch > 0 && ch < 0x80 ? percent_digit((char)ch) : -1;
		if (digit < 0 || digit >= base || value > 0xFFFF)
			break;
		value = value * base + digit;
		behind = *p;
		ch = read_char(p, layers);
	}
	if (ch != ';')
		*p = behind;
	return digits > 0 ? value : -1;
}

/* Returns the character whose digits are after "u{", and moves *p to their end;
 * or returns -1. */
static int
read_braced(const char **p, int layers)
{
	int value = 0, ch = read_char(p, layers);

	for (int digits = 0; digits < 8 && ch != '}'; digits++) {
		int digit = ch > 0 && ch < 0x80 ? percent_digit((char)ch) : -1;
		if (digit < 0 || value > 0xFFFF)
			return -1;
		value = value << 4 | digit;
		ch = read_char(p, layers);
	}
	return ch == '}' ? value : -1;
}

/* Returns the character whose escape is after a backslash (u005f, u{5f}, x5f or
 * 137), or -1. */
static int
read_backslash(const char **p, int layers)
{
	int ch = read_char(p, layers), value = ch - '0';
	const char *behind = *p;

	if (ch == 'u' && read_char(p, layers) == '{')
		return read_braced(p, layers);
	*p = behind;
	if (ch == 'u')
		return read_hex(p, 4, layers);
	if (ch == 'x')
		return read_hex(p, 2, layers);
	for (int digits = 0; ch >= '0' && ch <= '3' && digits < 2; digits++) {
		int digit = read_char(p, layers);
		if (digit < '0' || digit > '7')
			return -1;
		value = value << 3 | (digit - '0');
	}
	return ch >= '0' && ch <= '3' ? value : -1;
}

/* Returns the character whose escape is after a percent sign (5F or u005f), or
 * -1. */
static int
read_percent(const char **p, int layers)
{
	const char *start = *p;

	if (pass(p, "u", layers))
		return read_hex(p, 4, layers);
	*p = start;
	return read_hex(p, 2, layers);
}

/* Returns the character at *p, with up to `layers` encodings removed, and moves
 * *p after it. Returns 0 at the end of the text, and a value above 0x7F for a
 * byte of a longer character and for any character that no prefix has. */
static int
read_char(const char **p, int layers)
{
	int ch, value = -1;
	const char *behind;

	if (layers == 0)
		return **p == '\0' ? 0 : (unsigned char)*(*p)++;
	ch = read_char(p, layers - 1);
	behind = *p;
	if (ch == '%')
		value = read_percent(p, layers - 1);
	else if (ch == '\\')
		value = read_backslash(p, layers - 1);
	else if (ch == '&')
		value = read_reference(p, layers - 1);
	else
		return ch;
	if (value < 0) {
		*p = behind;
		return ch;
	}
	return value == 0 || value > 0xFF ? 0xFF : value;
}

static int
lower(int ch)
{
	return ch >= 'A' && ch <= 'Z' ? ch - 'A' + 'a' : ch;
}

/* Returns the place after the prefix that begins at `p`, or NULL if none begins
 * there. */
static const char *
behind_prefix(const char *p)
{
	size_t left = sizeof(prefixes) / sizeof(prefixes[0]);
	bool is_other[sizeof(prefixes) / sizeof(prefixes[0])] = { false };

	for (size_t at = 0; left > 0; at++) {
		int ch = lower(read_char(&p, LAYERS));
		for (size_t i = 0; i < sizeof(is_other); i++) {
			if (is_other[i])
				continue;
			if (prefixes[i][at] != ch) {
				is_other[i] = true;
				left--;
			} else if (prefixes[i][at + 1] == '\0') {
				return p;
			}
		}
	}
	return NULL;
}

static bool
is_alphanumeric(int ch)
{
	ch = lower(ch);
	return (ch >= 'a' && ch <= 'z') || (ch >= '0' && ch <= '9');
}

/* Moves past as many letters and digits as are shown of a key at each end. */
static const char *
pass_shown(const char *p)
{
	for (int i = 0; i < SHOWN; i++) {
		if (!is_alphanumeric((unsigned char)*p))
			return NULL;
		p++;
	}
	return p;
}

/* Returns whether the text at `p` continues as a shown key does, and then ends:
 * "Xy3k…9QwZ". */
static bool
is_display(const char *p)
{
	static const char ellipsis[] = "…";

	p = pass_shown(p);
	if (p == NULL || strncmp(p, ellipsis, strlen(ellipsis)) != 0)
		return false;
	p += strlen(ellipsis);
	/* Some lists show only the beginning. */
	if (!is_alphanumeric((unsigned char)*p))
		return true;
	p = pass_shown(p);
	return p != NULL && !is_alphanumeric((unsigned char)*p);
}

/* Returns the end of the secret whose prefix ends at `p`, or `p` if there is no
 * secret. A character that is not ASCII may be an invisible one that was pasted
 * into the secret. */
static const char *
end_of(const char *p)
{
	const char *end = p, *next = p;
	int ch = read_char(&next, LAYERS);

	if (!is_alphanumeric(ch) || is_display(p))
		return p;
	while (is_alphanumeric(ch) || ch == '_' || ch == '-' || ch >= 0x80) {
		end = next;
		ch = read_char(&next, LAYERS);
	}
	return end;
}

/* Returns whether a prefix may begin at `p`, in any spelling. For most characters
 * the first one is enough to say no. */
static bool
may_begin(const char *p)
{
	switch (*p) {
	case 'a':
	case 'A':
		return strchr("bB%\\&", p[1]) != NULL;
	case '%':
	case '\\':
	case '&':
		return true;
	default:
		return false;
	}
}

/* Finds the next secret from `p` on: *from is the place after its prefix, *to
 * its end. Returns false if there is none. */
static bool
find(const char *p, const char **from, const char **to)
{
	for (; *p != '\0'; p++) {
		*from = may_begin(p) ? behind_prefix(p) : NULL;
		if (*from == NULL)
			continue;
		*to = end_of(*from);
		if (*to > *from)
			return true;
	}
	return false;
}

bool
mask_finds(const char *text)
{
	const char *from, *to;

	return find(text, &from, &to);
}

void
mask_secrets(char *text)
{
	const char *from, *to, *p = text;

	while (find(p, &from, &to)) {
		memset(text + (from - text), '*', (size_t)(to - from));
		p = to;
	}
}
