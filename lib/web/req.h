#ifndef WEB_REQ_H
#define WEB_REQ_H
/*
 * A request, read from the CGI environment (RFC 3875) and standard input, and the routes that it
 * may have. This file decides only what a value means.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "access/apikey.h"
#include "base/err.h"
#include "store/db.h"
#include "store/limit.h"

struct reply;
struct req;

/*
 * ---- routes
 *
 * The routes of an endpoint, as data. Each program in cgi-bin/ begins with its
 * tables and ends with main(); serve.c does everything between.
 *
 * A new endpoint needs a row (and a handler) in its program, its path in
 * htdocs/openapi.json, and its tests in tests/api. The build writes a new program's name
 * into Apache's files (apache-conf/make.sh). HACKING.md shows one.
 */

/* How a query parameter is read (docs/design.md §4.5). */
enum param_kind {
	PARAM_INT, /* digits; min to max */
	PARAM_BOOL, /* exactly true or false */
	PARAM_TEXT, /* at most max code points; empty is absent */
	PARAM_TIME /* an RFC 3339 date-time with a zone */
};

struct param {
	const char *name; /* NULL ends the table */
	enum param_kind kind;
	int64_t min, max;
	int64_t standard; /* the value of a number that is not given */
	unsigned scope; /* needed if a PARAM_BOOL is true; 0: none */
};

#define ROUTE_PARAMS_MAX 4

/* The tables that every route reads to check the key. */
#define ROUTE_READS_KEY "api_key workspace"

enum route_mode {
	ROUTE_READ, /* one snapshot, nothing can be written */
	ROUTE_WRITE /* BEGIN IMMEDIATE */
};

/* Fills `reply`, or refuses. Runs inside the route's transaction: a refusal rolls it
 * back, NULL commits it. */
typedef struct err *route_handler(struct ctx *c, struct req *r, struct reply *reply);

struct route {
	const char *method; /* GET (HEAD goes with it) or POST; NULL ends */
	const char *pattern; /* below the program: "" or "/{id}" */
	unsigned scope;
	enum route_mode mode;
	route_handler *handler;
	const char *reads; /* the tables (db_reads(), db_touches()); NULL: any */
	const struct param *params; /* at most ROUTE_PARAMS_MAX, or NULL */
	bool body; /* reads a JSON body (r->body); of ROUTE_WRITE */
	bool cached; /* its answers may be cached (answer-cache.h): writers declare all that it
		      reads, and it never asks for the time */
	enum db_change change; /* of ROUTE_WRITE: NOTHING or KEYS */
};

/* ---- a request */

#define REQ_BODY_MAX ((size_t)64 * 1024)

/* The time that a client has to send the body to a FastCGI process, from when the
 * process asks for it: else slow clients would occupy all processes. Under CGI each
 * request has a process of its own. */
#define REQ_BODY_S 10
#define REQ_TARGET_MAX 8190 /* bytes; beyond: 414 */

/* How a request reaches the program and how its answer leaves: the CGI environment
 * with standard input and output, or a FastCGI connection. */
struct exchange {
	/* The request's environment: "NAME=value" each, NULL at the end. */
	char *const *variables;
	/* Reads some bytes of the body. Returns 0 at its end, and -1 if they do not come
	 * within REQ_BODY_S, what the service says (service.h, body_ms) or what wait()
	 * says. NULL: standard input. */
	ssize_t (*read)(void *arg, char *into, size_t max);
	/* Gives the body so many seconds from now. NULL: standard input. */
	void (*wait)(void *arg, unsigned seconds);
	/* Sends an answer, its head and its body, and ends it, whether or not the
	 * request's body was read. Returns false if the client went away. NULL: standard
	 * output. */
	bool (*send)(void *arg, const struct iovec answer[2]);
	/* Sends a part of an answer, its head or a piece of its body; send() with nothing then
	 * ends it. NULL: standard output. */
	bool (*more)(void *arg, const struct iovec *part);
	/* Called before a process that dies sends its answer: no other answer follows.
	 * NULL: nothing to do. */
	void (*last)(void);
	void *arg; /* for the functions above that take one */
};

/* The value of the query parameter that has the same index in the route's table. */
struct param_value {
	bool given;
	int64_t number; /* PARAM_INT, PARAM_TIME (microseconds) */
	bool flag; /* PARAM_BOOL */
	const char *text; /* PARAM_TEXT, PARAM_TIME as sent; NULL if absent */
};

struct req {
	const char *method;
	const char *path; /* below the program, decoded: "" or "/…" */
	const char *query; /* raw, "" for none */
	const char *target; /* the whole path and query for the log, raw */
	const char *authorization; /* or NULL */
	const char *if_none_match; /* or NULL */
	const char *idempotency_key; /* or NULL */
	bool chunked; /* the body's length is not known */
	int64_t content_length; /* 0 without a body */
	const char *address; /* of the client behind the trusted proxies */
	bool https;

	const struct route *route; /* after route_match() */
	const char *id; /* for "/{id}": a UUID in lower case */
	struct param_value param[ROUTE_PARAMS_MAX];
	struct access access; /* after apikey_check() */
	unsigned scopes; /* that the request needs: req_scopes(); 0 before */
	struct limit limit; /* after limit_take() */
	bool cached; /* answered without the database (answer-cache.h) */

	/* If the route has a body: the parsed JSON, or the reason why there is none. The
	 * handler decides when this reason counts (docs/design.md §4.17). */
	json_t *body;
	struct err *body_err;

	const struct exchange *exchange; /* where it came from */
	size_t body_left; /* bytes of Content-Length not read yet */
	bool late; /* the body did not come within REQ_BODY_S */
};

/* Reads the environment. Refuses a target over REQ_TARGET_MAX (414) and a
 * Content-Length that is no number (400) or over `body_max` (413). */
MAY_REFUSE struct err *
req_read(struct ctx *c, const struct exchange *x, size_t body_max, struct req *out);

/* Returns the scopes that the request needs: the route's, and those of its parameters
 * that are "true". */
unsigned req_scopes(struct ctx *c, const struct req *r);

/* Reads the parameters of the route's table. Refuses a wrong one with 400; `param` names
 * it. */
MAY_REFUSE struct err *req_params(struct ctx *c, struct req *r);

/* Checks the path's {id}. Refuses a wrong one with 400; `param` is "id". */
MAY_REFUSE struct err *req_id(struct ctx *c, struct req *r);

/* Reads the whole body and parses it into r->body or r->body_err, which also says that
 * it came too late or not whole. Refuses only a chunked body over REQ_BODY_MAX
 * (413). */
MAY_REFUSE struct err *req_body(struct ctx *c, struct req *r);

/* Reads the whole body, `max` bytes at most, with room for one more byte after it.
 * r->body_err says why it is not whole, or stays NULL. Refuses a longer body (413). */
MAY_REFUSE struct err *
req_bytes(struct ctx *c, struct req *r, size_t max, char **bytes, size_t *len);

/* Reads some bytes of the body. Returns 0 at its end, and if no more come. */
size_t req_some(struct req *r, char *into, size_t max);

/* Reads and drops the rest of standard input, about `max` bytes of it: under mod_cgid a
 * program that leaves a body unread loses answers (docs/platform.md §1.2). */
#define REQ_DRAIN_MAX ((size_t)1024 * 1024)

void req_drain(struct req *r, size_t max);

/* Requests of strangers that came through somebody else's proxy (access/address-limit.h). */

/* Returns whether the request says that it was forwarded (Forwarded, X-Forwarded-For, Via) to a
 * peer that is not in trusted_proxies: then many people may have its address, or nobody else. */
bool forwarded_unknown(const struct req *r);

/*
 * Finds the route of a path and method. Refuses with 404 if no row has the path, and
 * with 405 if none has the method. *allow is then and for OPTIONS the value of Allow.
 * `id` gets the text in the place of {id} (not checked yet), or "".
 */
MAY_REFUSE struct err *route_match(struct ctx *c, const struct route *routes, const char *method,
    const char *path, const struct route **found, const char **id, const char **allow);

#endif
