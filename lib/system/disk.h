#ifndef SYSTEM_DISK_H
#define SYSTEM_DISK_H
/* What a file system is and has, for init, backup and doctor. */
#include <stdbool.h>
#include <stdint.h>

/* The name of the network file system that `path` is on ("NFS"), or NULL: a
 * write-ahead log needs the memory of one machine (docs/platform.md §2.3). */
const char *disk_network(const char *path);

/* Bytes that an ordinary user may still write there; -1 when not known. */
int64_t disk_free(const char *path);

/* Returns whether 1 GiB or 5 % of the disk, whichever is less, stays free there if so many
 * bytes are written (docs/console.md §1.3). True where nothing is known. */
bool disk_has_room(const char *path, int64_t bytes);

#endif
