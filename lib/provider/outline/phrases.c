#include "provider/outline/phrases.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "phrases.gen.h"

#define STOP_MAX 48 /* bytes; no stop word has more */

bool
phrases_is_language(const char *tag, const char *language)
{
	size_t len = strlen(language);

	return strncasecmp(tag, language, len) == 0 && (tag[len] == '\0' || tag[len] == '-');
}

/* Returns whether the tag means Chinese in traditional characters, by its script
 * or its region. */
static bool
is_traditional(const char *tag)
{
	static const char *const marks[] = { "-Hant", "-TW", "-HK", "-MO" };

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		if (strcasestr(tag, marks[i]) != NULL)
			return strcasestr(tag, "-Hans") == NULL;
	}
	return false;
}

static const struct phrases *
find(const char *tag)
{
	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		if (phrases_is_language(tag, list[i].tag))
			return &list[i];
	}
	return NULL;
}

const struct phrases *
phrases_find(const char *tag)
{
	const struct phrases *found;

	if (phrases_is_language(tag, "zh") && is_traditional(tag))
		tag = "zh-Hant";
	found = find(tag);
	return found != NULL ? found : find("en");
}

const char *
phrases_fill(struct ctx *c, const char *phrase, const char *value)
{
	const char *hole = strstr(phrase, "{}");

	if (hole == NULL)
		return phrase;
	return arena_printf(c->arena, "%.*s%s%s", (int)(hole - phrase), phrase, value, hole + 2);
}

const char *
phrases_quote(struct ctx *c, const struct phrases *p, const char *text)
{
	return arena_printf(c->arena, "%s%s%s", p->open, text, p->close);
}

static const char *
words_of(const char *tag)
{
	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		if (list[i].stop != NULL && phrases_is_language(tag, list[i].tag))
			return list[i].stop;
	}
	return NULL;
}

static bool
listed(const char *words, const char *word, size_t len)
{
	char needle[STOP_MAX + 3];

	if (words == NULL || len > STOP_MAX)
		return false;
	snprintf(needle, sizeof(needle), " %.*s ", (int)len, word);
	return strstr(words, needle) != NULL;
}

bool
phrases_is_stop(const char *tag, const char *fold)
{
	size_t len = strlen(fold);

	return listed(words_of(tag), fold, len) || listed(words_of("en"), fold, len);
}

size_t
phrases_stop_han(const char *tag, const char *han, size_t len)
{
	const char *words = words_of(tag);

	if (!phrases_is_language(tag, "zh"))
		return 0;
	/* Try the longest first. Every Han character of the list has three bytes. */
	for (size_t bytes = 9; bytes > 0; bytes -= 3) {
		if (bytes <= len && listed(words, han, bytes))
			return bytes;
	}
	return 0;
}
