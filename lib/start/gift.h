#ifndef START_GIFT_H
#define START_GIFT_H
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
#include <sys/types.h>

struct ctx;

/* Gives what belongs to root in `folder` and in the folders below it, and calls `say`
 * with a sentence for each file, given or not. Only root may call it, and only root may
 * be able to rename `folder`. A folder that cannot be opened is skipped. */
void gift_give(struct ctx *c, const char *folder, uid_t uid, gid_t gid,
    void (*say)(void *arg, const char *sentence), void *arg);

#endif
