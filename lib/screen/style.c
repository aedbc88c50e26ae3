#include "screen/style.h"

#include <string.h>

#include "base/arena.h"
#include "console.css.h"
#include "console.js.h"
#include "copy.js.h"
#include "sending.js.h"
#include "zone.js.h"

#define NAME "console-" CONSOLE_CSS_DIGEST ".css"
#define SCRIPT "console-" CONSOLE_JS_DIGEST ".js"
#define SENDING "sending-" SENDING_JS_DIGEST ".js"
#define ZONE "zone-" ZONE_JS_DIGEST ".js"
#define COPY "copy-" COPY_JS_DIGEST ".js"

static const struct {
	const char *name, *bytes;
	size_t len;
} assets[] = {
	{ NAME, console_css, sizeof(console_css) - 1 },
	{ SCRIPT, console_js, sizeof(console_js) - 1 },
	{ SENDING, sending_js, sizeof(sending_js) - 1 },
	{ ZONE, zone_js, sizeof(zone_js) - 1 },
	{ COPY, copy_js, sizeof(copy_js) - 1 },
};

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
style_copy_address(struct arena *a, const char *root)
{
	return arena_printf(a, "%s/assets/" COPY, root);
}

const char *
style_find(const char *name, size_t *len)
{
	for (size_t i = 0; i < sizeof(assets) / sizeof(assets[0]); i++) {
		if (strcmp(name, assets[i].name) != 0)
			continue;
		*len = assets[i].len;
		return assets[i].bytes;
	}
	return NULL;
}
