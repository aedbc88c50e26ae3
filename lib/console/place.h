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
	const char *root;   /* "/console", after the path of the address if it has one */
	const char *cookie; /* the session's cookie: __Host-galley, __Secure-galley, galley */
	const char *cookie_path; /* its Path= */
	bool secure;        /* https */
};

/* Reads it from c->conf. Everything is in the arena. */
void place_read(struct ctx *c, struct place *out);

/* Returns whether a request that came for `host` (the Host header, or NULL), over https or
 * not, came for this origin. */
bool place_is_here(struct ctx *c, const struct place *p, const char *host, bool https);

#endif
