#ifndef WEB_SERVE_LIFE_H
#define WEB_SERVE_LIFE_H
/* One request from its environment to its log line: the same for CGI and
 * FastCGI. Private to this floor. */
#include "web/exchange.h"
#include "web/route.h"

/* Answers a request. Everything that it makes is in the arena, which the caller
 * resets. */
void serve_life(struct ctx *c, const struct route *routes,
    const struct exchange *x);

#endif
