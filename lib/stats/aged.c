#include "stats/aged.h"

#include <stdio.h>
#include <stdlib.h>

#include "access/workspace.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "stats/erased.h"
#include "stats/views.h"
#include "store/db.h"
#include "system/conf/console-conf.h"
#include "system/fault.h"

int64_t
aged_first_day(int64_t now, int64_t months)
{
	char text[CLOCK_TEXT];
	int64_t count, at = 0;
	int day;

	clock_format_date(text, now);
	count = strtol(text, NULL, 10) * 12 + strtol(text + 5, NULL, 10) - 1 - months;
	/* Each month has a 28th. */
	day = (int)strtol(text + 8, NULL, 10);
	(void)snprintf(text, sizeof(text), "%04d-%02d-%02d", (int)(count / 12),
	    (int)(count % 12) + 1, day > 28 ? 28 : day);
	return clock_parse_date(text, &at) ? at / CLOCK_DAY : 0;
}

static struct err *
ask_workspace(struct ctx *c, void *arg)
{
	const char **uuid = arg;

	if (workspace_find_uuid(c, *uuid) == NULL)
		*uuid = NULL;
	return NULL;
}

static bool
workspace_exists(struct ctx *c, const char *uuid)
{
	const char *found = uuid;

	return db_aside(c, DB_CONTENT, ask_workspace, &found) != NULL || found != NULL;
}

void
aged_run(struct ctx *c)
{
	struct console_conf conf;
	int64_t first;
	bool old;

	db_begin_read(c, DB_STATS);
	old = view_is_old(c);
	db_rollback(c);
	if (!old)
		return;
	console_conf_read(c, &conf);
	db_begin_write(c, DB_STATS, DB_CHANGES_NOTHING, 0, 0);
	first = aged_first_day(c->now, conf.stats_months);
	view_clean(c, first, workspace_exists);
	erased_clean(c, first * CLOCK_DAY);
	(void)FAULT("stats-purged");
	db_commit(c);
}
