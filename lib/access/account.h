#ifndef ACCESS_ACCOUNT_H
#define ACCESS_ACCOUNT_H
/* Customers (table account). Only job/ledger.h moves credits. */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct stmt;

struct account {
	int64_t id;
	const char *uuid;
	const char *name;
	bool verified; /* may order jobs (docs/contract.md §5.7) */
	bool suspended; /* answered like an unverified one */
	int64_t asked_at; /* when an owner asked to have it verified; 0: nobody asks */
	int64_t
	    declined_at; /* when an operator declined the last request; 0: never, or asked again */
	int64_t granted, available, reserved, spent; /* credits */
	int64_t created_at;
};

/* Returns the account with this UUID, or with this name if only one account has
 * it; else NULL. *many is true if several accounts have the name. */
struct account *account_find(struct ctx *c, const char *name_or_uuid, bool *many);

/* Returns the account with this UUID (in lower case), or NULL. */
struct account *account_find_uuid(struct ctx *c, const char *uuid);

/* Returns the account with this internal id. Dies if there is none: foreign keys
 * forbid that. */
struct account *account_of(struct ctx *c, int64_t id);

/* Asks for account_of() with the next question (store/remote-store.h). Only if STORE_IS_REMOTE. */
void account_prefetch(struct ctx *c, int64_t id);

/* Begins to list the accounts, oldest first, or at most `limit` of those that ask to be verified.
 * account_next() returns one after the other (arena), then NULL. db_reset() ends it early. */
struct stmt *account_list(struct ctx *c);
struct stmt *account_list_asking(struct ctx *c, int64_t limit);
struct account *account_next(struct ctx *c, struct stmt *q);

/* Creates an account. Refuses a name that is not one line of 1 to 200
 * characters. */
MAY_REFUSE struct err *
account_insert(struct ctx *c, const char *name, bool verified, struct account **out);

/* Writes the flags of `account`, and what is asked, to its row. */
void account_update(struct ctx *c, const struct account *account);

/*
 * Finds the row that a UUID or a name names. For this file and workspace.c. The statement asks
 * for `uuid = :uuid OR (:uuid IS NULL AND name = :name)`, at most two rows. `uuid` is an array
 * of UUID_TEXT bytes.
 *
 *	found = db_row(q) ? from_row(c, q) : NULL;
 *	*many = lookup_is_many(q, found);
 *	return *many ? NULL : found;
 */
#define LOOKUP_VALUES(name_or_uuid, uuid)                                                          \
	db_t(":uuid", uuid_parse(name_or_uuid, uuid) ? (uuid) : NULL), db_t(":name", name_or_uuid)

/* Returns whether there is a row after `found`, the first one; ends the reading. */
bool lookup_is_many(struct stmt *q, const void *found);

#endif
