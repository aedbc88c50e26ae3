#include "task/upgrading.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "action/sign/sign-log.h"
#include "action/sign/start.h"
#include "backup/upgrade.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "screen/tr.h"
#include "start/release.h"
#include "store/db.h"
#include "store/schemas.h"
#include "system/instance.h"
#include "system/work.h"
#include "task/errand.h"

#define KIND "migrate"
#define UPLOAD (180 * CLOCK_SECOND) /* so long the end of an upload is waited for */
#define SETUP (2 * 3600 * CLOCK_SECOND) /* so long its last run counts */
#define HOUR (3600 * CLOCK_SECOND)

static bool
setup_does_it(struct ctx *c)
{
	const char *path = fileio_path(c->arena, c->instance->run, "setup.seen");
	struct stat st;

	return lstat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       clock_now() - (int64_t)st.st_mtim.tv_sec * CLOCK_SECOND < SETUP;
}

void
upgrading_look(struct ctx *c, struct upgrading *out)
{
	struct errand e;

	*out = (struct upgrading) { .by_setup = setup_does_it(c) };
	cron_look(c, &out->cron);
	if (!errand_find(c, &e) || strcmp(e.kind, KIND) != 0)
		return;
	out->open = errand_is_open(&e);
	out->failed = strcmp(e.state, "failed") == 0 ? e.report : NULL;
}

bool
upgrading_is_done(struct ctx *c)
{
	struct errand e;

	return errand_find(c, &e) && strcmp(e.kind, KIND) == 0 && strcmp(e.state, "done") == 0 &&
	       clock_now() - e.changed_at < HOUR;
}

struct err *
upgrading_ask(struct ctx *c, const char *code, const char *address)
{
	struct err *err = start_check(c, code, address);
	const char *id;

	if (err == NULL && setup_does_it(c))
		err = refuse(c, ERR_CONFLICT, "%s",
		    tr("The line of cron of this instance runs setup, which does this by itself."));
	if (err == NULL)
		err = errand_ask(c, &(struct errand) { .kind = KIND }, &id);
	if (err == NULL)
		sign_log(c, "upgrade-asked", NULL, address);
	return err;
}

/* Waits until no program is young. */
static struct err *
wait_for_upload(struct ctx *c, const struct work *work)
{
	const struct timespec pause = { 0, 500 * 1000 * 1000 };
	int64_t deadline = clock_boot() + UPLOAD;
	struct err *err = release_check(c);

	while (err != NULL && err->code == ERR_UNAVAILABLE && clock_boot() < deadline) {
		if (work_must_stop(work))
			return work_stopped(c, "nothing was changed.");
		nanosleep(&pause, NULL);
		err = release_check(c);
	}
	return err;
}

struct err *
upgrading_run(struct ctx *c, const struct work *work, const char **report)
{
	struct upgrade done;
	struct err *err = wait_for_upload(c, work);

	if (err == NULL && setup_does_it(c))
		err = refuse(
		    c, ERR_CONFLICT, "The line of cron runs setup, which migrates by itself.");
	if (err != NULL)
		return err;
	memset(&done, 0, sizeof(done));
	done.from = schemas_number(DB_CONTENT);
	db_open(c, DB_WAIT_TOOL_MS);
	/* An empty file is no older release. */
	if (db_release(c) == DB_RELEASE_OLDER)
		err = upgrade_run(c, work, &done);
	db_close(c);
	if (err != NULL)
		return err;
	*report = upgrade_said(c, &done);
	if (done.kept != NULL)
		*report = arena_printf(c->arena, "%s Its backup is %s.", *report, done.kept);
	return NULL;
}
