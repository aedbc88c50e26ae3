/*
 * A successor goes on when its process ends; the parent of both watches.
 *
 * suite: fast
 */
#include "system/successor.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "base/watch.h"
#include "tests/tap.h"

static char folder[] = "/tmp/successor-XXXXXX";

/* The children's messages, in shared memory. */
static struct said {
	pid_t first, second;
	int on_the_stack;
} * said;

static const char *
named_path(void)
{
	static char path[64];

	snprintf(path, sizeof(path), "%s/named", folder);
	return path;
}

/* A connection of a socket with a name, or of a pair that has none. */
static int
connection(bool named, int *other)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	int listening = socket(AF_UNIX, SOCK_STREAM, 0), pair[2], accepted;

	if (!named) {
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
			bail("no sockets");
		*other = pair[1];
		return pair[0];
	}
	strcpy(name.sun_path, named_path());
	unlink(name.sun_path);
	*other = socket(AF_UNIX, SOCK_STREAM, 0);
	if (bind(listening, (struct sockaddr *)&name, sizeof(name)) != 0 ||
	    listen(listening, 1) != 0 ||
	    connect(*other, (struct sockaddr *)&name, sizeof(name)) != 0)
		bail("%s cannot be listened at", name.sun_path);
	accepted = accept(listening, NULL, NULL);
	close(listening);
	return accepted;
}

/* Starts a child with this output, which begins a successor that lives `idle_s` seconds. */
static pid_t
begin(bool named, unsigned life_s, unsigned idle_s)
{
	int other, output = connection(named, &other), local = 41;
	pid_t child;

	memset(said, 0, sizeof(*said));
	fflush(stdout);
	child = fork();
	if (child == 0) {
		dup2(output, STDOUT_FILENO);
		said->first = getpid();
		local++;
		successor_begin(life_s);
		said->second = getpid();
		said->on_the_stack = local;
		sleep(idle_s);
		_exit(7);
	}
	close(output);
	close(other);
	return child;
}

static void
another_goes_on(void)
{
	pid_t child = begin(true, 60, 0), ended;
	int status;

	is_int(waitpid(child, &status, 0), child, "the process ends");
	is_int(status, 0, "well, before what it was to do");
	ended = waitpid(-1, &status, 0);
	is_int(ended, said->second, "its successor ends, a child of the same");
	is_int(WEXITSTATUS(status), 7, "having done that");
	is_int(said->first, child, "the process began");
	ok(said->second != child, "another went on");
	is_int(said->on_the_stack, 42, "on the same stack");
}

static void
it_lives_as_long_as_it_may(void)
{
	pid_t child = begin(true, 1, 30);
	int status;

	waitpid(child, &status, 0);
	waitpid(-1, &status, 0);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM,
	    "a successor that does not end is ended");
}

static void
where_nobody_is_known_to_look_there_is_none(void)
{
	pid_t child = begin(false, 60, 0);
	int status;

	waitpid(child, &status, 0);
	is_int(WEXITSTATUS(status), 7, "without a name the process does all");
	is_int(said->second, child, "by itself");
	ok(waitpid(-1, &status, 0) == -1 && errno == ECHILD, "and alone");
}

int
main(void)
{
	if (mkdtemp(folder) == NULL)
		bail("%s cannot be made", folder);
	said = mmap(NULL, sizeof(*said), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
#ifdef SUCCESSOR_CLONE
	if (!watch_is_on()) {
		another_goes_on();
		it_lives_as_long_as_it_may();
	}
#endif
	where_nobody_is_known_to_look_there_is_none();
	unlink(named_path());
	rmdir(folder);
	return done_testing();
}
