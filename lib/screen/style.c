#include "screen/style.h"

#include <string.h>

#include "base/arena.h"
#include "console.css.h"

#define NAME "console-" CONSOLE_CSS_DIGEST ".css"

const char *
style_address(struct arena *a, const char *root)
{
	return arena_printf(a, "%s/assets/" NAME, root);
}

const char *
style_find(const char *name, size_t *len)
{
	if (strcmp(name, NAME) != 0)
		return NULL;
	*len = sizeof(console_css) - 1;
	return console_css;
}
