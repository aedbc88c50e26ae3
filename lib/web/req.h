#ifndef WEB_REQ_H
#define WEB_REQ_H
/*
 * A request, as the CGI environment (RFC 3875) and standard input tell it.
 * Nothing is decided here but what a value means.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "access/apikey.h"
#include "access/limit.h"
#include "web/exchange.h"
#include "web/route.h"

#define REQ_BODY_MAX ((size_t)64 * 1024)
/* Within which a FastCGI process must have the body, from when it asks for it: else
 * those who send slowly would occupy all processes. Under CGI each has its own. */
#define REQ_BODY_S 10
#define REQ_TARGET_MAX 8190 /* bytes; beyond: 414 */

/* A query parameter of the route's table, at the same index. */
struct param_value {
	bool given;
	int64_t number;   /* PARAM_INT, PARAM_TIME (microseconds) */
	bool flag;        /* PARAM_BOOL */
	const char *text; /* PARAM_TEXT, PARAM_TIME as sent; NULL if absent */
};

struct req {
	const char *method;
	const char *path;  /* below the program, decoded: "" or "/…" */
	const char *query; /* raw, "" for none */
	const char *target; /* the request's own path for the log, raw */
	const char *authorization;   /* or NULL */
	const char *if_none_match;   /* or NULL */
	const char *idempotency_key; /* or NULL */
	bool chunked;           /* the body's length is not known */
	int64_t content_length; /* 0 without a body */
	const char *address;    /* of the client, believed proxies apart */
	bool https;

	const struct route *route; /* after route_match() */
	const char *id;            /* for "/{id}": a UUID in lower case */
	struct param_value param[ROUTE_PARAMS_MAX];
	struct access access; /* after apikey_check() */
	unsigned scopes;      /* what it needs: req_scopes(); 0 before */
	struct limit limit;   /* after limit_take() */
	bool kept;            /* answered without the database (kept.h) */

	/* Of a route with a body: the parsed JSON, or why there is none. The
	 * handler decides when the verdict counts (docs/design.md §4.17). */
	json_t *body;
	struct err *body_err;

	const struct exchange *exchange; /* where it came from */
	size_t body_left; /* bytes of Content-Length not read yet */
	bool late;        /* the body did not come within REQ_BODY_S */
};

/* Reads the environment. Refuses a target over REQ_TARGET_MAX (414), a
 * Content-Length that is no number (400) or over REQ_BODY_MAX (413). */
MAY_REFUSE struct err *req_read(struct ctx *c, const struct exchange *x,
    struct req *out);

/* The scopes that the request needs: the route's, and those of its parameters
 * that are "true". */
unsigned req_scopes(struct ctx *c, const struct req *r);

/* Reads the parameters of the route's table: 400, param naming it. */
MAY_REFUSE struct err *req_params(struct ctx *c, struct req *r);

/* Checks the path's {id}: 400, param id. */
MAY_REFUSE struct err *req_id(struct ctx *c, struct req *r);

/* Reads the body whole and parses it into r->body or r->body_err, which also says
 * when it came too late or not whole. Refuses only a chunked one over REQ_BODY_MAX
 * (413). */
MAY_REFUSE struct err *req_body(struct ctx *c, struct req *r);

/* Reads and drops what is left of standard input, bounded: under mod_cgid a
 * program that leaves a body unread loses answers (docs/platform.md §1.2). */
void req_drain(struct req *r);

#endif
