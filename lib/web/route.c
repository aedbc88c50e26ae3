#include "web/route.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"

/* Returns whether `path` has the form of `pattern`; *id is then its last part. */
static bool
path_fits(const char *pattern, const char *path, const char **id)
{
	*id = "";
	if (strcmp(pattern, "/{id}") != 0)
		return strcmp(pattern, path) == 0;
	if (path[0] != '/' || path[1] == '\0' || strchr(path + 1, '/') != NULL)
		return false;
	*id = path + 1;
	return true;
}

static bool
method_fits(const char *routed, const char *method)
{
	if (strcmp(routed, method) == 0)
		return true;
	return strcmp(routed, "GET") == 0 && strcmp(method, "HEAD") == 0;
}

/* Returns the methods that the path has, as "GET, HEAD, OPTIONS"; "" if it has none. */
static const char *
methods_of(struct ctx *c, const struct route *routes, const char *path)
{
	const char *methods = "", *id;

	for (const struct route *r = routes; r->method != NULL; r++) {
		if (path_fits(r->pattern, path, &id))
			methods = arena_printf(c->arena, "%s%s, ", methods,
			    strcmp(r->method, "GET") == 0 ? "GET, HEAD" : r->method);
	}
	return methods[0] == '\0' ? "" : arena_printf(c->arena, "%sOPTIONS", methods);
}

struct err *
route_match(struct ctx *c, const struct route *routes, const char *method, const char *path,
    const struct route **found, const char **id, const char **allow)
{
	*allow = "";
	for (const struct route *r = routes; r->method != NULL; r++) {
		if (!method_fits(r->method, method) || !path_fits(r->pattern, path, id))
			continue;
		*found = r;
		return NULL;
	}
	*found = NULL;
	*id = "";
	*allow = methods_of(c, routes, path);
	if ((*allow)[0] == '\0')
		return refuse(c, ERR_NOT_FOUND,
		    "There is no such endpoint. The API's paths are listed in /openapi.json; none ends with a slash.");
	if (strcmp(method, "OPTIONS") == 0)
		return NULL;
	return refuse(c, ERR_METHOD, "This path answers %s only.", *allow);
}
