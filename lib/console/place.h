#ifndef CONSOLE_PLACE_H
#define CONSOLE_PLACE_H
/*
 * Where the console is: console_url of galley.conf, or public_url, and what follows from it
 * (docs/console.md §3.3, §3.6).
 */
#include <stdbool.h>

struct ctx;

struct place {
	const char *origin; /* "https://host[:port]"; "" while no address is set */
	const char *root; /* "/console", after the path of the address if it has one */
	const char *cookie; /* the session's cookie: __Host-galley, __Secure-galley, galley */
	const char *cookie_path; /* its Path= */
	bool secure; /* https */
};

/* Reads it from c->conf. Everything is in the arena. */
void place_read(struct ctx *c, struct place *out);

/* Reads it from a request for `path` (below the root): its Host header, or NULL, and its
 * address as it was sent, `target`. Only the page that sets the address uses it. Returns
 * false if they cannot be an address. */
bool place_of_request(struct ctx *c, struct place *out, const char *host, bool https,
    const char *target, const char *path);

/* Returns the address of the instance whose console is here (arena). */
const char *place_url(struct ctx *c, const struct place *p);

/* Returns whether a request that came for `host` (the Host header, or NULL), over https or
 * not, came for this origin. */
bool place_is_here(struct ctx *c, const struct place *p, const char *host, bool https);

#endif
