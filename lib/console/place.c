#include "console/place.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "system/conf.h"

void
place_read(struct ctx *c, struct place *out)
{
	const char *url = c->conf->public_url;
	const char *host = strstr(url, "://"), *path;

	out->secure = strncmp(url, "https:", 6) == 0;
	path = host != NULL ? strchr(host + 3, '/') : NULL;
	out->origin = path != NULL
	    ? arena_text_n(c->arena, url, (size_t)(path - url)) : url;
	out->root = arena_printf(c->arena, "%s/console", path != NULL ? path : "");
	if (!out->secure)
		out->cookie = "galley";
	else
		out->cookie = path == NULL ? "__Host-galley" : "__Secure-galley";
	/* A cookie whose name begins with __Host- must be of the whole host. */
	out->cookie_path = path == NULL && out->secure ? "/" : out->root;
}

/* A Host header has no port where the scheme's own is meant. */
bool
place_is_here(struct ctx *c, const struct place *p, const char *host, bool https)
{
	const char *known = strstr(p->origin, "://"), *port;
	size_t len;

	if (known == NULL || host == NULL || https != p->secure)
		return false;
	known += 3;
	len = strlen(host);
	port = p->secure ? ":443" : ":80";
	if (len > strlen(port) && strcmp(host + len - strlen(port), port) == 0)
		host = arena_text_n(c->arena, host, len - strlen(port));
	return strcasecmp(known, host) == 0;
}
