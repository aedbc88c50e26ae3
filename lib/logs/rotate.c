/* Rotates the logs on a host without a program that does it (logs.h). */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "system/conf.h"
#include "base/ctx.h"
#include "system/fault.h"
#include "system/instance.h"
#include "base/log.h"
#include "logs/logs.h"

#define MIB (INT64_C(1024) * 1024)
#define OLD_MAX 200 /* files of a larger log_keep are searched up to this number */

static const char *
numbered(struct ctx *c, const char *path, int64_t n)
{
	return n == 0 ? path : arena_printf(c->arena, "%s.%lld", path, (long long)n);
}

/* Returns the number of the last file of operator.log that is younger than a year, or `keep`
 * if that is more: what was changed, and by whom, is kept that long. */
static int64_t
keep_a_year(struct ctx *c, const char *path, int64_t keep)
{
	int64_t year_ago = clock_now() - 366 * CLOCK_DAY;
	struct stat st;

	for (int64_t n = OLD_MAX - 2; n > keep; n--) {
		if (lstat(numbered(c, path, n), &st) == 0 &&
		    (int64_t)st.st_mtim.tv_sec * CLOCK_SECOND > year_ago)
			return n + 1;
	}
	return lstat(numbered(c, path, keep), &st) == 0 &&
		       (int64_t)st.st_mtim.tv_sec * CLOCK_SECOND > year_ago
		   ? keep + 1
		   : keep;
}

/* Moves each file up one number, as far as the first free number, the oldest file
 * first. A kill in between leaves a gap, which the next rotation fills. */
static void
put_aside(struct ctx *c, const char *path, int64_t keep)
{
	int64_t n = 1;

	for (int64_t old = keep + 1; old < OLD_MAX; old++)
		unlink(numbered(c, path, old));
	while (n < keep && access(numbered(c, path, n), F_OK) == 0)
		n++;
	for (; n > 0; n--) {
		(void)FAULT("log-rename");
		if (rename(numbered(c, path, n - 1), numbered(c, path, n)) != 0)
			log_line("%s: %s", path, strerror(errno));
	}
}

void
logs_rotate(struct ctx *c)
{
	static const char *const names[] = { "requests.log", "operator.log", "runner.log",
		"sign-in.log" };
	struct stat st;

	if (c->conf->log_max_mib == 0)
		return;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *path = arena_printf(c->arena, "%s/%s", c->instance->log, names[i]);
		if (lstat(path, &st) == 0 && S_ISREG(st.st_mode) &&
		    st.st_size > c->conf->log_max_mib * MIB)
			put_aside(c, path,
			    strcmp(names[i], "operator.log") == 0
				? keep_a_year(c, path, c->conf->log_keep)
				: c->conf->log_keep);
	}
	log_follow();
}
