#ifndef SYSTEM_LANDLOCK_H
#define SYSTEM_LANDLOCK_H
/*
 * Landlock by the kernel's own interface, for harden.h alone: the numbers and
 * structures are here because not every C library has them.
 *
 * A ruleset handles some rights. A process that it restricts has a handled right
 * only below the paths that were allowed with it, and its children have no more.
 * A restricted process cannot look into a process outside of the restriction
 * either (ptrace, and what of /proc asks the same question).
 */
#include <stdbool.h>
#include <stdint.h>

/* Rights, as bits. */
#define LANDLOCK_EXECUTE (UINT64_C(1) << 0)
#define LANDLOCK_WRITE_FILE (UINT64_C(1) << 1)
#define LANDLOCK_READ_FILE (UINT64_C(1) << 2)
#define LANDLOCK_READ_DIR (UINT64_C(1) << 3)
#define LANDLOCK_REMOVE_DIR (UINT64_C(1) << 4)
#define LANDLOCK_REMOVE_FILE (UINT64_C(1) << 5)
#define LANDLOCK_MAKE_DIR (UINT64_C(1) << 7)
#define LANDLOCK_MAKE_REG (UINT64_C(1) << 8)
#define LANDLOCK_MAKE_FIFO (UINT64_C(1) << 10)
#define LANDLOCK_MAKE_SYM (UINT64_C(1) << 12)
#define LANDLOCK_REFER (UINT64_C(1) << 13)
#define LANDLOCK_TRUNCATE (UINT64_C(1) << 14)
/* All rights of a version of the interface: of Linux 5.13, 5.19, 6.2. */
#define LANDLOCK_ALL_1 ((UINT64_C(1) << 13) - 1)
#define LANDLOCK_ALL_2 ((UINT64_C(1) << 14) - 1)
#define LANDLOCK_ALL_3 ((UINT64_C(1) << 15) - 1)

/* Abstract sockets, and signals to processes outside: from version 6 on (Linux
 * 6.12). */
#define LANDLOCK_SCOPES UINT64_C(3)
#define LANDLOCK_SCOPES_SINCE 6

/* The version of the interface, from 1 on; 0: there is none. */
int landlock_version(void);

/* A ruleset that handles these rights and scopes: a descriptor, or -1. */
int landlock_rules(uint64_t handled, uint64_t scopes);

/* Allows rights (those that are handled) at a file, or a folder with all below it.
 * False with errno set; what does not exist is left out. */
bool landlock_allow(int rules, uint64_t handled, const char *path, uint64_t rights);

/* Restricts this process, which can gain no privileges any more, for the rest of its
 * life; closes the ruleset. */
bool landlock_restrict(int rules);

#endif
