#ifndef SIGN_START_ADDRESS_H
#define SIGN_START_ADDRESS_H
/* The address of an instance that has none, set by who has the code of the page Start
 * (docs/console.md §2.7). */
#include <stdbool.h>

#include "base/err.h"

struct ctx;

/* Returns whether the address may be set: plain http may not while require_https is on. */
bool start_address_is_good(struct ctx *c, const char *url);

/*
 * Sets public_url in galley.conf, and nothing else of that file, and gives it to the workspaces
 * where the database is of this release; else the job runner does that. c->conf is then what the
 * file says. `address` is the client's. Refuses as start_check() does, an address that
 * public_url cannot be or start_address_is_good() refuses (ERR_INVALID), and an instance
 * that has one by now (ERR_CONFLICT).
 */
MAY_REFUSE struct err *
start_address(struct ctx *c, const char *code, const char *address, const char *url);

#endif
