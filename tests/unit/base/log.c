/* A process that dies answers once, whatever happens while it does. */
#include "base/log.h"

#include <sys/wait.h>
#include <unistd.h>

#include "tests/tap.h"

static int ends[2];

static void
words_that_die(bool passing, int retry_after_s)
{
	char said = strcmp(log_death(), "first") != 0 ? '?'
		    : passing && retry_after_s == 7   ? 'p'
						      : 'd';

	if (write(ends[1], &said, 1) != 1)
		_exit(99);
	die("again");
}

enum death { PLAIN, WITH_WORDS, PASSING };

/* Returns the wait status of a child that dies so; *answers: what it, or its last words, wrote. */
static int
death_of_child(enum death death, char answers[32])
{
	int status = -1;
	pid_t child;

	fflush(stdout);
	if (pipe(ends) != 0 || (child = fork()) < 0)
		return -1;
	if (child == 0) {
		log_open("test", "/dev/null");
		if (death == PLAIN)
			dup2(ends[1], STDERR_FILENO);
		else
			log_on_death(words_that_die);
		if (death == PASSING)
			die_passing(7, "first");
		die("first");
	}
	close(ends[1]);
	waitpid(child, &status, 0);
	ssize_t got = read(ends[0], answers, 31);
	answers[got > 0 ? got : 0] = '\0';
	close(ends[0]);
	return status;
}

int
main(void)
{
	char answers[32];
	int status = death_of_child(PLAIN, answers);

	ok(WIFEXITED(status) && WEXITSTATUS(status) == 1, "a process that dies ends with 1");
	is_text(answers, "test: first\n", "and says who it is, and why");
	status = death_of_child(WITH_WORDS, answers);

	ok(WIFEXITED(status) && WEXITSTATUS(status) == 1,
	    "a process whose last words die ends with 1");
	is_text(answers, "d", "and they were called once");
	status = death_of_child(PASSING, answers);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 1, "so where the fault passes");
	is_text(answers, "p", "which they are told, with the time to wait");
	return done_testing();
}
