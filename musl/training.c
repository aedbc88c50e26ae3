/*
 * training: what the programs of a training (train.pl) have beside their own code.
 *
 * All who build must count the same, or the programs of a release would not be the
 * same. So bytes that are drawn by chance are the same in each training: those of a
 * program are always the same, but for orders, which have those of their
 * Idempotency-Key. musl.mk links this file with the programs of cgi-bin/; the
 * operator's tool loads it as a library, for getrandom() alone.
 *
 * A program of cgi-bin/ ends with _exit(), before which no counts would be written,
 * and confines itself, so that none could be. The linker replaces both functions
 * (--wrap). Counts are added to those in the folder GALLEY_COUNTS of the environment;
 * without it a process counts for nothing.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/types.h>
#include <unistd.h>

#define DRAW_MAX 64 /* bytes */

/* Of GCC's library of counts; NULL in the tool. */
extern void __gcov_dump(void) __attribute__((weak));

_Noreturn void __real__exit(int status) __attribute__((weak));
_Noreturn void __wrap__exit(int status);
unsigned __wrap_harden_confine(const void *paths, size_t count, bool connects);

static void
mix(uint64_t *state, const char *text)
{
	for (; text != NULL && *text != '\0'; text++)
		*state = (*state ^ (unsigned char)*text) * 0x100000001b3;
}

ssize_t
getrandom(void *bytes, size_t len, unsigned flags)
{
	/* The ids of articles must not depend on how many other draws came before: the tool
	 * makes as many transactions as there is time for, each of which draws a counter, and
	 * root draws a name before it becomes the instance's owner. */
	static uint64_t states[2][DRAW_MAX];
	uint64_t *state = &states[geteuid() == 0][len < DRAW_MAX ? len : 0];
	unsigned char *p = bytes;

	(void)flags;
	if (*state == 0) {
		*state = 0xcbf29ce484222325;
		mix(state, program_invocation_short_name);
		mix(state, getenv("HTTP_IDEMPOTENCY_KEY"));
	}
	for (size_t i = 0; i < len; i++) {
		*state = *state * 6364136223846793005 + 1442695040888963407;
		p[i] = (unsigned char)(*state >> 56);
	}
	return (ssize_t)len;
}

_Noreturn void
__wrap__exit(int status)
{
	const char *folder = getenv("GALLEY_COUNTS");

	/* The name of the object file, without its folders, in that folder. */
	if (folder != NULL && setenv("GCOV_PREFIX", folder, 1) == 0 &&
	    setenv("GCOV_PREFIX_STRIP", "99", 1) == 0)
		__gcov_dump();
	__real__exit(status);
}

unsigned
__wrap_harden_confine(const void *paths, size_t count, bool connects)
{
	(void)paths, (void)count, (void)connects;
	return 0;
}
