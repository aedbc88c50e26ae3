#ifndef TESTS_ACCESS_PLACE_H
#define TESTS_ACCESS_PLACE_H
/* An instance that has a folder run/ and nothing else. */
#include <dirent.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "system/instance.h"
#include "tests/tap.h"

#define PLACE_NOW (INT64_C(1800000000) * CLOCK_SECOND) /* 2027-01-15T08:00:00Z */

static struct arena arena;
static struct instance instance;
static struct ctx c = { .arena = &arena, .request_id = "", .instance = &instance };

static int place_open;

static int
open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int count = 0;

	while (dir != NULL && readdir(dir) != NULL)
		count++;
	if (dir != NULL)
		closedir(dir);
	return count;
}

/* Makes the instance in a folder of /tmp. */
static void
place_begin(void)
{
	static char folder[] = "/tmp/galley-access-XXXXXX";

	place_open = open_files();
	arena_init(&arena, (size_t)256 << 20);
	if (mkdtemp(folder) == NULL)
		bail("%s cannot be made", folder);
	instance.home = folder;
	instance.run = arena_printf(&arena, "%s/run", folder);
	if (mkdir(instance.run, 0700) != 0)
		bail("%s cannot be filled", folder);
}

static int
place_end(void)
{
	if (system(arena_printf(&arena, "rm -rf %s", instance.home)) != 0)
		bail("%s is still there", instance.home);
	is_int(open_files(), place_open, "each file that was opened was closed");
	arena_release(&arena);
	return done_testing();
}

#endif
