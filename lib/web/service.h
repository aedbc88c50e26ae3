#ifndef WEB_SERVICE_H
#define WEB_SERVICE_H
/*
 * What a program of cgi-bin/ serves. serve.c holds the life of a request, which is the
 * same for all of them; a service decides who may ask, runs the handler in its
 * transaction, and writes refusals as its readers expect them.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct exchange;
struct reply;
struct req;
struct route;

struct service {
	const char *program; /* its file in cgi-bin/, and its name in the log */
	const char *base; /* the address above it: "/api/v1" or "" */
	size_t body_max; /* bytes; a longer Content-Length is refused */
	const struct route *routes; /* of the API; else NULL */
	/* What of a body that nobody reads is read and dropped, at most (req_drain()). */
	size_t drain_max;
	/* Seconds that a body may take to arrive, before the life of its request is counted:
	 * the service says harden_life() at the last byte. Under FastCGI each body has
	 * REQ_BODY_S, unless the service gives it more (struct exchange). 0: REQ_BODY_S, within
	 * that life. */
	unsigned upload_s;
	/* Under FastCGI a body has so many milliseconds to arrive before a process begins with its
	 * request, and then no time more unless the service gives it some (serve-fcgi.c). 0: a
	 * process begins at once, and the body has REQ_BODY_S from when it is asked for. */
	int64_t body_ms;
	size_t body_awaited; /* a body of which more bytes have come is not waited for */
	/* Returns a descriptor, while which is open a body may take REQ_BODY_S in all, or -1: too
	 * many do. NULL: no body may. */
	int (*patience)(struct ctx *c);
	/* A CGI process of it reads, mostly, and ends at once: SQLite allocates by moving a
	 * pointer (db_memory_once()), and another process may send the answer
	 * (system/successor.h). */
	bool brief;

	/* Its GETs change nothing: one that lost its connection to the store is done once more. */
	bool repeats;

	/* Its requests leave no line in requests.log: only faults do. */
	bool unlogged;

	/* A CGI process of it keeps the variables that say which folders are served. */
	bool asks_place;

	/* Fills the reply, or refuses. No transaction is open before or after. */
	struct err *(*answer)(
	    struct ctx *c, const struct service *service, struct req *r, struct reply *reply);
	/* Turns the reply into that of a refusal or failure. `r` may be NULL. It must not
	 * fail: a process without memory calls it, too. */
	void (*refuse)(
	    struct ctx *c, const struct req *r, struct reply *reply, const struct err *err);
	/* Confines a process (system/harden.h) before it meets a stranger's bytes. */
	void (*confine)(struct ctx *c, bool fcgi);
	/* Prints what the program answers, as JSON, and ends it; NULL: no address that has a
	 * name. */
	void (*tables)(struct ctx *c, const struct service *service);

	/* Sentences for readers of a process that cannot go on; the first kind passes. */
	const char *passing;
	const char *failed;
};

/* ---- for the files that serve a request, and tests/fault/race.c */

/* Answers a request, from its environment to its log line: the same for CGI and FastCGI.
 * Everything that it makes is in the arena, which the caller resets. */
void serve_life(struct ctx *c, const struct service *service, const struct exchange *x);

/* Returns the API's service with these routes. */
struct service serve_api(const char *program, const struct route *routes);

/* Asks for the boot's id now: a confined process cannot read it. A service calls it
 * before it confines a process that will write. */
__attribute__((cold)) void serve_learn_boot(void);

#endif
