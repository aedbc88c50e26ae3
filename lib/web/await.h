#ifndef WEB_AWAIT_H
#define WEB_AWAIT_H
/*
 * Connections of a FastCGI process whose request has not come whole. A process that read at once
 * would wait for a client that sends slowly, and would answer nobody else. So the process goes on,
 * and looks at such a connection beside its other work: without taking anything from it, so that
 * libfcgi reads the request from its beginning later. It begins with the request when the mark at
 * the end of its body is there, when so much of it has come that a stranger's is too long, or when
 * its time is over (service.h, body_ms). What has no mark then is read as far as it came, up to
 * `until`. Private to this floor.
 */
#include <stdbool.h>
#include <stdint.h>

/* A process may have 64 descriptors. So many connections wait, or linger (linger.h). */
#define AWAIT_AND_LINGER_MAX 40

struct ctx;
struct service;

struct awaited {
	int fd;
	int64_t until; /* boot clock: when the body must have come */
};

/* Accepts a connection of standard input, and adds it to what `waiter` (epoll) watches if it must
 * wait. Returns true and a connection whose request can begin: this one or, if too many wait, the
 * oldest, whose time is over. Else errno is that of accept(), or 0. */
bool await_accept(int waiter, const struct service *service, struct awaited *out);

/* Notes that something came on the connection. */
void await_came(int fd);

/* Returns true and a connection whose request can begin. `all`: any, because the process ends. */
bool
await_next(struct ctx *c, int waiter, const struct service *service, bool all, struct awaited *out);

/* Returns how many connections wait. */
int await_count(void);

/* Returns after how many milliseconds await_next() must be called again; -1: there is no such
 * connection. */
int await_next_ms(void);

#endif
