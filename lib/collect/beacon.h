#ifndef COLLECT_BEACON_H
#define COLLECT_BEACON_H
/*
 * What a browser sends of a hit: one flat JSON object (docs/pages.md §7). All members are
 * strings but consent; site_id and path are needed, and nothing else is known.
 *
 *	{"site_id":"…","path":"/blog/","article":"UUID","referrer":"host","width":"xs",
 *	 "consent":true,"utm_source":"…","utm_medium":"…","utm_campaign":"…"}
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct beacon {
	const char *site_id;
	const char *path; /* begins with a slash */
	const char *article; /* NULL where nothing is said, as all that follow */
	const char *referrer;
	const char *width; /* xs s m l xl */
	const char *source, *medium, *campaign;
	bool consent;
};

/* Reads a body; texts live in the arena. Refuses (400) what is no such object. */
MAY_REFUSE struct err *beacon_read(struct ctx *c, const char *body, size_t len, struct beacon *out);

#endif
