#include "stats/label.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/encoding.h"
#include "base/utf8.h"
#include "base/uuid.h"

#define LABEL_PATH_MAX 300 /* bytes */

/* ---- parts of addresses */

#define RUN_MIN 16 /* characters of a token without separators */
#define LETTERS_MIN 20 /* the same of one without digits */
#define DIGITS_MIN 9 /* the same of one that is a number: of a telephone or a customer */
#define WHOLE_MIN 24 /* characters of one with separators */
#define CHANGES_MIN 4
#define WHOLE_CHANGES_MIN 8

enum letter_class { OTHER, DIGIT, LOWER, UPPER };

static enum letter_class
class_of(char ch)
{
	if (ch >= '0' && ch <= '9')
		return DIGIT;
	if (ch >= 'a' && ch <= 'z')
		return LOWER;
	return ch >= 'A' && ch <= 'Z' ? UPPER : OTHER;
}

/* Letters and digits that nothing separates. */
struct run {
	size_t len, digits, hex;
	int changes; /* of class, but for the capital of a word */
};

/* Reads the run that begins at `p`. */
static struct run
read_run(const char *p, const char *end)
{
	struct run r = { 0 };

	for (; p < end && class_of(*p) != OTHER; p++, r.len++) {
		r.digits += class_of(*p) == DIGIT;
		r.hex += memchr("0123456789abcdefABCDEF", *p, 22) != NULL;
		if (r.len == 0 || class_of(p[-1]) == class_of(*p))
			continue;
		r.changes += !(r.len == 1 && class_of(p[-1]) == UPPER && class_of(*p) == LOWER);
	}
	return r;
}

static bool
is_token(const struct run *r)
{
	bool mixed = r->digits > 0 && r->digits < r->len;

	if (r->digits == r->len)
		return r->len >= DIGITS_MIN;
	if (mixed && r->len >= RUN_MIN && (r->hex == r->len || r->changes >= CHANGES_MIN))
		return true;
	return r->len >= LETTERS_MIN && r->changes > CHANGES_MIN;
}

/* Returns whether a text has an e-mail address in it. */
static bool
part_has_email(const char *part, size_t len)
{
	if (memmem(part, len, "%2540", 5) != NULL)
		return true;
	for (size_t i = 1; i < len; i++) {
		if (part[i] == '@' && memchr(part + i, '.', len - i) != NULL)
			return true;
	}
	return false;
}

static bool
has_uuid(const char *part, size_t len)
{
	char text[UUID_TEXT];

	for (size_t i = 0; i + UUID_TEXT - 1 <= len; i++) {
		memcpy(text, part + i, UUID_TEXT - 1);
		text[UUID_TEXT - 1] = '\0';
		if (uuid_parse(text, NULL))
			return true;
	}
	return false;
}

bool
part_is_personal(const char *part, size_t len)
{
	const char *end = part + len;
	int changes = 0;

	if (part_has_email(part, len) || has_uuid(part, len))
		return true;
	for (const char *p = part; p < end; p++) {
		struct run r = read_run(p, end);
		if (is_token(&r))
			return true;
		changes += r.changes;
		p += r.len;
	}
	return len >= WHOLE_MIN && changes >= WHOLE_CHANGES_MIN;
}

/* ---- labels */

#define HOST_MAX 259 /* 253, a colon and five digits */
#define CAMPAIGN_MAX 120
#define BOT_MAX 32

static bool
is_digit(char ch)
{
	return ch >= '0' && ch <= '9';
}

static bool
is_lower(char ch)
{
	return ch >= 'a' && ch <= 'z';
}

static bool
is_upper(char ch)
{
	return ch >= 'A' && ch <= 'Z';
}

/* Returns whether a text has only characters that are shown. */
static bool
is_shown(const char *text)
{
	const char *p = text;

	if (!utf8_valid(text, strlen(text)) || utf8_forbidden(text, true) != NULL)
		return false;
	while (*p != '\0') {
		if (utf8_is_obeyed(utf8_next(&p)))
			return false;
	}
	return true;
}

/* ---- paths */

/* Returns a part of a path as it is counted. */
static const char *
part_of(struct arena *a, const char *part, size_t len)
{
	const char *text = percent_decode(a, part, len);

	if (text == NULL || !is_shown(text) || part_is_personal(text, strlen(text)))
		return PART_HIDDEN;
	return arena_text_n(a, part, len);
}

const char *
label_path(struct arena *a, const char *path)
{
	char out[LABEL_PATH_MAX + 1];
	size_t used = 0;

	if (path == NULL || path[0] != '/' || !is_shown(path))
		return NULL;
	while (*path == '/') {
		size_t len = strcspn(path + 1, "/?#"), more;
		const char *part = part_of(a, path + 1, len);
		more = strlen(part);
		if (used + 1 + more > LABEL_PATH_MAX)
			break;
		out[used] = '/';
		memcpy(out + used + 1, part, more);
		used += 1 + more;
		path += 1 + len;
	}
	return used == 0 ? "/" : arena_text_n(a, out, used);
}

/* ---- others */

const char *
label_host(struct arena *a, const char *host)
{
	size_t len = host == NULL ? 0 : strlen(host);
	char *out;

	if (len == 0 || len > HOST_MAX || host[0] == '.' || host[0] == '-')
		return NULL;
	out = arena_text(a, host);
	for (char *p = out; *p != '\0'; p++) {
		if (is_upper(*p))
			*p = (char)(*p - 'A' + 'a');
		if (!is_lower(*p) && !is_digit(*p) && strchr("-._:[]", *p) == NULL)
			return NULL;
	}
	return out;
}

const char *
label_campaign(struct arena *a, const char *text)
{
	if (text == NULL || text[0] == '\0' || !is_shown(text))
		return NULL;
	/* What a person gave as a name is no address of a person. */
	if (part_has_email(text, strlen(text)))
		return PART_HIDDEN;
	return arena_text_n(a, text, utf8_prefix(text, CAMPAIGN_MAX));
}

const char *
label_language(struct arena *a, const char *tag)
{
	size_t len = tag == NULL ? 0 : strcspn(tag, "-_");
	char *out;

	if (len < 2 || len > 3)
		return NULL;
	out = arena_text_n(a, tag, len);
	for (char *p = out; *p != '\0'; p++) {
		if (is_upper(*p))
			*p = (char)(*p - 'A' + 'a');
		if (!is_lower(*p))
			return NULL;
	}
	return out;
}

const char *
label_width(const char *text)
{
	static const char *const classes[] = { "xs", "s", "m", "l", "xl" };

	for (size_t i = 0; text != NULL && i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (strcmp(text, classes[i]) == 0)
			return classes[i];
	}
	return NULL;
}

const char *
label_bot(struct arena *a, const char *text)
{
	size_t len = text == NULL ? 0 : strlen(text);

	if (len == 0 || len > BOT_MAX ||
	    strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") != len)
		return NULL;
	return arena_text(a, text);
}
