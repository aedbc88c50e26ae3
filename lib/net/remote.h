#ifndef NET_REMOTE_H
#define NET_REMOTE_H
/*
 * What lies on other machines, through the program bin/galley-fetch, which has
 * the guarded HTTP client (net/http.h) and is started with the first
 * question: libcurl costs the operator's tool nothing, and what a stranger
 * sends is taken apart in a process that knows no database.
 *
 * The two talk in lines: an address goes in; "OK STATUS LENGTH LENGTH" and the
 * bytes of head and body come out, or "NO REASON".
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct remote;

/* What is asked for, the same for all questions. */
struct remote_how {
	bool private_allowed; /* also one's own network, and plain http */
	bool pages; /* pages as browsers get them (plain http too, compressed
		       or not), else pictures */
	int64_t limit_s; /* for one answer; 0: the client's own limit */
};

struct remote_answer {
	int status;       /* of HTTP; no redirect is followed */
	const char *head; /* header lines; "" for pictures */
	char *body;       /* a NUL follows */
	size_t body_len;
};

/* In the arena. */
struct remote *remote_open(struct ctx *c, const struct remote_how *how);
void remote_close(struct remote *r);

/* One GET. Whatever the server answered is an answer, in c->arena; refuses,
 * with the reason, where there was none, or a longer one than is taken. */
MAY_REFUSE struct err *remote_get(struct ctx *c, struct remote *r,
    const char *url, struct remote_answer *out);

#endif
