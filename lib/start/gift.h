#ifndef START_GIFT_H
#define START_GIFT_H
/*
 * What root has put into the folders of an instance's owner, given to that owner.
 *
 * The owner can exchange each name in these folders at any moment. So each step goes
 * by descriptor, no link is followed, and only these are given: folders of root's and
 * regular files of root's that have this one name. A file of several names may be one
 * of the system's; the owner may have made the second name where the system lets
 * users do that (fs.protected_hardlinks = 0): there no file is given at all.
 */
#include <sys/types.h>

struct ctx;

/* Gives what is root's in `folder`, whose own name nobody but root can change, and in
 * the folders below it; calls `say` with a
 * sentence for each file, given or left. For root. A folder that cannot be opened is
 * left. */
void gift_give(struct ctx *c, const char *folder, uid_t uid, gid_t gid,
    void (*say)(void *arg, const char *sentence), void *arg);

#endif
