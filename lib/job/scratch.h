#ifndef JOB_SCRATCH_H
#define JOB_SCRATCH_H
/*
 * The scratch folder of one try: run/try-XXXXXX, empty at first, mode 0700. It is locked
 * as long as the process that made it lives, so that a later run recognises folders that
 * were left.
 *
 * Each try has a mark: a number that its processes carry as the value of a limit that
 * limits nothing (RLIMIT_LOCKS). Children inherit it, every process can read it in /proc,
 * and a confined process cannot change it (system/harden.h).
 */
#include <stdint.h>

struct ctx;

struct scratch {
	const char *path; /* absolute path, in the arena */
	int fd; /* of the folder; -1: none */
	uint64_t mark; /* of the instance and of the folder */
};

/* Creates a scratch folder. Returns 0, or the errno of the call that failed. */
int scratch_make(struct ctx *c, struct scratch *out);

/* Removes the folder and everything in it. */
void scratch_remove(struct scratch *s);

/* Kills the processes with this mark, except this process. Returns how many it found. */
int scratch_kill(uint64_t mark);

/* Kills the processes and removes the folders that were left by tries of this instance
 * whose makers died. */
void scratch_sweep(struct ctx *c);

#endif
