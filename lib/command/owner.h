#ifndef COMMAND_OWNER_H
#define COMMAND_OWNER_H
/*
 * Whose instance it is (design §1). One user owns an instance: that of DIR/db.
 * Started by root, every command becomes that user before it opens anything, so
 * that no file in db, run, log or media is ever root's.
 */
#include <sys/types.h>

#include "base/err.h"

/* Who called: the login name of this process's user, for root with that of the
 * user whom sudo names, "root (ann)". In the arena. */
const char *owner_caller(struct ctx *c);

/* The login name of a user, or its number. In the arena. */
const char *owner_name(struct ctx *c, uid_t uid);

/*
 * Becomes the owner of c->instance's db folder for good. Refuses where there is
 * no such folder, and where this process may not: it is neither the owner nor
 * root.
 */
MAY_REFUSE struct err *owner_become(struct ctx *c);

/* The user named (or www-data where `name` is NULL), for init by root. */
MAY_REFUSE struct err *owner_find(struct ctx *c, const char *name, uid_t *uid,
    gid_t *gid);

#endif
