/* Activity as CSV: the newest changes of the filter (docs/console.md §4.12). */
#include "account.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "console/answer.h"
#include "screen/tr.h"
#include "terminal/csv.h"

#define LINES_MAX 10000
#define LOG_BYTES ((int64_t)32 * 1024 * 1024)

static struct err *
download(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct activity *a = arena_alloc(c->arena, sizeof(*a));
	struct err *err;

	activity_asked(c, v, a);
	a->max = LINES_MAX;
	a->bytes = LOG_BYTES;
	err = activity_read(c, a);
	if (err != NULL)
		return err;
	buf_lit(&reply->body, "at,what,about,id,workspace,person,person_id\r\n");
	for (size_t i = 0; i < a->count; i++) {
		const struct activity_line *l = &a->lines[i];
		char at[CLOCK_TEXT];

		clock_format_seconds(at, l->at);
		csv_row(&reply->body,
		    (const char *[]) { at, tr(l->what), activity_about(c, l), l->thing.id,
			l->thing.place, activity_by(c, l), l->person },
		    7);
	}
	reply->type = "text/csv; charset=utf-8";
	head_add(reply, "no-store");
	reply_header(reply, "Content-Disposition", "attachment; filename=\"activity.csv\"");
	return NULL;
}

const struct console_row activity_csv_screens[] = {
	{ .method = "GET",
	    .pattern = "/A/activity/csv",
	    .need = RIGHT_MANAGE,
	    .title = tr_mark("Download as CSV"),
	    .handler = download },
	{ .method = NULL },
};
