/* Query parameters: decodes them, and reads the values of a route's table. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/percent.h"
#include "base/utf8.h"
#include "web/req.h"

/* Decodes %XX and +. Returns NULL for a bad escape, a NUL or invalid UTF-8. */
static const char *
decoded(struct ctx *c, const char *text, size_t len)
{
	char *out = arena_alloc(c->arena, len + 1);
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		char ch = text[i];
		if (ch == '+')
			ch = ' ';
		if (ch == '%') {
			int byte = percent_byte(text + i, text + len);
			if (byte < 0)
				return NULL;
			ch = (char)byte;
			i += 2;
		}
		out[n++] = ch;
	}
	return utf8_valid(out, n) ? out : NULL;
}

/* Finds the next name and value of a query; false at its end. */
static bool
next_pair(
    const char **p, const char **name, size_t *name_len, const char **value, size_t *value_len)
{
	const char *equals;
	size_t len;

	while (**p == '&')
		(*p)++;
	if (**p == '\0')
		return false;
	len = strcspn(*p, "&");
	equals = memchr(*p, '=', len);
	*name = *p;
	*name_len = equals != NULL ? (size_t)(equals - *p) : len;
	*value = equals != NULL ? equals + 1 : *p + len;
	*value_len = (size_t)(*p + len - *value);
	*p += len;
	return true;
}

/* Returns the index in the table of a name as the client sent it, or -1. */
static int
index_of(struct ctx *c, const struct param *params, const char *name, size_t len)
{
	const char *plain = decoded(c, name, len);

	for (int i = 0; plain != NULL && params[i].name != NULL; i++) {
		if (strcmp(params[i].name, plain) == 0)
			return i;
	}
	return -1;
}

unsigned
req_scopes(struct ctx *c, const struct req *r)
{
	const struct param *params = r->route->params;
	unsigned scopes = r->route->scope;
	const char *p = r->query, *name, *value;
	size_t name_len, value_len;

	while (params != NULL && next_pair(&p, &name, &name_len, &value, &value_len)) {
		int i = index_of(c, params, name, name_len);
		const char *text = decoded(c, value, value_len);
		if (i >= 0 && text != NULL && strcmp(text, "true") == 0)
			scopes |= params[i].scope;
	}
	return scopes;
}

static struct err *
read_number(struct ctx *c, const struct param *p, const char *text, struct param_value *out)
{
	bool digits =
	    text[0] != '\0' && strspn(text, "0123456789") == strlen(text) && strlen(text) < 10;

	out->number = digits ? strtoll(text, NULL, 10) : -1;
	if (digits && out->number >= p->min && out->number <= p->max)
		return NULL;
	return err_param(c, p->name, "%s must be a whole number from %lld to %lld.", p->name,
	    (long long)p->min, (long long)p->max);
}

static struct err *
read_value(struct ctx *c, const struct param *p, const char *text, struct param_value *out)
{
	out->given = true;
	if (text == NULL)
		return err_param(c, p->name,
		    "%s holds a bad %% escape, a NUL byte or text that is not UTF-8.", p->name);
	switch (p->kind) {
	case PARAM_INT:
		return read_number(c, p, text, out);
	case PARAM_BOOL:
		out->flag = strcmp(text, "true") == 0;
		if (out->flag || strcmp(text, "false") == 0)
			return NULL;
		return err_param(c, p->name, "%s must be true or false.", p->name);
	case PARAM_TIME:
		out->text = text;
		if (clock_parse(text, &out->number))
			return NULL;
		return err_param(c, p->name,
		    "%s must be a date-time with a zone, such as 2026-09-01T08:00:00.000000Z: send the checkpoint exactly as it came, percent-encoded.",
		    p->name);
	case PARAM_TEXT:
		break;
	}
	out->given = text[0] != '\0';
	out->text = out->given ? text : NULL;
	if (utf8_length(text) <= (size_t)p->max)
		return NULL;
	return err_param(c, p->name, "%s has at most %lld characters.", p->name, (long long)p->max);
}

struct err *
req_params(struct ctx *c, struct req *r)
{
	const struct param *params = r->route->params;
	bool seen[ROUTE_PARAMS_MAX] = { false };
	const char *p = r->query, *name, *value;
	size_t name_len, value_len;
	struct err *err = NULL;

	for (int i = 0; params != NULL && params[i].name != NULL; i++)
		r->param[i].number = params[i].standard;
	while (
	    params != NULL && err == NULL && next_pair(&p, &name, &name_len, &value, &value_len)) {
		int i = index_of(c, params, name, name_len);
		if (i < 0)
			continue;
		if (seen[i])
			return err_param(c, params[i].name, "%s is given twice.", params[i].name);
		seen[i] = true;
		err = read_value(c, &params[i], decoded(c, value, value_len), &r->param[i]);
	}
	return err;
}
