#ifndef WEB_SERVE_LIFE_H
#define WEB_SERVE_LIFE_H
/* One request from its environment to its log line: the same for CGI and
 * FastCGI. Private to this floor. */
#include "web/exchange.h"

struct ctx;
struct route;
struct service;

/* Answers a request. Everything that it makes is in the arena, which the caller
 * resets. */
void serve_life(struct ctx *c, const struct service *service, const struct exchange *x);

/* Returns the API's service with these routes. */
struct service serve_api(const char *program, const struct route *routes);

/* Asks for the boot's id now: a confined process cannot read it. A service calls it
 * before it confines a process that will write. */
void serve_learn_boot(void);

#endif
