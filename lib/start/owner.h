#ifndef START_OWNER_H
#define START_OWNER_H
/*
 * The owner of an instance (docs/design.md §1) is the user who owns DIR/db. A program
 * that root starts becomes the owner before it opens anything: so no file in db, run,
 * log, good or media ever belongs to root, and no link in them can lead root elsewhere.
 */
#include <sys/types.h>

#include "base/err.h"

struct ctx;

/* Returns the login name of the user who called; for root with the user whom sudo names,
 * "root (ann)". In the arena. */
const char *owner_caller(struct ctx *c);

/* Returns the login name of a user, or its number. In the arena. */
const char *owner_name(struct ctx *c, uid_t uid);

/*
 * Becomes the owner of c->instance's db folder, permanently. Refuses if there is no such
 * folder, and if this process is neither the owner nor root. Refuses root, too, if a
 * user who is not the owner can change which folder that is.
 */
MAY_REFUSE struct err *owner_become(struct ctx *c);

/* Finds the user that owner_become() becomes, with the same refusals; changes nothing. */
MAY_REFUSE struct err *owner_of(struct ctx *c, uid_t *uid, gid_t *gid);

/* Becomes this user, permanently, if this process is another. */
MAY_REFUSE struct err *owner_become_user(struct ctx *c, uid_t uid, gid_t gid);

/*
 * Finds the first user, from the top, other than root who owns a folder on the way to
 * `path`, or `path` itself. That user can exchange at any moment what is below, so root
 * must become that user before it uses the path. 0: root owns the whole way. Folders
 * that lead to this program do not count: a user who may change them could have changed
 * the program. Refuses a folder of root that others may write to.
 */
MAY_REFUSE struct err *owner_leader(struct ctx *c, const char *path, uid_t *leader);

/* Finds the user called `name`, or www-data if it is NULL. For init by root. */
MAY_REFUSE struct err *owner_find(struct ctx *c, const char *name, uid_t *uid, gid_t *gid);

/*
 * Gives the owner of an instance the files that root created in the instance's folders.
 *
 * The owner can exchange each name in these folders at any moment. So each step uses
 * descriptors, follows no link, and gives only two kinds: folders of root, and regular
 * files of root that have exactly one name. A file with several names may be a file of
 * the system: where the system lets users link files of others
 * (fs.protected_hardlinks = 0), the owner may have made the second name, and no file is
 * given at all.
 */

/* Gives what belongs to root in `folder` and in the folders below it, and calls `say`
 * with a sentence for each file, given or not. Only root may call it, and only root may
 * be able to rename `folder`. A folder that cannot be opened is skipped. */
void gift_give(struct ctx *c, const char *folder, uid_t uid, gid_t gid,
    void (*say)(void *arg, const char *sentence), void *arg);

#endif
