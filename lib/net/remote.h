#ifndef NET_REMOTE_H
#define NET_REMOTE_H
/*
 * Fetches from other machines through the program bin/galley-fetch, which has the guarded
 * HTTP client (net/http.h) and is started with the first request. So libcurl costs the
 * operator's tool nothing, and what a stranger sends is parsed in a process that has no
 * database.
 *
 * The tool writes an address on a line; the program answers "OK STATUS LENGTH LENGTH
 * EXPIRES" and the bytes of head and body, or "NO REASON". "CUT" instead of "OK" says that
 * the body is not whole. A ping is a line of address, signature and body, with tabs between
 * them. A key is the first line that the tool writes: arguments are seen
 * by every user of the host.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct remote;

/* What is requested; the same for all requests. */
struct remote_how {
	bool private_allowed; /* also one's own network, and plain http */
	bool pages; /* pages as browsers get them (plain http too, compressed
		       or not), else pictures */
	bool own; /* the operator's own server, as doctor asks it (net/http.h) */
	int64_t form_kib; /* of the own server: a form of so many KiB is sent, as a
			     browser sends it (POST); 0: a GET */
	bool form_file; /* they are in a file part, else in a text field */
	bool certificate; /* of the own server: only when its certificate
			     expires; nothing is requested */
	bool pings; /* remote_send() and remote_take(), else remote_get() */
	const char *key; /* sent as Authorization: Bearer; NULL for none */
	int64_t limit_s; /* for one answer; 0: the client's own limit */
};

struct remote_answer {
	int status; /* of HTTP; no redirect is followed */
	const char *head; /* header lines; "" for pictures */
	char *body; /* a NUL follows */
	size_t body_len;
	bool cut; /* of the own server: the body is not whole */
	int64_t expires_at; /* of the own server's certificate, in microseconds;
			       0 if it is not known */
	const char *reason; /* why there was no answer, as the client says it;
			       NULL if there was one, and if the client failed */
};

/* Opens it, in the arena; remote_close() ends the program. */
struct remote *remote_open(struct ctx *c, const struct remote_how *how);

/* Starts the program now: a process that is confined later cannot. */
void remote_start(struct ctx *c, struct remote *r);
void remote_close(struct remote *r);

/* Sends one GET, or the form of `how`. Every answer of the server, of any status, fills *out, in
 * c->arena. Refuses, with the reason, if there was no answer or it is too long. */
MAY_REFUSE struct err *
remote_get(struct ctx *c, struct remote *r, const char *url, struct remote_answer *out);

/*
 * For pings, in two halves, so that a process can wait for several programs: sends a POST with
 * the header Galley-Signature. Address, signature and body are one line each, and hold no tab.
 */
void remote_send(struct remote *r, const char *url, const char *signature, const char *body);

/* Returns the descriptor that can be read once the answer is there. */
int remote_wait_on(const struct remote *r);

/* Reads that answer; only its status counts. Refuses as remote_get() does. */
MAY_REFUSE struct err *remote_take(struct ctx *c, struct remote *r, struct remote_answer *out);

/* Returns the n-th value (from 0) of a header field of the answer, in the arena, or NULL.
 * A value that is not UTF-8 is "". */
const char *
remote_header(struct ctx *c, const struct remote_answer *answer, const char *name, size_t n);

#endif
