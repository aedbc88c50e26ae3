#ifndef TESTS_TAP_H
#define TESTS_TAP_H
/*
 * The Test Anything Protocol for unit tests in C, run by prove:
 *
 *	int
 *	main(void)
 *	{
 *		is_int(1 + 1, 2, "numbers add up");
 *		return done_testing();
 *	}
 *
 * A test's name is a property, as a printf format. Every check gives whether
 * it passed, so that what depends on it can be left out. A crash ends the
 * output with "Bail out!". A forked child that crashes says nothing: its
 * parent looks at the wait status.
 */
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TAP_FORMAT(at) __attribute__((unused, format(printf, at, at + 1)))

static struct {
	int run, failed, planned; /* planned 0: done_testing() writes the plan */
	pid_t process;
} tap;

static void
tap_crashed(int signal_number)
{
	char text[] = "\nBail out! signal 00\n";

	if (getpid() == tap.process) {
		text[sizeof(text) - 4] = (char)('0' + signal_number / 10 % 10);
		text[sizeof(text) - 3] = (char)('0' + signal_number % 10);
		if (write(STDOUT_FILENO, text, sizeof(text) - 1) < 0)
			_exit(1);
	}
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

__attribute__((constructor)) static void
tap_begin(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };

	tap.process = getpid();
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], tap_crashed);
}

/* Says beforehand how many checks there will be. Optional. */
__attribute__((unused)) static void
plan(int count)
{
	tap.planned = count;
	printf("1..%d\n", count);
}

static bool
tap_result(bool passed, const char *name, va_list args)
{
	printf("%sok %d - ", passed ? "" : "not ", ++tap.run);
	vprintf(name, args);
	putchar('\n');
	if (!passed)
		tap.failed++;
	return passed;
}

TAP_FORMAT(2) static bool ok(bool passed, const char *name, ...)
{
	va_list args;

	va_start(args, name);
	tap_result(passed, name, args);
	va_end(args);
	return passed;
}

/* NULL equals only NULL. */
TAP_FORMAT(3)
static bool
is_text(const char *got, const char *want, const char *name, ...)
{
	bool same = got == want || (got != NULL && want != NULL && strcmp(got, want) == 0);
	va_list args;

	va_start(args, name);
	tap_result(same, name, args);
	va_end(args);
	if (!same)
		printf("#  got: %s\n# want: %s\n", got == NULL ? "NULL" : got,
		    want == NULL ? "NULL" : want);
	return same;
}

TAP_FORMAT(3)
static bool
is_int(int64_t got, int64_t want, const char *name, ...)
{
	va_list args;

	va_start(args, name);
	tap_result(got == want, name, args);
	va_end(args);
	if (got != want)
		printf("#  got: %lld\n# want: %lld\n", (long long)got, (long long)want);
	return got == want;
}

/* Counts `count` checks that cannot be made here; the name is the reason. */
TAP_FORMAT(2) static void skip(int count, const char *reason, ...)
{
	va_list args;

	while (count-- > 0) {
		printf("ok %d # SKIP ", ++tap.run);
		va_start(args, reason);
		vprintf(reason, args);
		va_end(args);
		putchar('\n');
	}
}

/* Gives up the whole run of tests. */
__attribute__((unused, noreturn, format(printf, 1, 2))) static void
bail(const char *reason, ...)
{
	va_list args;

	printf("Bail out! ");
	va_start(args, reason);
	vprintf(reason, args);
	va_end(args);
	putchar('\n');
	exit(255);
}

/* Ends the output; the value is main()'s. */
__attribute__((unused)) static int
done_testing(void)
{
	if (tap.planned == 0)
		printf("1..%d\n", tap.run);
	return tap.failed > 0 || (tap.planned > 0 && tap.planned != tap.run);
}

#endif
