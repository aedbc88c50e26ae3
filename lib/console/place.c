#include "console/place.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "system/conf.h"
#include "system/conf/conf-address.h"
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

static void
place_at(struct ctx *c, const char *url, struct place *out)
{
	const char *host = strstr(url, "://"), *path;

	out->secure = strncmp(url, "https:", 6) == 0;
	path = host != NULL ? strchr(host + 3, '/') : NULL;
	out->origin =
	    without_port(c, url, path != NULL ? (size_t)(path - url) : strlen(url), out->secure);
	out->root = arena_printf(c->arena, "%s/console", path != NULL ? path : "");
	if (!out->secure)
		out->cookie = "galley";
	else
		out->cookie = path == NULL ? "__Host-galley" : "__Secure-galley";
	/* A cookie whose name begins with __Host- must be of the whole host. */
	out->cookie_path = path == NULL && out->secure ? "/" : out->root;
}

void
place_read(struct ctx *c, struct place *out)
{
	struct console_conf own;

	console_conf_read(c, &own);
	place_at(c, own.url[0] != '\0' ? own.url : c->conf->public_url, out);
}

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
#define HOST_MAX 260 /* bytes, with a port */

/* Returns whether a text can be the host and port of an address. */
static bool
is_host(const char *text)
{
	size_t len = strspn(text, LETTERS ".-[:]");

	return len > 0 && text[len] == '\0' && len <= HOST_MAX && strchr(".-:]", text[0]) == NULL;
}

bool
place_of_request(struct ctx *c, struct place *out, const char *host, bool https, const char *target,
    const char *path)
{
	const char *below = arena_printf(c->arena, "/console%s", path);
	size_t len = strcspn(target, "?"), end = strlen(below);
	const char *above, *url;

	if (host == NULL || !is_host(host) || len < end ||
	    strncmp(target + len - end, below, end) != 0)
		return false;
	above = arena_text_n(c->arena, target, len - end);
	if (above[strspn(above, LETTERS "._~/-")] != '\0' || strstr(above, "//") != NULL ||
	    strstr(above, "..") != NULL)
		return false;
	url = arena_printf(c->arena, "%s://%s%s", https ? "https" : "http", host, above);
	if (conf_address_check(c, "public_url", url) != NULL)
		return false;
	place_at(c, url, out);
	return true;
}

const char *
place_url(struct ctx *c, const struct place *p)
{
	size_t above = strlen(p->root) - strlen("/console");

	return arena_printf(c->arena, "%s%.*s", p->origin, (int)above, p->root);
}

bool
place_is_here(struct ctx *c, const struct place *p, const char *host, bool https)
{
	const char *known = strstr(p->origin, "://");

	if (known == NULL || host == NULL || https != p->secure)
		return false;
	return strcasecmp(known + 3, without_port(c, host, strlen(host), https)) == 0;
}
