#include "pages/site.h"

#include <string.h>

#include "base/buf.h"
#include "base/ctx.h"
#include "web/req.h"

/* Writes a value with an escape for each byte that is no letter, digit, or one of -._~. */
static void
add_value(struct buf *out, const char *value)
{
	static const char plain[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

	for (; *value != '\0'; value++) {
		if (strchr(plain, *value) != NULL)
			buf_add_char(out, *value);
		else
			buf_printf(out, "%%%02X", (unsigned)(unsigned char)*value);
	}
}

const char *
site_address(struct ctx *c, const struct site *s, const char *path)
{
	const struct param *params = s->r->route->params;
	struct buf out;
	char before = '?';

	buf_init(&out, c->arena, 4 * REQ_TARGET_MAX);
	buf_add_text(&out, s->home);
	buf_add_text(&out, path);
	for (int i = 0; params != NULL && params[i].name != NULL; i++) {
		if (s->r->param[i].text == NULL)
			continue;
		buf_printf(&out, "%c%s=", before, params[i].name);
		add_value(&out, s->r->param[i].text);
		before = '&';
	}
	return buf_done(&out);
}
