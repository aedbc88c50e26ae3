#include "console/headers.h"

#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "web/req.h"

void
headers_read(const struct exchange *x, struct headers *out)
{
	const struct {
		const char *name;
		const char **value;
	} wanted[] = {
		{ "HTTP_HOST=", &out->host },
		{ "HTTP_ORIGIN=", &out->origin },
		{ "HTTP_SEC_FETCH_SITE=", &out->fetch_site },
		{ "HTTP_COOKIE=", &out->cookie },
		{ "CONTENT_TYPE=", &out->content_type },
		{ "HTTP_USER_AGENT=", &out->user_agent },
		{ "HTTP_ACCEPT=", &out->accept },
		{ "HTTP_ACCEPT_LANGUAGE=", &out->accept_language },
	};

	memset(out, 0, sizeof(*out));
	for (char *const *v = x->variables; *v != NULL; v++) {
		for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
			size_t len = strlen(wanted[i].name);
			if (strncmp(*v, wanted[i].name, len) == 0)
				*wanted[i].value = *v + len;
		}
	}
}

const char *
headers_cookie(struct ctx *c, const struct headers *h, const char *name)
{
	const char *p = h->cookie, *found = NULL;
	size_t len = strlen(name);

	while (p != NULL && *p != '\0') {
		size_t whole = strcspn(p, ";");
		if (whole > len && strncmp(p, name, len) == 0 && p[len] == '=') {
			if (found != NULL)
				return NULL;
			found = arena_text_n(c->arena, p + len + 1, whole - len - 1);
		}
		p += whole;
		p += strspn(p, "; ");
	}
	return found;
}
