#ifndef ACTION_WORKSPACE_H
#define ACTION_WORKSPACE_H
/* Actions on workspaces: create, set, show, list. */
#include <stdbool.h>

#include "access/apikey.h"
#include "access/workspace.h"
#include "action/action.h"
#include "base/err.h"

/* A new workspace. */
struct workspace_order {
	const char *account; /* id or name of the account that owns it */
	const char *name;
	const char *language;
	const char *website; /* or NULL */
	const char *time_zone; /* or NULL: UTC */
	bool another; /* another workspace may have this name */
	bool within; /* only the names of this account count: others are not told of */
};

/* Creates a workspace with the public_url of the instance. Refuses a name that another workspace
 * has, unless `another`. Two workspaces of one name are seldom intended, and the name finds neither
 * of them. `param` of a refused value names the field. Changes everything (DB_CHANGES_ALL). */
MAY_REFUSE struct err *
workspace_create(struct ctx *c, const struct workspace_order *order, struct workspace **out);

/* Calls `show` for the workspace of `place`, inside the transaction. */
MAY_REFUSE struct err *workspace_show(struct ctx *c, const struct find_place *place,
    void (*show)(void *arg, const struct workspace *workspace), void *arg);

/* Calls `each` for every workspace that is not deleted, oldest first, inside the
 * transaction. */
void workspace_show_all(
    struct ctx *c, void (*each)(void *arg, const struct workspace *workspace), void *arg);

/* The first customer of an instance: an account that may order, a workspace and a key
 * that reads its articles. */
struct first_site {
	const char *name; /* of the account and of the workspace */
	const char *language;
	const char *website; /* or NULL */
	const char *label; /* of the key */
	struct account *account;
	struct workspace *workspace;
	struct apikey *apikey;
	char key[APIKEY_LENGTH + 1]; /* the only copy; the caller must clear it */
};

/* Refuses what workspace_create_site() would refuse, without a database. */
MAY_REFUSE struct err *workspace_check_site(struct ctx *c, const struct first_site *site);

/* Creates all three; fills the last four members. Changes everything
 * (DB_CHANGES_ALL). */
MAY_REFUSE struct err *workspace_create_site(struct ctx *c, struct first_site *site);

#endif
