#ifndef STORE_SERVER_H
#define STORE_SERVER_H
/*
 * The server of the database as an operator asks for it (docs/postgres.md §7): what is wrong with
 * it, or with the way to it, and what to do. Nothing here changes anything, or dies of a mistake.
 * SQLite has no server, and nothing is wrong with it: what calls this is compiled for each store.
 */
#include <stddef.h>

#include "base/err.h"

struct ctx;

enum server_grade {
	SERVER_GOOD,
	SERVER_NOTE, /* as it may be where it is */
	SERVER_WARN,
	SERVER_BAD /* each request is 503 */
};

struct server_finding {
	enum server_grade grade;
	const char *message, *fix; /* in the arena; one sentence each, without a dot */
};

#ifdef STORE_PG

/* Looks whether each host of the address answers and one of them takes writes, and at the database:
 * version, encoding, rights, collation, pepper. It takes three seconds for a host that is
 * silent. */
struct server_finding server_look(struct ctx *c);

/* Looks whether the users of the database have the rights that they need, and no more. */
struct server_finding server_look_at_users(struct ctx *c);

/* Looks whether what was acknowledged is on a standby. */
struct server_finding server_look_at_standbys(struct ctx *c);

/* Looks whether the server has room for `connections` of each web host that it has now. */
struct server_finding server_look_at_room(struct ctx *c, int connections);

/* Refuses a database that no instance can be made in: that does not answer, is of another
 * encoding or an old server, holds something, or lets this role make no schema. */
MAY_REFUSE struct err *server_check_empty(struct ctx *c);

#else

static inline struct server_finding
server_look(struct ctx *c)
{
	(void)c;
	return (struct server_finding) { .grade = SERVER_GOOD };
}

static inline struct server_finding
server_look_at_users(struct ctx *c)
{
	return server_look(c);
}

static inline struct server_finding
server_look_at_standbys(struct ctx *c)
{
	return server_look(c);
}

static inline struct server_finding
server_look_at_room(struct ctx *c, int connections)
{
	(void)connections;
	return server_look(c);
}

static inline struct err *
server_check_empty(struct ctx *c)
{
	(void)c;
	return NULL;
}

#endif

#endif
