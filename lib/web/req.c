#include "web/req.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/encoding.h"
#include "base/jread.h"
#include "base/utf8.h"
#include "base/uuid.h"
#include "system/conf.h"

/* ---- routes */

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

/* ---- query parameters */

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
	size_t digits = strspn(text, "0123456789");

	out->number = digits > 0 && digits < 10 && text[digits] == '\0' ? 0 : -1;
	for (size_t i = 0; i < digits && out->number >= 0; i++)
		out->number = out->number * 10 + (text[i] - '0');
	if (out->number >= 0 && out->number >= p->min && out->number <= p->max)
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

/* ---- the environment */

/* Returns whether `word` is one of the words of `list`, separated by spaces. */
static bool
listed(const char *list, const char *word, size_t len)
{
	while (*list != '\0') {
		size_t n = strcspn(list, " \t");
		if (n == len && memcmp(list, word, len) == 0)
			return true;
		list += n;
		list += strspn(list, " \t");
	}
	return false;
}

/* Returns the last word of a field that proxies add to, which the nearest one wrote, but no trusted
 * proxy's own address. */
static __attribute__((noinline, cold)) const char *
forwarded_last(struct ctx *c, const char *forwarded, const char *fallback)
{
	const char *trusted = c->conf->trusted_proxies;
	size_t end = strlen(forwarded);

	while (end > 0) {
		size_t from = end;
		while (from > 0 && forwarded[from - 1] != ',')
			from--;
		const char *word = forwarded + from;
		size_t len = end - from;
		while (len > 0 && *word == ' ') {
			word++;
			len--;
		}
		while (len > 0 && word[len - 1] == ' ')
			len--;
		if (len > 0 && !listed(trusted, word, len))
			return arena_text_n(c->arena, word, len);
		end = from > 0 ? from - 1 : 0;
	}
	return fallback;
}

/* The variables that are read from the environment (RFC 3875 §4.1). */
enum variable {
	METHOD,
	PATH,
	QUERY,
	TARGET,
	AUTHORIZATION,
	REDIRECTED_AUTHORIZATION,
	IF_NONE_MATCH,
	IDEMPOTENCY_KEY,
	LENGTH,
	TRANSFER_ENCODING,
	ADDRESS,
	HTTPS,
	FORWARDED_PROTO,
	FORWARDED_FOR,
	VARIABLES
};

static const char names[VARIABLES][28] = {
	[METHOD] = "REQUEST_METHOD",
	[PATH] = "PATH_INFO",
	[QUERY] = "QUERY_STRING",
	[TARGET] = "REQUEST_URI",
	[AUTHORIZATION] = "HTTP_AUTHORIZATION",
	[REDIRECTED_AUTHORIZATION] = "REDIRECT_HTTP_AUTHORIZATION",
	[IF_NONE_MATCH] = "HTTP_IF_NONE_MATCH",
	[IDEMPOTENCY_KEY] = "HTTP_IDEMPOTENCY_KEY",
	[LENGTH] = "CONTENT_LENGTH",
	[TRANSFER_ENCODING] = "HTTP_TRANSFER_ENCODING",
	[ADDRESS] = "REMOTE_ADDR",
	[HTTPS] = "HTTPS",
	[FORWARDED_PROTO] = "HTTP_X_FORWARDED_PROTO",
	[FORWARDED_FOR] = "HTTP_X_FORWARDED_FOR",
};

/* Reads the environment once; a variable that is not there stays NULL. nginx before 1.23 gives each
 * line of a field as a variable of its own: the last one is the nearest proxy's. */
static void
take_variables(char *const *environment, const char *values[VARIABLES])
{
	for (char *const *v = environment; *v != NULL; v++) {
		size_t len = strcspn(*v, "=");
		if ((*v)[len] == '\0' || len >= sizeof(names[0]))
			continue;
		for (int i = 0; i < VARIABLES; i++) {
			if (names[i][len] == '\0' && (values[i] == NULL || i >= FORWARDED_PROTO) &&
			    memcmp(names[i], *v, len) == 0)
				values[i] = *v + len + 1;
		}
	}
}

static const char *
or_empty(const char *text)
{
	return text != NULL ? text : "";
}

/* Finds the client's address, and whether it uses TLS. Proxies are believed if
 * galley.conf names them (docs/design.md §4.7). */
static void
read_connection(struct ctx *c, struct req *r, const char *const *values)
{
	const char *https = values[HTTPS];

	r->address = or_empty(values[ADDRESS]);
	r->https = https != NULL && strcasecmp(https, "on") == 0;
	if (!listed(c->conf->trusted_proxies, r->address, strlen(r->address)))
		return;
	if (values[FORWARDED_PROTO] != NULL)
		r->https = strcasecmp(forwarded_last(c, values[FORWARDED_PROTO], ""), "https") == 0;
	if (values[FORWARDED_FOR] != NULL)
		r->address = forwarded_last(c, values[FORWARDED_FOR], r->address);
}

/* Returns whether a request without a length may have a chunked body. Without a
 * length and without an encoding there is no body (RFC 9112 §6.3). A program that
 * still looks for one waits until mod_cgid has ended standard input. mod_cgid
 * then already waits for the answer, reads it before this process is dead, and
 * asks for the process's end only every 10 ms. For methods that send bodies the
 * answer is always yes. */
static bool
may_be_chunked(const struct req *r, const char *encoding)
{
	return encoding != NULL ||
	       (strcmp(r->method, "GET") != 0 && strcmp(r->method, "HEAD") != 0 &&
		   strcmp(r->method, "OPTIONS") != 0);
}

static struct err *
read_length(struct ctx *c, struct req *r, size_t body_max, const char *value, const char *encoding)
{
	if (value == NULL || value[0] == '\0') {
		/* A chunked body comes without a length (docs/platform.md §1.2). */
		r->chunked = may_be_chunked(r, encoding);
		return NULL;
	}
	if (strspn(value, "0123456789") != strlen(value) || strlen(value) > 18)
		return err_param(c, "body", tr_mark("Content-Length is not a number."));
	r->content_length = strtoll(value, NULL, 10);
	r->body_left = (size_t)r->content_length;
	if (r->content_length > (int64_t)body_max)
		return refuse(c, ERR_TOO_LARGE,
		    tr_mark("The body has %lld bytes; at most %zu are read."),
		    (long long)r->content_length, body_max);
	return NULL;
}

struct err *
req_read(struct ctx *c, const struct exchange *x, size_t body_max, struct req *out)
{
	const char *values[VARIABLES] = { NULL };

	memset(out, 0, sizeof(*out));
	take_variables(x->variables, values);
	out->exchange = x;
	out->method = or_empty(values[METHOD]);
	out->path = or_empty(values[PATH]);
	out->query = or_empty(values[QUERY]);
	out->target = or_empty(values[TARGET]);
	out->authorization = values[AUTHORIZATION] != NULL ? values[AUTHORIZATION]
							   : values[REDIRECTED_AUTHORIZATION];
	out->if_none_match = values[IF_NONE_MATCH];
	out->idempotency_key = values[IDEMPOTENCY_KEY];
	read_connection(c, out, values);
	if (strlen(out->target) > REQ_TARGET_MAX || strlen(out->query) > REQ_TARGET_MAX)
		return refuse(c, ERR_URI_TOO_LONG,
		    tr_mark("The request's address is longer than %d bytes."), REQ_TARGET_MAX);
	return read_length(c, out, body_max, values[LENGTH], values[TRANSFER_ENCODING]);
}

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

struct err *
req_id(struct ctx *c, struct req *r)
{
	char *id = arena_alloc(c->arena, UUID_TEXT);

	if (r->id[0] == '\0')
		return NULL;
	if (!uuid_parse(r->id, id))
		return err_param(c, "id",
		    tr_mark(
			"The id in the path must be a UUID such as 3f2a9c10-5b7e-4c8d-9a41-6f0d2e7b8c55."));
	r->id = id;
	return NULL;
}

/* ---- the body */

static ssize_t
read_exchange(struct req *r, char *into, size_t max)
{
	ssize_t got;

	if (r->exchange->read != NULL) {
		got = r->exchange->read(r->exchange->arg, into, max);
		r->late |= got < 0;
		return got;
	}
	do
		got = read(STDIN_FILENO, into, max);
	while (got < 0 && errno == EINTR);
	return got;
}

size_t
req_some(struct req *r, char *into, size_t max)
{
	ssize_t got;

	if (!r->chunked && max > r->body_left)
		max = r->body_left;
	if (max == 0)
		return 0;
	got = read_exchange(r, into, max);
	if (got <= 0) {
		r->chunked = false;
		r->body_left = 0;
		return 0;
	}
	if (!r->chunked)
		r->body_left -= (size_t)got;
	return (size_t)got;
}

struct err *
req_bytes(struct ctx *c, struct req *r, size_t max, char **bytes, size_t *len)
{
	int64_t expected = r->chunked ? -1 : r->content_length;
	size_t room = expected >= 0 ? (size_t)expected : max, got;

	*bytes = arena_alloc(c->arena, room + 2);
	*len = 0;
	while (*len <= room && (got = req_some(r, *bytes + *len, room + 1 - *len)) > 0)
		*len += got;
	if (*len > max)
		return refuse(c, ERR_TOO_LARGE, tr_mark("The body has more than %zu bytes."), max);
	if (r->late)
		r->body_err = err_param(c, "body",
		    tr_mark(
			"The body did not come within %d seconds. Send it again, with the same Idempotency-Key."),
		    REQ_BODY_S);
	else if (expected >= 0 && (int64_t)*len < expected)
		r->body_err = err_param(c, "body",
		    tr_mark("The body ended after %zu of %lld bytes."), *len, (long long)expected);
	return NULL;
}

struct err *
req_body(struct ctx *c, struct req *r)
{
	char *text;
	size_t len;

	TRY(req_bytes(c, r, REQ_BODY_MAX, &text, &len));
	if (r->body_err == NULL)
		r->body_err = jread_parse(c, "body", text, len, &r->body);
	return NULL;
}

void
req_drain(struct req *r, size_t max)
{
	size_t dropped = 0;

	/* The test build clears the buffer where its life begins: not without a body. */
	while (dropped < max && (r->chunked || r->body_left > 0)) {
		char chunk[2048];
		dropped += req_some(r, chunk, sizeof(chunk));
	}
}
