#ifndef ACTION_SITES_SITES_H
#define ACTION_SITES_SITES_H
/*
 * The sites that read a workspace with the API (docs/console.md §4.10): its keys, and what was
 * counted of each (stats/api-readers.h). They only read, in transactions of their own.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/apikey.h"
#include "action/sites/present.h"
#include "base/err.h"
#include "logs/explain.h"
#include "stats/api-readers.h"

#define SITES_MAX 100 /* keys of a page: the newest */
#define SITES_ARTICLES PRESENT_MAX
#define SITES_DAYS 30 /* whose requests are added up */

struct site {
	const struct apikey *key;
	bool good; /* the key is neither revoked nor expired */
	struct reader reader; /* id 0: there was no request yet */
	int64_t requests; /* of the last SITES_DAYS days, UTC */
	int64_t present; /* articles that it fetched in their present revision */
	bool stale; /* it read, and asked for nothing in the last three days */
};

struct sites {
	int64_t since_at; /* of the oldest line that is counted; 0: nothing is */
	int64_t articles; /* published ones that were compared */
	bool more; /* there are more articles than these */
	struct site sites[SITES_MAX]; /* the newest key first */
	size_t count;
};

/* Reads the sites of a workspace (UUID): its good keys, and those that were asked with in the
 * last month. `compare` false: without the articles. */
void sites_read(struct ctx *c, const char *workspace, bool compare, struct sites *out);

/* Explains a request of the workspace (UUID) by its id, as it was typed. out->found is false, and
 * everything else is empty, if it is none of this workspace's; out->unread_count is then the number
 * of logs that could not be searched, or not within ten seconds. */
void sites_explain(struct ctx *c, const char *workspace, const char *id, struct explain *out);

/* A site that is stale. */
struct sites_stale {
	size_t place; /* of its workspace in the list that was given */
	const char *label; /* of the key, or its display */
	int64_t requested_at;
};

/* Calls `each` for the stale sites of some workspaces (UUIDs). */
void sites_list_stale(struct ctx *c, const char *const *workspaces, size_t count,
    void (*each)(void *arg, const struct sites_stale *s), void *arg);

/* Calls `each` for the stale sites of the instance, a thousand at most, with the internal id of
 * the account. */
void sites_list_behind(struct ctx *c, void (*each)(void *arg, int64_t account_id), void *arg);

#endif
