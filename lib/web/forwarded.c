#include "web/forwarded.h"

#include <string.h>

#include "web/req.h"

/* Returns the value of a variable of the request, or NULL. */
static const char *
value_of(const struct req *r, const char *name)
{
	size_t len = strlen(name);

	for (char *const *v = r->exchange->variables; *v != NULL; v++) {
		if (strncmp(*v, name, len) == 0 && (*v)[len] == '=')
			return *v + len + 1;
	}
	return NULL;
}

bool
forwarded_unknown(const struct req *r)
{
	const char *peer = value_of(r, "REMOTE_ADDR");

	/* Behind a trusted proxy the address is that of its client. */
	if (peer == NULL || strcmp(peer, r->address) != 0)
		return false;
	return value_of(r, "HTTP_FORWARDED") != NULL ||
	       value_of(r, "HTTP_X_FORWARDED_FOR") != NULL || value_of(r, "HTTP_VIA") != NULL;
}
