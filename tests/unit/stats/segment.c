/*
 * Two readers of one segment: what one of them counted and removed, the other does not get.
 *
 * suite: fast
 */
#include "stats/hit.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/access/place.h"

#define PATIENCE (60 * CLOCK_SECOND)

/* Returns whether a process has a file with this name open. */
static bool
has_open(pid_t pid, const char *name)
{
	const char *folder = arena_printf(&arena, "/proc/%ld/fd", (long)pid);
	DIR *dir = opendir(folder);
	const struct dirent *e;
	bool found = false;

	while (dir != NULL && !found && (e = readdir(dir)) != NULL) {
		char target[4096] = "";
		found = readlinkat(dirfd(dir), e->d_name, target, sizeof(target) - 1) > 0 &&
			strstr(target, name) != NULL;
	}
	if (dir != NULL)
		closedir(dir);
	return found;
}

int
main(void)
{
	int64_t until = clock_boot() + PATIENCE;
	const char **names;
	size_t count;
	int first, status = -1;
	pid_t other;

	place_begin();
	ok(segment_append(&c, "a line", 6) && segment_claim(&c), "a segment");
	names = segment_list(&c, &count);
	is_int((int64_t)count, 1, "is there");
	/* The other one has no descriptor of the first: it would hold its lock. */
	int ready[2];
	if (pipe(ready) != 0 || (other = fork()) < 0)
		bail("no process");
	if (other == 0) {
		char byte;
		close(ready[1]);
		(void)!read(ready[0], &byte, 1);
		_exit(segment_open(&c, names[0], until) < 0 ? 0 : 1);
	}
	first = segment_open(&c, names[0], 0);
	ok(first >= 0, "one reader has it");
	close(ready[0]);
	close(ready[1]);
	while (!has_open(other, names[0]) && clock_boot() < until)
		usleep(1000);
	segment_remove(&c, names[0]);
	close(first);
	ok(waitpid(other, &status, 0) == other && status == 0, "the other one does not get it");
	return place_end();
}
