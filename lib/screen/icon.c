#include "screen/icon.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "icon.svg.h"

#define NAME "icon-" ICON_SVG_DIGEST ".svg"

void
icon_write(struct hwrite *w, const char *root)
{
	hwrite_open(w, H_LINK);
	hwrite_attr(w, A_REL, "icon");
	hwrite_address(w, A_HREF, arena_printf(w->out->arena, "%s/assets/" NAME, root));
}

const char *
icon_find(const char *name, size_t *len)
{
	if (strcmp(name, NAME) != 0)
		return NULL;
	*len = sizeof(icon_svg) - 1;
	return icon_svg;
}
