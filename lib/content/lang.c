#include "content/lang.h"

#include <string.h>
#include <strings.h>

#include <utf8proc.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "content/lang-table.h"

#define TAG_MAX 35

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

/* Returns whether a subtag has `min` to `max` letters. */
static bool
letters(const char *subtag, size_t len, size_t min, size_t max)
{
	for (size_t i = 0; i < len; i++) {
		if (!is_alpha(subtag[i]))
			return false;
	}
	return len >= min && len <= max;
}

static bool
letters_or_digits(const char *subtag, size_t len, size_t min, size_t max)
{
	for (size_t i = 0; i < len; i++) {
		if (!is_alpha(subtag[i]) && !is_digit(subtag[i]))
			return false;
	}
	return len >= min && len <= max;
}

/* Returns whether a subtag is two letters or three digits. */
static bool
is_region(const char *subtag, size_t len)
{
	return letters(subtag, len, 2, 2) ||
	       (len == 3 && is_digit(subtag[0]) && is_digit(subtag[1]) && is_digit(subtag[2]));
}

/* Returns whether a subtag has five to eight letters or digits, or four that
 * begin with a digit. */
static bool
is_variant(const char *subtag, size_t len)
{
	return letters_or_digits(subtag, len, 5, 8) ||
	       (len == 4 && is_digit(subtag[0]) && letters_or_digits(subtag, len, 4, 4));
}

/* Returns the length of the subtag at `p`, or 0 at the end. */
static size_t
subtag_length(const char *p)
{
	return strcspn(p, "-");
}

/* Returns the place behind a subtag of `len` characters and the hyphen after it.
 * A hyphen that ends the tag is not passed, and so makes the tag malformed. */
static const char *
past(const char *p, size_t len)
{
	p += len;
	return p[0] == '-' && p[1] != '\0' ? p + 1 : p;
}

/* Returns whether the rest of the tag is extensions ("u-nu-arab") and private use
 * ("x-one"). */
static bool
extensions(const char *p)
{
	while (*p != '\0') {
		bool private_use = *p == 'x' || *p == 'X';
		size_t count = 0, len = subtag_length(p);
		if (!letters_or_digits(p, len, 1, 1))
			return false;
		p = past(p, len);
		while ((len = subtag_length(p)) > (private_use ? 0 : 1)) {
			if (!letters_or_digits(p, len, 1, 8))
				return false;
			p = past(p, len);
			count++;
		}
		if (count == 0)
			return false;
	}
	return true;
}

/* Returns whether a tag is well-formed (RFC 5646 §2.1). */
static bool
is_well_formed(const char *tag)
{
	const char *p = tag;
	size_t len = subtag_length(p);
	int extended = 0;

	if (len == 1 && (*p == 'x' || *p == 'X'))
		return extensions(p);
	if (!letters(p, len, 2, 8))
		return false;
	if (len > 3)
		extended = 3;
	p = past(p, len);
	while (extended++ < 3 && letters(p, len = subtag_length(p), 3, 3))
		p = past(p, len);
	if (letters(p, len = subtag_length(p), 4, 4))
		p = past(p, len);
	if (is_region(p, len = subtag_length(p)))
		p = past(p, len);
	while (is_variant(p, len = subtag_length(p)))
		p = past(p, len);
	return extensions(p);
}

/* Sets the usual case of a subtag: two letters in upper case (US), four with a
 * capital (Latn), all others in lower case. The first subtag and those of
 * extensions are in lower case. */
static void
set_case(char *subtag, size_t len, bool first, bool extension)
{
	for (size_t i = 0; i < len; i++) {
		bool upper = !first && !extension && (len == 2 || (len == 4 && i == 0));
		if (upper && subtag[i] >= 'a' && subtag[i] <= 'z')
			subtag[i] = (char)(subtag[i] - 'a' + 'A');
		else if (!upper && subtag[i] >= 'A' && subtag[i] <= 'Z')
			subtag[i] = (char)(subtag[i] - 'A' + 'a');
	}
}

const char *
lang_clean(struct arena *a, const char *tag)
{
	bool extension = false;
	char *clean, *p;

	if (strlen(tag) > TAG_MAX || !is_well_formed(tag))
		return NULL;
	clean = arena_text(a, tag);
	for (p = clean; *p != '\0';) {
		size_t len = subtag_length(p);
		if (len == 1)
			extension = true;
		set_case(p, len, p == clean, extension);
		p += len + (p[len] == '-');
	}
	return clean;
}

/* Returns whether `text` (`len` bytes) is one of the words of `list`, without
 * case. */
static bool
listed(const char *list, const char *text, size_t len)
{
	const char *p = list;

	while (*p != '\0') {
		size_t word = strcspn(p, " ");
		if (word == len && strncasecmp(p, text, len) == 0)
			return true;
		p += word + (p[word] == ' ');
	}
	return false;
}

bool
lang_is_rtl(const char *tag)
{
	const char *script = lang_table_script(tag);

	if (script != NULL)
		return listed("Arab Hebr Syrc Thaa Nkoo Adlm", script, 4);
	return listed("ar he fa ur ps sd ug yi dv ckb", tag, lang_table_primary(tag));
}

const char *
lang_locale(struct arena *a, const char *tag)
{
	const char *region = lang_table_region(tag);
	const struct lang_row *row = lang_table_row(tag);

	if (region == NULL)
		return row != NULL && row->locale[0] != '\0' ? row->locale : NULL;
	/* Open Graph's territories are countries: es-419 has none. */
	if (is_digit(region[0]))
		return NULL;
	return arena_printf(a, "%.*s_%.2s", (int)lang_table_primary(tag), tag, region);
}

const char *
lang_label(const char *tag, enum lang_label label)
{
	const struct lang_row *row = lang_table_row(tag);

	if (row == NULL)
		row = lang_table_row("en");
	return row->labels[label];
}

/* Returns whether the first `len` bytes of `name` are `heading`, without case. */
static bool
is_same(const char *name, size_t len, const char *heading)
{
	const char *end = name + len;

	while (name < end && *heading != '\0') {
		if (utf8proc_tolower((utf8proc_int32_t)utf8_next(&name)) !=
		    utf8proc_tolower((utf8proc_int32_t)utf8_next(&heading)))
			return false;
	}
	return name == end && *heading == '\0';
}

/* Returns whether one of the names of `list`, separated by "|", is `heading`. */
static bool
is_named(const char *list, const char *heading)
{
	while (*list != '\0') {
		size_t len = strcspn(list, "|");
		if (is_same(list, len, heading))
			return true;
		list += len + (list[len] == '|');
	}
	return false;
}

static bool
row_names(const struct lang_row *row, enum lang_label label, const char *heading)
{
	return row != NULL &&
	       (is_named(row->labels[label], heading) || is_named(row->others[label], heading));
}

bool
lang_names(const char *tag, enum lang_label label, const char *heading)
{
	return row_names(lang_table_row(tag), label, heading) ||
	       row_names(lang_table_row("en"), label, heading);
}
