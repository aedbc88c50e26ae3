#include "content/slug.h"

#include <string.h>

#include <utf8proc.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "content/lang.h"

#define DERIVED_MAX 80 /* code points */
#define EXPLICIT_MAX 200
#define DATE_LENGTH 10 /* of "2026-09-01" */
#define NEAR 30 /* a cut at a hyphen may lose at most this many code points */

static const char *
lower_case(struct arena *a, const char *text)
{
	struct buf out;
	const char *p = lang_nfc(a, text);

	/* No code point grows by more than two bytes in lower case. */
	buf_init(&out, a, 3 * strlen(p));
	while (*p != '\0')
		buf_add_code_point(
		    &out, (uint32_t)utf8proc_tolower((utf8proc_int32_t)utf8_next(&p)));
	return lang_nfc(a, buf_done(&out));
}

/* Returns the slug of a text without a limit of length: its letters, digits and
 * marks in lower case, with one hyphen for each run of other characters between
 * them. Returns "" if nothing is left. */
static char *
reduced(struct arena *a, const char *text)
{
	const char *p = lower_case(a, text);
	struct buf out;
	bool gap = false;

	buf_init(&out, a, strlen(p));
	while (*p != '\0') {
		uint32_t cp = utf8_next(&p);
		if (!lang_is_word(cp)) {
			gap = true;
			continue;
		}
		if (gap && out.len > 0)
			buf_add_char(&out, '-');
		gap = false;
		buf_add_code_point(&out, cp);
	}
	return out.data;
}

static bool
begins_with_mark(const char *p)
{
	return lang_is_mark(utf8_next(&p));
}

/* Returns where to cut a slug to at most `max` code points: at the end of a word,
 * else at the last hyphen within NEAR code points, else at any character that no
 * mark follows. */
static size_t
cut_length(const char *slug, size_t max)
{
	size_t cut = utf8_prefix(slug, max);
	size_t near = utf8_prefix(slug, max > NEAR ? max - NEAR : 0);
	const char *p = slug + cut, *hyphen;

	if (*p == '\0' || *p == '-')
		return cut;
	hyphen = memrchr(slug + near, '-', cut - near);
	if (hyphen != NULL)
		return (size_t)(hyphen - slug);
	while (p > slug && begins_with_mark(p)) {
		do
			p--;
		while (p > slug && ((unsigned char)*p & 0xC0) == 0x80);
	}
	return (size_t)(p - slug);
}

const char *
slug_make(struct arena *a, const char *text)
{
	char *slug = reduced(a, text);

	slug[cut_length(slug, DERIVED_MAX)] = '\0';
	return slug[0] != '\0' ? slug : "article";
}

bool
slug_is_valid(struct arena *a, const char *text)
{
	size_t len = utf8_length(text);

	return len >= 1 && len <= EXPLICIT_MAX && strcmp(reduced(a, text), text) == 0;
}

const char *
slug_numbered(struct arena *a, const char *slug, unsigned number)
{
	const char *suffix = arena_printf(a, "-%u", number);
	size_t cut = cut_length(slug, DERIVED_MAX - strlen(suffix));

	return arena_printf(a, "%.*s%s", (int)cut, slug, suffix);
}

static bool
is_digit(char ch)
{
	return ch >= '0' && ch <= '9';
}

/* Returns whether a name begins with "2026-09-01". */
static bool
is_date(const char *name)
{
	static const char form[] = "0000-00-00";

	for (size_t i = 0; i < DATE_LENGTH; i++) {
		if (form[i] == '0' ? !is_digit(name[i]) : name[i] != form[i])
			return false;
	}
	return true;
}

/* Returns the name without "2026-09-01-" at its beginning. The date stays if
 * nothing follows it. */
static const char *
without_date(const char *name)
{
	if (!is_date(name))
		return name;
	if (strchr("-_ .", name[10]) == NULL || name[10] == '\0' || name[11] == '\0')
		return name;
	return name + 11;
}

/* Returns the last component of the first `len` bytes of a path. */
static const char *
component(struct arena *a, const char *path, size_t len)
{
	size_t from;

	while (len > 0 && path[len - 1] == '/')
		len--;
	from = len;
	while (from > 0 && path[from - 1] != '/')
		from--;
	return arena_text_n(a, path + from, len - from);
}

const char *
slug_of_file(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash == NULL ? path : slash + 1;
	const char *dot = strrchr(name, '.');
	const char *folder;

	if (dot != NULL && dot != name)
		name = arena_text_n(a, name, (size_t)(dot - name));
	if (slash != NULL && strcmp(name, "index") == 0) {
		folder = component(a, path, (size_t)(slash - path));
		if (folder[strspn(folder, ".")] != '\0')
			name = folder;
	}
	return slug_make(a, without_date(name));
}

/* Returns whether the slug says nothing about the document: it is a date alone,
 * or "post", "article", "untitled", "draft" or "index", with or without a number. */
static bool
says_nothing(const char *slug)
{
	static const char *const words[] = { "post", "article", "untitled", "draft", "index" };
	size_t end = strlen(slug);

	if (end == DATE_LENGTH && is_date(slug))
		return true;
	while (end > 0 && (is_digit(slug[end - 1]) || slug[end - 1] == '-'))
		end--;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i]) == end && memcmp(words[i], slug, end) == 0)
			return true;
	}
	return false;
}

const char *
slug_of_document(struct arena *a, const char *path, const char *title)
{
	const char *slug = slug_of_file(a, path);

	return says_nothing(slug) ? slug_make(a, title) : slug;
}
