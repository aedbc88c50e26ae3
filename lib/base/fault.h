#ifndef BASE_FAULT_H
#define BASE_FAULT_H
/*
 * Named places where a test may make the process fail. They exist in test
 * builds only (GALLEY_TEST); elsewhere FAULT() is nothing.
 *
 * The environment's GALLEY_FAULT is `NAME:N:ACTION`, acting at the N-th time
 * that NAME is met: kill, abort, stop (SIGSTOP), sleep=MS, or an error's name
 * (ENOSPC EIO EINTR), for which FAULT() returns that errno; else it returns 0.
 * With GALLEY_FAULT_LOG=FILE every place met is appended to that file.
 */
#ifdef GALLEY_TEST
#define FAULT(name) fault_point(name)
int fault_point(const char *name);
#else
#define FAULT(name) 0
#endif

#endif
