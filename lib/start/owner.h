#ifndef START_OWNER_H
#define START_OWNER_H
/*
 * Whose instance it is (docs/design.md §1). One user owns an instance: that of DIR/db.
 * Started by root, every command becomes that user before it opens anything, so
 * that no file in db, run, log, good or media is ever root's, and that no link in
 * them leads root anywhere.
 *
 * owner.c		who that is, and becoming it
 * owner-path.c		who can change where a path leads
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
 * root. It refuses root, too, where a user who is not that owner can change which
 * folder that is.
 */
MAY_REFUSE struct err *owner_become(struct ctx *c);

/* Whom owner_become() becomes, with the same refusals; becomes nobody yet. */
MAY_REFUSE struct err *owner_of(struct ctx *c, uid_t *uid, gid_t *gid);

/* Becomes this user for good, where this process is another. */
MAY_REFUSE struct err *owner_become_user(struct ctx *c, uid_t uid, gid_t gid);

/*
 * The first user, from the top, that owns a folder on the way to `path`, or `path`
 * itself: what is below it may be exchanged by that user at any moment, so that
 * root must become that user before it uses the path. 0: all of the way is root's.
 * Folders that lead to this very program do not count: who may change them could
 * have changed the program. Refuses a folder of root's that others may write.
 */
MAY_REFUSE struct err *owner_leader(struct ctx *c, const char *path,
    uid_t *leader);

/* The user named (or www-data where `name` is NULL), for init by root. */
MAY_REFUSE struct err *owner_find(struct ctx *c, const char *name, uid_t *uid,
    gid_t *gid);

#endif
