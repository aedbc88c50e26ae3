#ifndef JOB_SUPERVISOR_H
#define JOB_SUPERVISOR_H
/*
 * The process between the runner and a provider. It adopts every process that leaves the
 * provider, and kills all of them when the provider has ended, when the runner asks for
 * it, and when the runner is dead, by any signal. If the supervisor is killed together
 * with the runner, the provider dies with it; processes that the provider left have the
 * mark of the try (scratch.h), by which the next run finds them.
 */
#include <stdint.h>
#include <sys/types.h>

struct try_places;

struct supervised {
	const char *program; /* absolute */
	const char *folder; /* its working directory */
	int64_t seconds; /* of processor time */
	const struct try_places *places;
	/* HARDEN_ bits without which nothing is started */
	unsigned confinement;
	uint64_t mark; /* of the scratch folder */
	pid_t runner;
	int in, out, err; /* the provider's 0, 1 and 2; all of these above 3 */
	/* gets an errno if the program could not be started; closed if it was
	 * started */
	int wrong;
	int alive; /* the runner closes the other end when everything must end */
	/* gets the provider's wait status when all processes have ended */
	int report;
};

/* Who kills children does it each millisecond, and looks through the processes of the
 * whole machine (scratch_kill()) in each of so many rounds only: that costs more than all
 * else, and nearly all processes of a try are children. */
#define SUPERVISOR_SCAN_ROUNDS 10

/* Runs the supervisor in a child of the runner, until it exits. */
_Noreturn void supervisor_run(const struct supervised *s);

/* Kills all children of this process, its own and the adopted ones. */
void supervisor_kill_children(void);

#endif
