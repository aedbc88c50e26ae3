#include "screen/style.h"

#include <string.h>

#include "base/arena.h"
#include "console.css.h"
#include "console.js.h"
#include "sending.js.h"
#include "zone.js.h"

#define NAME "console-" CONSOLE_CSS_DIGEST ".css"
#define SCRIPT "console-" CONSOLE_JS_DIGEST ".js"
#define SENDING "sending-" SENDING_JS_DIGEST ".js"
#define ZONE "zone-" ZONE_JS_DIGEST ".js"

const char *
style_address(struct arena *a, const char *root)
{
	return arena_printf(a, "%s/assets/" NAME, root);
}

const char *
style_script_address(struct arena *a, const char *root)
{
	return arena_printf(a, "%s/assets/" SCRIPT, root);
}

const char *
style_sending_address(struct arena *a, const char *root)
{
	return arena_printf(a, "%s/assets/" SENDING, root);
}

const char *
style_zone_address(struct arena *a, const char *root)
{
	return arena_printf(a, "%s/assets/" ZONE, root);
}

const char *
style_find(const char *name, size_t *len)
{
	if (strcmp(name, SCRIPT) == 0) {
		*len = sizeof(console_js) - 1;
		return console_js;
	}
	if (strcmp(name, SENDING) == 0) {
		*len = sizeof(sending_js) - 1;
		return sending_js;
	}
	if (strcmp(name, ZONE) == 0) {
		*len = sizeof(zone_js) - 1;
		return zone_js;
	}
	if (strcmp(name, NAME) != 0)
		return NULL;
	*len = sizeof(console_css) - 1;
	return console_css;
}
