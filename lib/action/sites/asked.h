#ifndef ACTION_SITES_ASKED_H
#define ACTION_SITES_ASKED_H
/* What one site asked the API for (docs/console.md §4.10): its key's requests by days, what was
 * refused, and the articles that it has in an older revision. */
#include <stddef.h>
#include <stdint.h>

#include "access/apikey.h"
#include "base/err.h"
#include "stats/api-readers.h"

#define ASKED_DAYS 30
#define ASKED_STATUSES 20
#define ASKED_OLDER 50

struct asked_day {
	int64_t requests, not_modified, refused;
};

struct asked_status {
	int status;
	int64_t requests;
};

/* An article that the site has as it was. */
struct asked_article {
	const char *id;
	const char *title; /* NULL: it is gone */
	char had[READER_REVISION], now[READER_REVISION]; /* the first digits of revisions */
	int64_t fetched_at;
};

struct asked {
	/* What is asked. */
	const char *workspace; /* UUID */
	const char *key; /* UUID */

	/* What is found. */
	const struct apikey *apikey;
	struct reader reader; /* id 0: there was no request yet */
	int64_t today; /* days since 1970, UTC */
	struct asked_day days[ASKED_DAYS]; /* the last is today */
	struct asked_day sum;
	struct asked_status statuses[ASKED_STATUSES]; /* of what was refused on these days */
	size_t status_count;
	int64_t articles, present; /* published ones, and those that it has as they are now */
	struct asked_article older[ASKED_OLDER]; /* in no order */
	size_t older_count; /* of these; there may be more: */
	size_t older_all;
};

/* Reads it in transactions of its own. Refuses a key that the workspace has not (404). */
MAY_REFUSE struct err *asked_read(struct ctx *c, struct asked *out);

#endif
