#include "action/statistics/erasure.h"

#include "access/workspace.h"
#include "base/ctx.h"
#include "stats/stats.h"

#define DAYS_MAX 99999999 /* no clock shows such a day */

struct err *
erasure_run(struct ctx *c, const struct workspace *w, struct erasure *e)
{
	int64_t from = e->from_given ? e->from : -DAYS_MAX;
	int64_t to = e->to_given ? e->to : DAYS_MAX;

	if (from > to)
		return err_param(c, "from", "The first day is behind the last one.");
	/* Hits may wait to be counted where nothing is counted yet. */
	if (!stats_create(c))
		return err_hint(c, refuse(c, ERR_UNAVAILABLE, "stats/stats.db cannot be opened."),
		    HINT_DOCTOR, NULL);
	e->views = erased_run(c, w->uuid, from, to);
	return NULL;
}
