#ifndef WEB_ROUTE_H
#define WEB_ROUTE_H
/*
 * The routes of an endpoint, as data. Each program in cgi-bin/ begins with its
 * tables and ends with main(); serve.c does everything between.
 *
 * A new endpoint needs a row (and a handler) in its program, its path in
 * htdocs/openapi.json, and its tests in tests/api. The build writes a new program's name
 * into Apache's files (apache-conf/make.sh). HACKING.md shows one.
 */
#include <stdbool.h>
#include <stdint.h>

#include "access/scope.h"
#include "base/err.h"
#include "store/db.h"

struct reply;
struct req;

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

/* Asks ahead what the handler will ask (store/ahead.h): with PostgreSQL alone. Of a route that
 * reads, this comes before the key is checked, and `r->access` holds nothing but the id of the
 * workspace that the key had the last time; id and parameters were not checked. */
typedef void route_ask(struct ctx *c, const struct req *r);

struct route {
	const char *method; /* GET (HEAD goes with it) or POST; NULL ends */
	const char *pattern; /* below the program: "" or "/{id}" */
	unsigned scope;
	enum route_mode mode;
	route_handler *handler;
	route_ask *ask; /* or NULL */
	const char *reads; /* the tables (db_reads(), db_touches()); NULL: any */
	const struct param *params; /* at most ROUTE_PARAMS_MAX, or NULL */
	bool body; /* reads a JSON body (r->body); of ROUTE_WRITE */
	bool kept; /* its answers may be kept (kept.h): writers declare all that it
		      reads, and it never asks for the time */
	enum db_change change; /* of ROUTE_WRITE: NOTHING or KEYS */
};

/*
 * Finds the route of a path and method. Refuses with 404 if no row has the path, and
 * with 405 if none has the method. *allow is then and for OPTIONS the value of Allow.
 * `id` gets the text in the place of {id} (not checked yet), or "".
 */
MAY_REFUSE struct err *route_match(struct ctx *c, const struct route *routes, const char *method,
    const char *path, const struct route **found, const char **id, const char **allow);

#endif
