#include "console/place.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "system/conf.h"
#include "system/conf/console-conf.h"

/* Returns `len` bytes of a host, or of an origin, without the scheme's own port: browsers
 * send it in neither Host nor Origin. */
static const char *
without_port(struct ctx *c, const char *text, size_t len, bool https)
{
	const char *port = https ? ":443" : ":80";
	size_t port_len = strlen(port);

	if (len > port_len && memcmp(text + len - port_len, port, port_len) == 0)
		len -= port_len;
	return arena_text_n(c->arena, text, len);
}

void
place_read(struct ctx *c, struct place *out)
{
	struct console_conf own;
	const char *url, *host, *path;

	console_conf_read(c, &own);
	url = own.url[0] != '\0' ? own.url : c->conf->public_url;
	host = strstr(url, "://");

	out->secure = strncmp(url, "https:", 6) == 0;
	path = host != NULL ? strchr(host + 3, '/') : NULL;
	out->origin = without_port(c, url, path != NULL ? (size_t)(path - url)
							: strlen(url), out->secure);
	out->root = arena_printf(c->arena, "%s/console", path != NULL ? path : "");
	if (!out->secure)
		out->cookie = "galley";
	else
		out->cookie = path == NULL ? "__Host-galley" : "__Secure-galley";
	/* A cookie whose name begins with __Host- must be of the whole host. */
	out->cookie_path = path == NULL && out->secure ? "/" : out->root;
}

bool
place_is_here(struct ctx *c, const struct place *p, const char *host, bool https)
{
	const char *known = strstr(p->origin, "://");

	if (known == NULL || host == NULL || https != p->secure)
		return false;
	return strcasecmp(known + 3, without_port(c, host, strlen(host), https)) == 0;
}
