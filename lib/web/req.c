#include "web/req.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/arena.h"
#include "system/conf.h"
#include "base/ctx.h"
#include "base/jread.h"
#include "base/uuid.h"

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

/* Returns the last address of X-Forwarded-For that is not a trusted proxy's own. */
static const char *
forwarded_client(struct ctx *c, const char *forwarded, const char *fallback)
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

/* Reads the environment once; a variable that is not there stays NULL. */
static void
take_variables(char *const *environment, const char *values[VARIABLES])
{
	for (char *const *v = environment; *v != NULL; v++) {
		size_t len = strcspn(*v, "=");
		if ((*v)[len] == '\0' || len >= sizeof(names[0]))
			continue;
		for (int i = 0; i < VARIABLES; i++) {
			if (names[i][len] == '\0' && values[i] == NULL &&
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
		r->https = strcasecmp(values[FORWARDED_PROTO], "https") == 0;
	if (values[FORWARDED_FOR] != NULL)
		r->address = forwarded_client(c, values[FORWARDED_FOR], r->address);
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
	struct err *err = req_bytes(c, r, REQ_BODY_MAX, &text, &len);

	if (err == NULL && r->body_err == NULL)
		r->body_err = jread_parse(c, "body", text, len, &r->body);
	return err;
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
