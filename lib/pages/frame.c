#include "pages/frame.h"

#include <string.h>

#include "base/arena.h"
#include "frame.js.h"
#include "screen/hwrite.h"

#define NAME "frame-" FRAME_JS_DIGEST ".js"

const char *
frame_script_find(const char *name, size_t *len)
{
	if (strcmp(name, NAME) != 0)
		return NULL;
	*len = sizeof(frame_js) - 1;
	return frame_js;
}

void
frame_write(struct hwrite *w, struct arena *a, const char *root, const char *below,
    const char *origins, const char *site)
{
	size_t above = strlen(root) - strlen("/pages");

	if (origins[0] == '\0')
		return;
	hwrite_open(w, H_SCRIPT);
	hwrite_address(w, A_SRC, arena_printf(a, "%s/assets/" NAME, root));
	hwrite_flag(w, A_DEFER, true);
	hwrite_data(w, "below", below);
	hwrite_data(w, "origins", origins);
	if (site != NULL) {
		hwrite_data(w, "site", site);
		hwrite_data(w, "collect", arena_printf(a, "%.*s/collect.js", (int)above, root));
	}
	hwrite_close(w, H_SCRIPT);
}
