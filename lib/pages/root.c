#include "pages/root.h"

#include <stddef.h>
#include <string.h>

#include "base/ctx.h"
#include "system/conf/pages-address.h"

const char *
root_address(struct ctx *c)
{
	const char *address = c->conf != NULL ? pages_address(c) : NULL;

	return address != NULL ? address : "/pages";
}

const char *
root_path(struct ctx *c)
{
	const char *address = root_address(c), *host = strstr(address, "://");

	return host != NULL ? strchr(host + 3, '/') : address;
}
