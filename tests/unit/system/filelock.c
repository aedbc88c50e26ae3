/* suite: fast */
#include "system/filelock.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "tests/tap.h"

static char path[] = "/tmp/galley-lock-XXXXXX";

/* Tries the lock in another process; returns 0 if it gets it, or else the holder. */
static pid_t
met_by_another(void)
{
	pid_t child, holder = -1;
	int ends[2];

	if (pipe(ends) != 0)
		bail("no pipe");
	child = fork();
	if (child == 0) {
		filelock_take(path, &holder);
		_exit(write(ends[1], &holder, sizeof(holder)) < 0);
	}
	if (read(ends[0], &holder, sizeof(holder)) != sizeof(holder))
		bail("the child said nothing");
	waitpid(child, NULL, 0);
	close(ends[0]);
	close(ends[1]);
	return holder;
}

/* Returns whether another process can share the lock without waiting for this one. */
static bool
shared_by_another(void)
{
	pid_t child = fork();
	int status;

	if (child == 0)
		_exit(filelock_wait(path, true) < 0);
	waitpid(child, &status, 0);
	return status == 0;
}

/* Another process holds the lock until it reads a byte, which the third signal writes: the
 * earlier signals have arrived while this process was waiting. */
static int told[2];
static volatile sig_atomic_t ticks;

static void
tick(int number)
{
	(void)number;
	if (++ticks == 3 && write(told[1], "x", 1) != 1)
		_exit(1);
}

static pid_t
held_by_another(void)
{
	int ready[2];
	pid_t child, holder;
	char byte;

	if (pipe(told) != 0 || pipe(ready) != 0)
		bail("no pipe");
	child = fork();
	if (child == 0) {
		if (filelock_take(path, &holder) < 0 || write(ready[1], "x", 1) != 1)
			_exit(1);
		_exit(read(told[0], &byte, 1) != 1);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		bail("the child said nothing");
	close(ready[0]);
	return child;
}

static void
signals_do_not_end_waiting(void)
{
	struct sigaction action = { .sa_handler = tick };
	const struct itimerval often = { { 0, 5000 }, { 0, 5000 } }, never = { { 0, 0 }, { 0, 0 } };
	pid_t child = held_by_another();
	int fd;

	is_int(filelock_holder(path), child, "who holds it can be asked");
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	fd = filelock_wait(path, false);
	setitimer(ITIMER_REAL, &never, NULL);
	ok(fd >= 0 && ticks >= 3, "it is waited for through signals");
	waitpid(child, NULL, 0);
	filelock_release(fd);
	is_int(filelock_holder(path), 0, "nobody holds what was given back");
	is_int(filelock_holder("/nowhere/lock"), 0, "nor what is not there");
}

int
main(void)
{
	struct stat st;
	pid_t holder;
	int fd;

	fd = mkstemp(path);
	close(fd);
	unlink(path);
	fd = filelock_take(path, &holder);
	ok(fd >= 0, "a free lock is taken");
	ok(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600, "its file is made, and private");
	is_int(met_by_another(), getpid(), "another process is told who has it");
	filelock_release(fd);
	is_int(met_by_another(), 0, "what was given back can be had");
	fd = filelock_take(path, &holder);
	ok(fd >= 0, "a lock goes with its process");
	filelock_release(fd);
	fd = filelock_wait(path, true);
	ok(fd >= 0, "it can be shared");
	ok(shared_by_another(), "with another process");
	is_int(met_by_another(), getpid(), "which cannot have it alone");
	filelock_release(fd);
	fd = filelock_wait(path, false);
	is_int(met_by_another(), getpid(), "nor when it was waited for");
	filelock_release(fd);
	is_int(filelock_wait("/nowhere/lock", true), -1, "there is nothing to wait for");
	is_int(filelock_take("/nowhere/lock", &holder), -1, "a file that cannot be made");
	is_int(holder, 0, "has no holder");
	is_int(errno, ENOENT, "but a reason");
	fd = filelock_take_byte(path, 7);
	ok(fd >= 0, "a byte has a lock of its own");
	is_int(filelock_take_byte(path, 7), -1, "which excludes its own process, too");
	is_int(errno, EAGAIN, "and says so");
	filelock_release(filelock_take_byte(path, 8));
	is_int(filelock_take_byte(path, 7), -1,
	    "to give the lock of another byte back changes nothing");
	filelock_release(fd);
	fd = filelock_take_byte(path, 7);
	ok(fd >= 0, "what was given back can be had");
	filelock_release(fd);
	signals_do_not_end_waiting();
	unlink(path);
	return done_testing();
}
