#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/mask.h"
#include "system/conf.h"

const char *
conf_shown(struct ctx *c, const char *value)
{
	char *text = arena_text(c->arena, value), *at, *host;

	mask_secrets(text);
	host = strstr(text, "://");
	at = host != NULL ? strchr(host, '@') : NULL;
	if (at != NULL && at < host + 3 + strcspn(host + 3, "/?#"))
		memset(host + 3, '*', (size_t)(at - host - 3));
	return text;
}
