#ifndef ACCESS_LIVE_H
#define ACCESS_LIVE_H
/*
 * Where this instance is live (docs/console.md §4.15). A copy of it, or a backup of it that was
 * restored elsewhere, is *quiet*: its runners send no ping and no mail, publish nothing at a
 * date and begin no order, until a person says that this one is live.
 *
 * The table live travels with the content. It holds the address (public_url), the machine
 * (/etc/machine-id) and the folder where the instance was live last. The runners compare them
 * with what they find:
 *
 * - another machine is another place;
 * - another address in another folder is another place;
 * - another address in the same folder was set by the operator, and another folder with the
 *   same address was moved: they are noted, and nothing is quiet.
 *
 * The hosts that share a database of PostgreSQL are one instance: its machine is then the database
 * (lease_database()), and it has no folder.
 *
 * Only the runners compare, because programs that answer requests cannot read the machine's id.
 * All others read what the runners noted.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct ctx;

/* Compares, and notes what is new: in transactions of its own. Needs c->conf. Returns whether
 * the instance is quiet. */
bool live_look(struct ctx *c);

/* Returns since when the instance is quiet; 0: it is live. Needs a transaction of DB_CONTENT. */
int64_t live_quiet_since(struct ctx *c);

/* Makes the instance live here; the runners note on which machine. Refuses (409) one that is live.
 * In a writing transaction of DB_CONTENT. */
MAY_REFUSE struct err *live_begin(struct ctx *c);

/* For a copy that is restored and was made by a release which did not note the place: notes the
 * address of its galley.conf. Does nothing where a place is noted. In a writing transaction of
 * DB_CONTENT. */
void live_note_address(struct ctx *c, const char *public_url);

#endif
