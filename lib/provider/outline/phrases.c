#include "provider/outline/phrases.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ctx.h"

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
find_in(const struct phrases_family *family, const char *tag)
{
	for (size_t i = 0; i < family->count; i++) {
		if (phrases_is_language(tag, family->list[i].tag))
			return &family->list[i];
	}
	return NULL;
}

const struct phrases *
phrases_find(const char *tag)
{
	static const struct phrases_family *const families[] = { &phrases_germanic,
		&phrases_romance, &phrases_slavic, &phrases_western, &phrases_eastern };
	const struct phrases *found = NULL;

	if (phrases_is_language(tag, "zh") && is_traditional(tag))
		tag = "zh-Hant";
	for (size_t i = 0; found == NULL && i < 5; i++)
		found = find_in(families[i], tag);
	return found != NULL ? found : &phrases_germanic.list[0];
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
