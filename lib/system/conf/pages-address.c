#include "system/conf/pages-address.h"

#include <stddef.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "system/conf.h"
#include "system/conf/console-conf.h"

/* Returns "https://host[/path]/NAME" (arena), or NULL: no address is set. */
static const char *
below(struct ctx *c, const char *name)
{
	struct console_conf own;
	const char *url;

	console_conf_read(c, &own);
	url = own.pages_url[0] != '\0' ? own.pages_url : c->conf->public_url;
	return url[0] != '\0' ? arena_printf(c->arena, "%s/%s", url, name) : NULL;
}

const char *
pages_address(struct ctx *c)
{
	return below(c, "pages");
}

const char *
pages_script_of(struct ctx *c, const char *name)
{
	return below(c, name);
}

const char *
pages_address_of(struct ctx *c, const char *word)
{
	const char *base = pages_address(c);

	if (word[0] == '\0' || base == NULL)
		return NULL;
	return arena_printf(c->arena, "%s/%s/", base, word);
}
