#include "stats/part.h"

#include <string.h>

#include "base/uuid.h"

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

bool
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
