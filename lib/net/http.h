#ifndef NET_HTTP_H
#define NET_HTTP_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct arena;
struct http;

/*
 * The HTTP client of the programs that ask the web. It sends one request at a time, and
 * does nothing that a server could use against us (docs/platform.md §6).
 *
 * - https only, with the certificate checked; plain http for pages, where private
 *   addresses are allowed, and for the operator's own server.
 * - The resolved address is checked before connecting (address.h); only the operator's own
 *   server may have any address.
 * - It follows no redirect, uses no proxy, keeps no cookie, reads no credentials from
 *   files and nothing from the environment; only pages may be compressed.
 * - There are limits for the time to connect, the whole time, the speed of an answer
 *   that has begun, the size of the headers and the size of the body.
 *
 * Only programs in bin/ that link libcurl use it; no CGI program does.
 *
 * lib/net: the HTTP client, and how other programs ask a child for it (remote.h). Not here: a
 * server. Begin with http.h.
 */

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
	const char *body; /* to POST; NULL makes it a GET */
	const char *body_type; /* its Content-Type; NULL: application/json */
	size_t body_len;
	size_t answer_max; /* bytes of the body */
	int64_t limit_ms; /* for everything, resolving included; > 0 */
	bool private_allowed; /* ADDRESS_PRIVATE and plain http */
	bool page; /* as a browser asks for one: HTML, over plain http too,
		      compressed or not; the answer's head is kept */
	bool own; /* to the operator's own server, as doctor sends it: any
		     address, plain http too; the head is kept; an answer that
		     ends early or is beyond answer_max is one, with `cut` */
	const char *signature; /* of a ping: sent as Galley-Signature, and of the answer only
				  the status is read; NULL for none */
	bool certificate; /* of the own server: connect only, with any
			     certificate, to learn expires_at; nothing is sent */
};

struct http_answer {
	enum http_outcome outcome;
	int status; /* 0: there was none */
	bool cut; /* of the own server: the body is not whole */
	int64_t retry_after_s; /* of the header, 0 for none */
	int64_t expires_at; /* of the own server's certificate; 0 if it is not
			       known */
	struct buf head; /* header lines for `page` and `own`, else empty */
	struct buf body; /* both in the arena given to http_send() */
	char why[256]; /* what happened, for the log; no secrets */
};

/* Opens the client, in the arena. Connections are kept between requests. Dies if libcurl
 * cannot be started. */
struct http *http_open(struct arena *a);

void http_close(struct http *http);

/* Sends one request and reads its answer. It always returns within limit_ms and about a
 * second. It wipes the key from our memory. */
void http_send(struct http *http, struct arena *a, const struct http_request *request,
    struct http_answer *out);

#endif
