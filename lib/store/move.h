#ifndef STORE_MOVE_H
#define STORE_MOVE_H
/*
 * An instance moves from one kind of store to the other: galley store copy (docs/postgres.md §8,
 * backup/store-copy.h). Only the operator's tool of the build STORE=pg can do that, because it
 * knows both. In other programs move_is_built() is false, and the rest must not be called.
 *
 * The instance is c->instance. No transaction may be open; c->db is NULL afterwards.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/digest.h"
#include "base/err.h"
#include "store/db.h"

struct ctx;
struct instance;

bool move_is_built(void);

/* Returns whether the instance's store is SQLite. */
bool move_is_lite(struct ctx *c);

/* Returns the number of a store's schema, whether or not it is closed; 0 where it is missing. */
int64_t move_number(struct ctx *c, enum db_store store);

/* Returns whether it is closed: every program answers 503 (DB_MOVED). */
bool move_is_closed(struct ctx *c);

/* Returns whether it holds nobody: no account, no workspace and no person. */
bool move_is_empty(struct ctx *c);

/* Returns whether its database answers. Nobody dies of one that does not. */
bool move_is_reached(struct ctx *c);

/* Closes the stores of the instance, once nobody writes. */
void move_close(struct ctx *c);

/* Opens them again. `change` is called with the content, in the same transaction; or NULL. */
void move_open(struct ctx *c, void (*change)(struct ctx *c));

/* Adds to a digest what a transaction sees of the content. */
typedef void move_look(struct ctx *c, struct digest *into);

/* Returns whether both instances look the same; both may be closed. */
bool move_looks_same(struct ctx *c, const struct instance *to, move_look *look);

/*
 * Copies all rows and pictures of the instance, which is closed, to `to`, which is empty and of the
 * other store: all, or nothing. `folder` is an empty folder below to->home for files that are
 * prepared. Before the end both must look the same. Refuses what cannot be copied; then the other
 * instance is as it was.
 */
MAY_REFUSE struct err *
move_rows(struct ctx *c, const struct instance *to, const char *folder, move_look *look);

#endif
