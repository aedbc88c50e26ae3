#ifndef JOB_SCRATCH_H
#define JOB_SCRATCH_H
/*
 * The scratch folder of one try of a provider: run/try-XXXXXX, empty, 0700. It
 * is locked as long as whoever made it lives, so that a later run can tell what
 * was left behind.
 */

struct ctx;

struct scratch {
	const char *path; /* absolute, in the arena */
	int fd;           /* of the folder; -1: none */
};

/* Makes one; 0, or the errno of what failed. */
int scratch_make(struct ctx *c, struct scratch *out);

/* Removes it with all that is in it. */
void scratch_remove(struct scratch *s);

/* Removes the folders whose makers died, and kills what works in them. */
void scratch_sweep(struct ctx *c);

#endif
