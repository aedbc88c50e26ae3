#ifndef JOB_SUPERVISOR_H
#define JOB_SUPERVISOR_H
/*
 * The process between the runner and a provider. It adopts whatever leaves the provider,
 * and kills all of it when the provider has ended, when the runner says so, and when the
 * runner is dead, by whatever signal. Where it is killed itself, together with the runner,
 * the provider dies with it; what that left behind has the mark of its try (scratch.h), by
 * which the next run finds it.
 */
#include <stdint.h>
#include <sys/types.h>

struct try_places;

struct supervised {
	const char *program; /* absolute */
	const char *folder; /* the working directory */
	int64_t seconds; /* of processor time */
	const struct try_places *places;
	unsigned
	    confinement; /* HARDEN_ bits without which nothing is started */
	uint64_t mark; /* of the scratch folder */
	pid_t runner;
	int in, out, err; /* the provider's 0, 1 and 2; all of these above 3 */
	int wrong; /* is told an errno when the program was not started, and
			     closed when it was */
	int alive; /* is closed, at its other end, when all shall end */
	int report; /* is told the provider's wait status, when all have ended */
};

/* What a child of the runner does, to its end. */
_Noreturn void supervisor_run(const struct supervised *s);

/* Kills the children that this process has, its own and adopted ones. */
void supervisor_kill_children(void);

#endif
