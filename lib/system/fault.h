#ifndef SYSTEM_FAULT_H
#define SYSTEM_FAULT_H
/*
 * Named places where a test may make the process fail. They exist in test
 * builds only (GALLEY_TEST); elsewhere FAULT() is nothing.
 *
 * The environment's GALLEY_FAULT is `NAME:N:ACTION`, acting at the N-th time
 * that NAME is met: kill, abort, stop (SIGSTOP), sleep=MS, clock=SECONDS (the
 * wall clock steps as by GALLEY_CLOCK), or an error's name (ENOSPC EIO EINTR),
 * for which FAULT() returns that errno; else it returns 0.
 *
 * `any:N:ACTION` acts at one of N places that are met, by chance and as often as
 * it comes: for races (`any:20:pause=100`, up to 100 microseconds each).
 *
 * With GALLEY_FAULT_LOG=FILE every place met is appended to that file. A program
 * of a test build, started with the one argument --faults, prints the places that
 * it has. FAULT()'s argument is a literal.
 */
#ifdef GALLEY_TEST
/* The names stand in a section of their own, so that the list is that of the
 * code. */
#define FAULT(name)                                                                                \
	({                                                                                         \
		static const char fault_name[] __attribute__((section("fault_names"), used)) =     \
		    name;                                                                          \
		fault_point(fault_name);                                                           \
	})
int fault_point(const char *name);
#else
#define FAULT(name) 0
#endif

#endif
