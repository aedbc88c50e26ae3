#ifndef ACTION_HOME_PLACES_H
#define ACTION_HOME_PLACES_H
/*
 * The workspaces and accounts that a person may go to (docs/console.md §4.1), the newest
 * workspace first, page by page. An instance may have thousands of workspaces, and an
 * operator may go to all of them: one pass reads the names of the table, and only what a
 * page shows is read whole.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/account.h"
#include "base/err.h"

#define PLACES_PAGE 50 /* workspaces of a page */
#define PLACES_MAX 200
#define PLACES_ACCOUNTS 50

struct places_row {
	int64_t id; /* of the workspace */
	const char *uuid, *name;
	const struct account *account;
	unsigned rights; /* of enum right */
};

/* An account that the person is a member of. */
struct places_account {
	const struct account *account;
	unsigned rights;
};

struct places {
	/* What is asked. */
	int64_t person_id;
	const char *search; /* a part of the workspace's name; NULL: all */
	const char *before; /* UUID of the last workspace of the page before; NULL: none */
	size_t max; /* rows, at most PLACES_MAX */
	bool own; /* an operator's own memberships alone, as those of others */

	/* What is found. */
	bool operates; /* the person may go to every workspace */
	struct places_row rows[PLACES_MAX + 1];
	size_t count;
	bool more;
	struct places_account accounts[PLACES_ACCOUNTS]; /* oldest membership first */
	size_t account_count;
	bool many; /* the rows are of several accounts */
};

/* Reads the page. It is its own transactions. Refuses where people/ is not there. */
MAY_REFUSE struct err *places_read(struct ctx *c, struct places *p);

#endif
