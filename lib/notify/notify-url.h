#ifndef NOTIFY_NOTIFY_URL_H
#define NOTIFY_NOTIFY_URL_H
/*
 * The address of a website that is told of changes of a workspace, and the number of the
 * secret that signs what is sent there (docs/console.md §4.8): columns of workspace_more.
 * No program of the API reads them. Every function needs a transaction of DB_CONTENT.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct ctx;

#define NOTIFY_MARK 16 /* bytes */

struct notify {
	int64_t workspace_id;
	const char *workspace; /* UUID */
	const char *epoch; /* a restore draws another one */
	const char *url; /* "": none */
	int64_t set_at; /* when it was set */
	int64_t secret; /* number of the secret; 0: none was shown yet */
	bool rests; /* the account is suspended, or not verified */
	unsigned char mark[NOTIFY_MARK]; /* changes with all that a website copies */
	int64_t announced_at; /* the last change of what is published */
};

/* Reads what a workspace that is not deleted has. `workspace` is a UUID. False if there is no
 * such workspace. */
bool notify_find(struct ctx *c, const char *workspace, struct notify *out);

/* Calls `each` for every workspace that has an address. `*n` lives only during the call; its
 * texts are in the arena. */
void notify_list(struct ctx *c, void (*each)(void *arg, const struct notify *n), void *arg);

/* Returns the address of a workspace (arena); "" if there is none. */
const char *notify_url_of(struct ctx *c, int64_t workspace_id);

/* Sets the address, which notify_address_check() has made; "" for none. */
void notify_set_url(struct ctx *c, int64_t workspace_id, const char *url);

/* Counts a new secret and returns its number. */
int64_t notify_count_secret(struct ctx *c, int64_t workspace_id);

/*
 * Refuses (`param` is "notify_url") what no ping is sent to: anything but https on port 443
 * with a host that has a dot, without a user name, a private address and a fragment. *url is
 * the address as it is stored: its host is in small letters, its path begins with a slash.
 */
MAY_REFUSE struct err *notify_address_check(struct ctx *c, const char *value, const char **url);

/* Returns the host of a stored address (arena), without brackets. */
const char *notify_host(struct ctx *c, const char *url);

#endif
