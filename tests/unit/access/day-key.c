/*
 * The keys of days: one for each day, gone when it is this day nowhere any more.
 *
 * suite: fast
 */
#include "access/day-key.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>

#include "base/fileio.h"
#include "tests/unit/access/place.h"

#define HOUR (3600 * CLOCK_SECOND)
#define DAY (PLACE_NOW / CLOCK_DAY)

static int
files(void)
{
	DIR *dir = opendir(day_key_folder(&c));
	const struct dirent *e;
	int count = 0;

	while (dir != NULL && (e = readdir(dir)) != NULL)
		count += e->d_name[0] != '.';
	if (dir != NULL)
		closedir(dir);
	return count;
}

static void
days_have_50_hours(void)
{
	int64_t begin = DAY * CLOCK_DAY - 14 * HOUR;
	unsigned char key[DAY_KEY_SIZE];

	is_int(day_key_day(DAY * CLOCK_DAY), DAY, "a day begins at midnight");
	is_int(day_key_day(DAY * CLOCK_DAY - 1), DAY - 1, "and not before");
	is_int(day_key_day(-1), -1, "also before 1970");
	ok(!day_key_is_alive(DAY, begin - 1), "there is no such day yet");
	ok(day_key_is_alive(DAY, begin), "it begins in the east");
	ok(day_key_is_alive(DAY, begin + 50 * HOUR - 1), "it ends in the west");
	ok(!day_key_is_alive(DAY, begin + 50 * HOUR), "and is over then");
	ok(!day_key_read(&c, DAY, begin + 50 * HOUR, key) && errno == ESTALE,
	    "no key is drawn for a day that is over");
	is_int(files(), 0, "and no file is made");
}

static void
keys_live_as_long_as_their_days(void)
{
	unsigned char a[DAY_KEY_SIZE], b[DAY_KEY_SIZE], other[DAY_KEY_SIZE];
	int64_t end = (DAY + 1) * CLOCK_DAY + 12 * HOUR;
	struct stat st;

	ok(day_key_read(&c, DAY, PLACE_NOW, a) && day_key_read(&c, DAY, end - 1, b) &&
		memcmp(a, b, sizeof(a)) == 0,
	    "a day has one key");
	ok(day_key_read(&c, DAY - 1, PLACE_NOW, other) && memcmp(a, other, sizeof(a)) != 0,
	    "another day has another one");
	is_int(files(), 2, "a key is a file");
	ok(stat(fileio_path(&arena, day_key_folder(&c), "2027-01-15"), &st) == 0 &&
		(st.st_mode & 0777) == 0600,
	    "of the owner alone");
	close(fileio_open(
	    fileio_path(&arena, day_key_folder(&c), "2027-01-14.crash"), O_WRONLY | O_CREAT));
	ok(day_key_sweep(&c, end - 1), "keys are swept");
	is_int(files(), 1, "what a crash left goes with its day");
	ok(day_key_read(&c, DAY + 1, end, other), "the next day draws a key");
	is_int(files(), 1, "and the key of the day that is over is gone");
	ok(day_key_read(&c, DAY + 1, PLACE_NOW + CLOCK_DAY, b) && memcmp(other, b, sizeof(b)) == 0,
	    "the present one stays");
}

/* A power failure may leave an empty file. */
static void
a_damaged_key_is_drawn_again(void)
{
	const char *path = fileio_path(&arena, day_key_folder(&c), "2027-01-15");
	unsigned char a[DAY_KEY_SIZE], b[DAY_KEY_SIZE];

	if (!fileio_replace(&arena, path, "short", 5, 0600))
		bail("%s cannot be written", path);
	ok(day_key_read(&c, DAY, PLACE_NOW, a) && day_key_read(&c, DAY, PLACE_NOW, b) &&
		memcmp(a, b, sizeof(a)) == 0,
	    "a key that is not whole is drawn again");
}

#define PROCESSES 8

/* Processes that need a key at the same time get the same one. */
static void
one_process_draws(void)
{
	unsigned char keys[PROCESSES][DAY_KEY_SIZE];
	int ends[2], same = 0;

	if (pipe(ends) != 0)
		bail("no pipe");
	for (int i = 0; i < PROCESSES; i++) {
		if (fork() == 0) {
			unsigned char key[DAY_KEY_SIZE] = { 0 };
			(void)day_key_read(&c, DAY + 30, PLACE_NOW + 30 * CLOCK_DAY, key);
			_exit(write(ends[1], key, sizeof(key)) != sizeof(key));
		}
	}
	for (int i = 0; i < PROCESSES; i++) {
		if (read(ends[0], keys[i], DAY_KEY_SIZE) != DAY_KEY_SIZE)
			bail("a child died");
		wait(NULL);
		same += memcmp(keys[i], keys[0], DAY_KEY_SIZE) == 0;
	}
	close(ends[0]);
	close(ends[1]);
	is_int(same, PROCESSES, "all processes have the same key");
	is_int(files(), 1, "and nothing else is left of their draws");
}

int
main(void)
{
	place_begin();
	days_have_50_hours();
	keys_live_as_long_as_their_days();
	a_damaged_key_is_drawn_again();
	one_process_draws();
	return place_end();
}
