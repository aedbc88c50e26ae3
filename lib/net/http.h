#ifndef NET_HTTP_H
#define NET_HTTP_H
/*
 * The HTTP client of provider programs: one request at a time, and nothing
 * that a server could turn against us (docs/platform.md §6).
 *
 * - https only, with the certificate checked; plain http for pages, and where
 *   private addresses are allowed.
 * - The resolved address is checked before connecting (address.h).
 * - No redirects, no proxy, no cookies, no compression but of pages, no
 *   credentials from files, nothing taken from the environment.
 * - Ceilings on the time of connecting, the whole time, the speed once an
 *   answer has begun, the size of the headers and of the body.
 *
 * Only programs in bin/ that link libcurl use it; no CGI does.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct arena;
struct http;

enum http_outcome {
	HTTP_ANSWERED, /* a whole answer: look at status */
	HTTP_FORBIDDEN, /* scheme or address not allowed; nothing was sent */
	HTTP_UNREACHABLE, /* no name, no connection, no trusted certificate */
	HTTP_BROKEN, /* the connection ended before the answer did */
	HTTP_TIMEOUT, /* a limit of time, or slower than a trickle */
	HTTP_TOO_LARGE /* more than answer_max; status is valid */
};

struct http_request {
	const char *url;
	const char *key; /* sent as Authorization: Bearer; NULL for none */
	const char *body; /* JSON to POST; NULL makes it a GET */
	size_t body_len;
	size_t answer_max; /* bytes of the body */
	int64_t limit_ms; /* for everything, resolving included; > 0 */
	bool private_allowed; /* ADDRESS_PRIVATE and plain http */
	bool page; /* as a browser asks for one: HTML, over plain http too,
		      compressed or not; the answer's head is kept */
};

struct http_answer {
	enum http_outcome outcome;
	int status; /* 0 when there was none */
	int64_t retry_after_s; /* of the header, 0 for none */
	struct buf head; /* header lines of a page, else empty */
	struct buf body; /* both in the arena given to http_send() */
	char why[256]; /* what happened, for the log; no secrets */
};

/* Opens the client, in the arena; connections are kept between requests. Dies
 * where libcurl cannot be started. */
struct http *http_open(struct arena *a);
void http_close(struct http *http);

/* Sends one request and reads its answer. Always returns within limit_ms and
 * about a second. The key is wiped from the memory that is ours. */
void http_send(struct http *http, struct arena *a,
    const struct http_request *request, struct http_answer *out);

#endif
