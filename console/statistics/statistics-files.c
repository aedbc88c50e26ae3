/* Statistics as files: what `galley stats export --csv` and `galley stats show --json` print. */
#include "base/arena.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "console/answer.h"
#include "screen/tr.h"
#include "statistics.h"

#define BYTES_MAX ((size_t)32 * 1024 * 1024)

/* Reads the days that are asked, or refuses them. */
static struct err *
read_period(struct ctx *c, const struct visit *v, struct statistics_period *period)
{
	struct statistics_days *d = arena_alloc(c->arena, sizeof(*d));

	d->c = c;
	d->v = v;
	if (!statistics_read_days(d, period))
		return refuse(c, ERR_INVALID,
		    tr_mark(
			"The period is no period: its days are dates (2026-09-01), and the last one is not before the first one."));
	return NULL;
}

static void
send(struct reply *reply, const char *type, const char *name)
{
	reply->type = type;
	head_add(reply, "no-store");
	reply_header(reply, "Content-Disposition", "attachment; filename=\"%s\"", name);
}

struct csv {
	struct buf *out;
	bool too_long;
};

static void
add_row(void *arg, const struct report_row *row)
{
	struct csv *csv = arg;

	csv->too_long = csv->too_long || csv->out->len > BYTES_MAX;
	if (!csv->too_long)
		statistics_row_to_csv(csv->out, row);
}

static struct err *
csv(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct statistics_period period;
	struct csv csv = { .out = &reply->body };
	struct err *err = read_period(c, v, &period);

	if (err != NULL)
		return err;
	buf_lit(&reply->body, STATISTICS_CSV_HEAD);
	err = statistics_list(c, v->workspace, &period, add_row, NULL, &csv);
	if (err == NULL && csv.too_long)
		err = refuse(c, ERR_TOO_LARGE,
		    tr_mark("This period has too many counts for one file. Choose a shorter one."));
	if (err == NULL)
		send(reply, "text/csv; charset=utf-8", "statistics.csv");
	return err;
}

static struct err *
json(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct statistics *s = arena_alloc(c->arena, sizeof(*s));
	struct err *err = read_period(c, v, &s->period);
	struct jwrite w;

	s->articles_max = STATISTICS_ARTICLES_MAX;
	if (err == NULL)
		err = statistics_read(c, v->workspace, s);
	if (err != NULL)
		return err;
	jwrite_init(&w, &reply->body);
	statistics_to_json(&w, s);
	buf_lit(&reply->body, "\n");
	send(reply, "application/json", "statistics.json");
	return NULL;
}

const struct console_row statistics_files_screens[] = {
	{ .method = "GET",
	    .pattern = "/W/statistics/csv",
	    .title = tr_mark("Download as CSV"),
	    .need = RIGHT_READ,
	    .handler = csv },
	{ .method = "GET",
	    .pattern = "/W/statistics/json",
	    .title = tr_mark("Download as JSON"),
	    .need = RIGHT_READ,
	    .handler = json },
	{ .method = NULL },
};
