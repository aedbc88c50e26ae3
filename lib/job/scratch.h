#ifndef JOB_SCRATCH_H
#define JOB_SCRATCH_H
/*
 * The scratch folder of one try of a provider: run/try-XXXXXX, empty, 0700. It
 * is locked as long as its maker lives, so that a later run can tell what
 * was left behind.
 *
 * Each try has a mark: a number that its processes carry as a limit which limits nothing
 * (RLIMIT_LOCKS), that children inherit, and that everybody can read in /proc. A process
 * which is confined cannot change it (system/harden.h).
 */
#include <stdint.h>

struct ctx;

struct scratch {
	const char *path; /* absolute, in the arena */
	int fd; /* of the folder; -1: none */
	uint64_t mark; /* of the instance and the folder */
};

/* Makes one; 0, or the errno of what failed. */
int scratch_make(struct ctx *c, struct scratch *out);

/* Removes it with all that is in it. */
void scratch_remove(struct scratch *s);

/* Kills the processes with this mark, but for this process. Returns how many it found. */
int scratch_kill(uint64_t mark);

/* Kills what the tries of this instance whose makers died have left, and removes their
 * folders. */
void scratch_sweep(struct ctx *c);

#endif
