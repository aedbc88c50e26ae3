#include "access/scope.h"

#include <string.h>

#include "base/arena.h"

static const struct {
	enum scope scope;
	const char *name;
} table[] = {
	{ SCOPE_READ, "articles:read" },
	{ SCOPE_DRAFTS, "drafts:read" },
	{ SCOPE_GENERATE, "articles:generate" },
};

#define COUNT (sizeof(table) / sizeof(table[0]))

const char *
scope_name(enum scope scope)
{
	for (size_t i = 0; i < COUNT; i++) {
		if (table[i].scope == scope)
			return table[i].name;
	}
	return "";
}

static unsigned
named(const char *name, size_t len)
{
	for (size_t i = 0; i < COUNT; i++) {
		if (strlen(table[i].name) == len && memcmp(table[i].name, name, len) == 0)
			return table[i].scope;
	}
	return 0;
}

unsigned
scope_from_name(const char *name)
{
	return named(name, strlen(name));
}

unsigned
scope_from_text(const char *text)
{
	unsigned scopes = 0;

	while (*text != '\0') {
		size_t len = strcspn(text, " ");
		scopes |= named(text, len);
		text += len;
		text += strspn(text, " ");
	}
	return scopes;
}

const char *
scope_to_text(struct arena *a, unsigned scopes)
{
	const char *text = "";

	for (size_t i = 0; i < COUNT; i++) {
		if ((scopes & table[i].scope) != 0)
			text = arena_printf(
			    a, "%s%s%s", text, text[0] != '\0' ? " " : "", table[i].name);
	}
	return text;
}
