#ifndef SYSTEM_FILELOCK_H
#define SYSTEM_FILELOCK_H
/*
 * A lock that goes with its process: a POSIX record lock on a file (docs/design.md §5).
 * Children do not inherit it. A process that finds it free knows that the last holder
 * is dead or done.
 *
 * The kernel drops it when the process closes *any* descriptor of the file, so
 * nobody opens such a file in another way.
 */
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Takes the lock of `path` (made with mode 0600 where it is missing) without
 * waiting: a descriptor to give back, or -1: held, with the holder's process id
 * in *holder, or a fault with errno set and *holder 0 (EAGAIN: it is held in another
 * container).
 */
int filelock_take(const char *path, pid_t *holder);

/*
 * The same lock, waited for as long as it takes. Any number of processes may have
 * it `shared` at once, but none beside one that has it alone. -1 with errno for
 * a fault.
 */
int filelock_wait(const char *path, bool shared);

/*
 * Takes the lock of one byte of a file of its own, wherever that is, without waiting. It goes with
 * its descriptor: one process may have the locks of several bytes, and two of the same byte exclude
 * each other within a process, too. -1 with errno: EAGAIN if it is held.
 */
int filelock_take_byte(const char *path, off_t at);

/* Who holds the lock of `path`, 0 for nobody. Not for a process that may hold it
 * itself: asking closes a descriptor of the file. */
pid_t filelock_holder(const char *path);

/* Gives it back. */
void filelock_release(int fd);

/*
 * ---- places in a file
 *
 * Places in a file, each of which processes lock apart from the others: for counts of strangers.
 * Behind the end of the file all is 0. A place stays locked until the file is closed.
 */

/* Locks a place against other processes and reads it. Returns false with errno set. */
bool placefile_read(int fd, off_t offset, void *out, size_t size);

/* Writes a place; false with errno set. */
bool placefile_write(int fd, off_t offset, const void *bytes, size_t size);

#endif
