#include "web/route.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"

/* Whether `path` has the form of `pattern`; then *id is its last part. */
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

/* "GET, HEAD, OPTIONS": one more method that the path has. */
static const char *
allow_add(struct ctx *c, const char *allow, const char *method)
{
	return arena_printf(c->arena, "%s%s%s%s", allow,
	    allow[0] != '\0' ? ", " : "", method,
	    strcmp(method, "GET") == 0 ? ", HEAD" : "");
}

struct err *
route_match(struct ctx *c, const struct route *routes, const char *method,
    const char *path, const struct route **found, const char **id,
    const char **allow)
{
	const char *this_id;

	*found = NULL;
	*id = "";
	*allow = "";
	for (const struct route *r = routes; r->method != NULL; r++) {
		if (!path_fits(r->pattern, path, &this_id))
			continue;
		*id = this_id;
		*allow = allow_add(c, *allow, r->method);
		if (method_fits(r->method, method))
			*found = r;
	}
	if ((*allow)[0] == '\0')
		return refuse(c, ERR_NOT_FOUND,
		    "There is no such endpoint. The API's paths are listed in"
		    " /openapi.json; none ends with a slash.");
	*allow = arena_printf(c->arena, "%s, OPTIONS", *allow);
	if (*found != NULL || strcmp(method, "OPTIONS") == 0)
		return NULL;
	return refuse(c, ERR_METHOD, "This path answers %s only.", *allow);
}
