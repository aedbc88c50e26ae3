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

/* Returns the wait status of a child that dies with these last words; *answers: what they wrote. */
static int
death_of_child(bool passing, char answers[8])
{
	int status = -1;
	pid_t child;

	fflush(stdout);
	if (pipe(ends) != 0 || (child = fork()) < 0)
		return -1;
	if (child == 0) {
		log_open("test", "/dev/null");
		log_on_death(words_that_die);
		if (passing)
			die_passing(7, "first");
		die("first");
	}
	close(ends[1]);
	waitpid(child, &status, 0);
	ssize_t got = read(ends[0], answers, 7);
	answers[got > 0 ? got : 0] = '\0';
	close(ends[0]);
	return status;
}

int
main(void)
{
	char answers[8];
	int status = death_of_child(false, answers);

	ok(WIFEXITED(status) && WEXITSTATUS(status) == 1,
	    "a process whose last words die ends with 1");
	is_text(answers, "d", "and they were called once");
	status = death_of_child(true, answers);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 1, "so where the fault passes");
	is_text(answers, "p", "which they are told, with the time to wait");
	return done_testing();
}
