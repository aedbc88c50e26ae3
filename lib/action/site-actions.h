#ifndef ACTION_SITE_ACTIONS_H
#define ACTION_SITE_ACTIONS_H
/*
 * The websites of a workspace: who reads with the API, what each one asked for, what its pages
 * say, and who is told of changes.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/apikey.h"
#include "access/workspace.h"
#include "action/action.h"
#include "base/err.h"
#include "notify/ping.h"
#include "people/task.h"
#include "stats/api-readers.h"
#include "stats/explain.h"

/*
 * ---- The sites
 *
 * The sites that read a workspace with the API (docs/console.md §4.10): its keys, and what was
 * counted of each (stats/api-readers.h). They only read, in transactions of their own.
 */
#define SITES_MAX 100 /* keys of a page: the newest */
#define SITES_ARTICLES 5000 /* that are compared: the newest */

struct site {
	const struct apikey *key;
	bool good; /* the key is neither revoked nor expired */
	struct reader reader; /* id 0: there was no request yet */
	int64_t requests; /* of the last 30 days, UTC */
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
 * everything else is empty, if it is not of this workspace; out->unread_count is then the number
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

/*
 * ---- One site
 *
 * What it asked the API for (docs/console.md §4.10): its key's requests by days, what was refused,
 * and the articles that it has in an older revision.
 */
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

/*
 * ---- The pages of the website
 *
 * Begin to look at them, and see what was found (docs/console.md §4.10). The task runner looks
 * (task/slice-kinds.c).
 */

/* Begins: person, need, account and workspace of `t` are given. Refuses a workspace without a
 * website, and (ERR_CONFLICT) while its pages are being looked at. Changes people's store. */
MAY_REFUSE struct err *webpages_begin(struct ctx *c, const struct workspace *w, struct task *t);

struct webpages_page {
	struct visited found;
	const char *title; /* of the article; NULL: it is gone */
};

struct webpages {
	struct task *task; /* the newest, or NULL */
	struct webpages_page *list; /* that were looked at */
	size_t count, wrong;
};

/* Reads what was found in the workspace. */
MAY_REFUSE struct err *
webpages_look(struct ctx *c, const struct workspace *w, struct webpages *out);

/*
 * ---- Pings
 *
 * What people do with the pings of a workspace (docs/console.md §4.8): look at the last ones,
 * make a secret, sign a body. The address is a field of the settings (action/workspace-actions.h).
 */
struct notify_view {
	struct workspace *workspace;
	struct notify notify; /* its address may be "" */
	bool verified; /* its account may have an address */
	struct ping_try tries[PING_RESULTS]; /* the newest first */
	size_t count;
};

/* Reads the pings of the workspace of `place`, in transactions of its own. */
MAY_REFUSE struct err *
notify_show(struct ctx *c, const struct find_place *place, struct notify_view *out);

/*
 * Makes a secret for the workspace of `place`, which ends the one before it, and writes its only
 * copy; the caller clears it. Unless `again`, a workspace that has one already keeps it, and
 * out->notify.secret is its number; then `secret` is "". Refuses a workspace without an address,
 * with `again` one whose account is not verified, and an instance without people/. Changes the
 * workspace (DB_CHANGES_WORKSPACE).
 */
MAY_REFUSE struct err *notify_make_secret(struct ctx *c, const struct find_place *place, bool again,
    struct notify_view *out, char secret[SIGNATURE_SECRET]);

/* Signs a body with the present secret, as a ping of this moment: *header is the value of
 * Galley-Signature (arena). Refuses as notify_make_secret() does, and where no secret was
 * shown yet. */
MAY_REFUSE struct err *notify_sign(struct ctx *c, const struct find_place *place, const void *body,
    size_t len, const char **header);

#endif
