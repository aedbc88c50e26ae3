/* The ledger of a period as CSV: "Download as CSV" of Credits (docs/console.md §4.12). */
#include <inttypes.h>
#include <string.h>

#include "account.h"
#include "action/person/person-look.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "console/answer.h"
#include "screen/tr.h"
#include "terminal/csv.h"

#define BYTES_MAX ((size_t)32 * 1024 * 1024)

struct csv {
	struct ctx *c;
	struct buf *out;
	struct names names;
	bool too_long;
};

/* The columns of `galley credits ledger --csv`, and what the screen knows besides. */
static void
add_row(void *arg, const struct ledger_row *row)
{
	struct csv *csv = arg;
	struct arena *a = csv->c->arena;
	const int64_t numbers[] = { row->available, row->reserved, row->spent, row->available_after,
		row->reserved_after, row->spent_after };
	const char *cells[13];
	char at[CLOCK_TEXT];

	csv->too_long = csv->too_long || csv->out->len > BYTES_MAX;
	if (csv->too_long)
		return;
	clock_format_seconds(at, row->at);
	cells[0] = arena_printf(a, "%" PRId64, row->number);
	cells[1] = at;
	cells[2] = row->kind;
	for (size_t i = 0; i < 6; i++)
		cells[3 + i] = arena_printf(a, "%" PRId64, numbers[i]);
	cells[9] = row->job_uuid;
	cells[10] = row->ref;
	cells[11] = row->topic;
	cells[12] = row->person != NULL ? names_of(csv->c, &csv->names, row->person) : NULL;
	csv_row(csv->out, cells, 13);
}

static struct err *
download(struct ctx *c, struct visit *v, struct reply *reply)
{
	static const char *const names[] = { "number", "at", "kind", "available", "reserved",
		"spent", "available_after", "reserved_after", "spent_after", "job_id", "ref",
		"topic", "person" };
	struct credits *p = arena_alloc(c->arena, sizeof(*p));
	struct csv csv = { .c = c, .out = &reply->body };
	struct err *err;

	p->c = c;
	p->v = v;
	if (!credits_read_period(p))
		return refuse(c, ERR_INVALID,
		    tr_mark(
			"The period is no period: its days are dates (2026-09-01), and the last one is not before the first one."));
	for (size_t i = 0; i < 13; i++)
		buf_printf(&reply->body, "%s%s", names[i], i < 12 ? "," : "\r\n");
	err = credits_list(c, v->account->uuid, p->view.from, p->view.to, add_row, &csv);
	if (err == NULL && csv.too_long)
		err = refuse(c, ERR_TOO_LARGE,
		    tr_mark(
			"This period has too many movements for one file. Choose a shorter one."));
	if (err != NULL)
		return err;
	reply->type = "text/csv; charset=utf-8";
	head_add(reply, "no-store");
	reply_header(reply, "Content-Disposition", "attachment; filename=\"credits.csv\"");
	return NULL;
}

const struct console_row credits_csv_screens[] = {
	{ .method = "GET",
	    .pattern = "/A/credits/csv",
	    .need = RIGHT_MANAGE,
	    .title = tr_mark("Download as CSV"),
	    .handler = download },
	{ .method = NULL },
};
