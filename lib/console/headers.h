#ifndef CONSOLE_HEADERS_H
#define CONSOLE_HEADERS_H
/* The headers that only the console reads, and the cookies in them. Private to this
 * floor. */
#include <stdbool.h>

struct ctx;
struct exchange;

struct headers {
	const char *host; /* or NULL, as all of them */
	const char *origin;
	const char *fetch_site; /* Sec-Fetch-Site */
	const char *cookie;
	const char *content_type;
	const char *user_agent;
	const char *accept;
	const char *accept_language;
};

void headers_read(const struct exchange *x, struct headers *out);

/* Returns the value of the cookie with this name (arena), or NULL. A name that was sent
 * twice has no value: another program on the host may have set one of them. */
const char *headers_cookie(struct ctx *c, const struct headers *h, const char *name);

#endif
