#ifndef PAGES_COLLECTOR_H
#define PAGES_COLLECTOR_H
/*
 * The life of a hit: POST /collect, which a reader's browser sends (docs/pages.md §8). The
 * program opens no database and leaves no line in requests.log; run/sites is all that it reads.
 * It answers in this order:
 *
 *	405	another method
 *	413	a body of more than 1 KiB
 *	429	the address sent more than collect_per_minute
 *	400	no form of a hit (beacon_read())
 *	404	no workspace takes hits of this site
 *	403	no https where it is required; an Origin that is not the site's; no consent
 *	503	the disk is full, or a file of run/ cannot be used
 *	204	the hit is written (stats/hit.h), that of a bot, too
 *
 * Neither the reader's address nor the user agent is written anywhere: a digest of both is, by a
 * key that ends with the day (access/day-key.h). No answer has a cookie, or a header that lets a
 * script of another origin read it. Of run/ a confined process reaches the list of sites, the
 * hits, the keys of days and the counts of addresses.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "stats/hit.h"

struct arena;

/* Runs the program. */
int collect_main(int argc, char **argv);

/*
 * What a browser sends of a hit: one flat JSON object (docs/pages.md §7). All members are
 * strings but consent; site_id and path are needed, and nothing else is known.
 *
 *	{"site_id":"…","path":"/blog/","article":"UUID","referrer":"host","width":"xs",
 *	 "consent":true,"utm_source":"…","utm_medium":"…","utm_campaign":"…"}
 */
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

/*
 * Readers that are no people. Their hits are counted apart, by the name of the rule that found
 * them: a list of words of user agents, and two rules.
 */

/* Returns the name of the rule by which a reader is a bot; "" for a person. The headers are NULL
 * where there is none. */
const char *bot_rule(const char *user_agent, const char *accept_language);

/*
 * Brings what a browser sends of an address into one form (docs/pages.md §8), so that one page
 * has one label, and no label harms who reads it. Pure functions.
 */

/*
 * Returns a path that begins with a slash, in one form: no query and no fragment; no dot segments;
 * an escape only for what would mean something else without it, for a space, and for what is not
 * UTF-8; characters that are obeyed instead of shown are left out; personal parts are hidden
 * (stats/label.h). Of a path that is longer than HIT_PATH_MAX the last whole parts are cut off.
 * Letters stay as they are, and so does a slash at the end.
 */
const char *path_clean(struct arena *a, const char *raw);

/* Returns the host of a referrer in lower case; "" for what is no name of a host, for a number
 * (an address), and for `own`, the origin of the page itself. Of a long name the first labels are
 * cut off. */
const char *path_referrer(struct arena *a, const char *raw, const char *own);

/* Returns "source / medium / campaign" without what nobody can read; "-" is between two that are
 * there. "" where all three are NULL or empty. */
const char *
path_campaign(struct arena *a, const char *source, const char *medium, const char *campaign);

#endif
