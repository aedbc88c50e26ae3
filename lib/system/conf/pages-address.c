#include "system/conf/pages-address.h"

#include <stddef.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "system/conf.h"
#include "system/conf/console-conf.h"

const char *
pages_address(struct ctx *c)
{
	struct console_conf own;
	const char *url;

	console_conf_read(c, &own);
	url = own.pages_url[0] != '\0' ? own.pages_url : c->conf->public_url;
	return url[0] != '\0' ? arena_printf(c->arena, "%s/pages", url) : NULL;
}
