#include "stats/label.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/percent.h"
#include "base/utf8.h"
#include "stats/part.h"

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
