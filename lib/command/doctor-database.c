/* The database, for doctor.h: looked at in a child process, because a fault of
 * the store ends the process that meets it. */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "access/workspace.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/instance.h"
#include "base/log.h"
#include "command/disk.h"
#include "command/doctor.h"
#include "schema_version.h"
#include "store/db.h"

#define SAID_MAX 4096
#define AHEAD_MOST (CLOCK_SECOND * 60 * 6) /* as of the runner (design §3) */

static bool
is_write_ahead(struct ctx *c)
{
	struct stmt *q = db_prepare(c, "PRAGMA journal_mode");
	bool write_ahead = db_row(q) && strcmp(db_text(q, 0), "wal") == 0;

	db_reset(q);
	return write_ahead;
}

/* In the child: what is wrong goes to standard error, exit 1. */
static void
look(struct ctx *c)
{
	const char *network = disk_network(c->instance->run);
	const char *complaint;
	int64_t version;

	db_open(c, DB_WAIT_READ_MS);
	if (!db_is_ours(c))
		die("%s is no database of Galley", c->instance->db);
	version = db_version(c);
	if (version != SCHEMA_VERSION)
		die("the database is of schema %lld and this program of %d:"
		    " say galley migrate, or install the release that belongs"
		    " to it", (long long)version, SCHEMA_VERSION);
	complaint = db_complaint(c, true);
	if (complaint != NULL)
		die("the database is damaged: %s: restore a backup",
		    complaint);
	if (network != NULL && is_write_ahead(c))
		die("the database has a write-ahead log on %s, which loses"
		    " data: move the instance to a local disk", network);
	db_close(c);
}

/* What the child said, without the name of the program before it. */
static const char *
clean(struct ctx *c, const char *said)
{
	if (strncmp(said, "galley: ", 8) == 0)
		said += 8;
	return arena_text_n(c->arena, said, strcspn(said, "\n"));
}

/* In the child: a workspace whose clock is ahead of the machine's. */
static void
check_clock(void *arg, const struct workspace *w)
{
	struct ctx *c = arg;
	int64_t ahead = w->clock - c->now;

	if (ahead > AHEAD_MOST)
		die("the machine's clock is %" PRId64 " minutes behind the last"
		    " change of workspace %s: it was ahead before, or is set"
		    " back now", ahead / CLOCK_SECOND / 60, w->uuid);
}

static void
look_at_clocks(struct ctx *c)
{
	db_open(c, DB_WAIT_READ_MS);
	db_begin_read(c);
	workspace_list(c, check_clock, c);
	db_commit(c);
	db_close(c);
}

static _Noreturn void
look_apart(struct ctx *c, void (*step)(struct ctx *c), int out)
{
	dup2(out, STDERR_FILENO);
	step(c);
	_exit(0);
}

/* Runs `step` in a child; NULL when it found nothing, else what it said. */
static const char *
ask_child(struct ctx *c, void (*step)(struct ctx *c))
{
	const char *said;
	int ends[2], status = -1;
	pid_t child;

	if (pipe(ends) != 0)
		die("pipe: %s", strerror(errno));
	fflush(stdout);
	child = fork();
	if (child == 0)
		look_apart(c, step, ends[1]);
	close(ends[1]);
	said = fileio_read_fd(c->arena, ends[0], SAID_MAX, NULL);
	close(ends[0]);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (status == 0)
		return NULL;
	return said != NULL && said[0] != '\0'
	    ? clean(c, said) : "the database cannot be looked at";
}

struct doctor_finding
doctor_database(struct ctx *c)
{
	const char *said = ask_child(c, look);

	if (said == NULL)
		return doctor_good(
		    "the database is whole and of this release");
	return doctor_bad(said,
	    "see what is said; galley restore brings a backup back");
}

struct doctor_finding
doctor_clock(struct ctx *c)
{
	const char *said = ask_child(c, look_at_clocks);

	if (said == NULL)
		return doctor_good("the clock is not behind the last change");
	if (strncmp(said, "the machine's clock", 19) != 0)
		return doctor_note("not known while the database cannot be"
		    " asked", "see the check of the database");
	return doctor_warn(said, "see that the clock is right (timedatectl), and"
	    " let NTP keep it: changes are announced in order all the same");
}
