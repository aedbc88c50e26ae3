/* What the screens of Statistics have in common: the choice of days, numbers, lists. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "statistics.h"

static const struct field fields[] = {
	{ .name = "from", .label = tr_mark("From"), .kind = FIELD_DATE },
	{ .name = "to", .label = tr_mark("To"), .kind = FIELD_DATE },
	{ .name = "show", .label = tr_mark("Show"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

static const struct {
	int64_t days;
	const char *label;
} presets[] = {
	{ 7, tr_mark("7 days") },
	{ 30, tr_mark("30 days") },
	{ 90, tr_mark("90 days") },
	{ 365, tr_mark("12 months") },
};

#define PRESETS (sizeof(presets) / sizeof(presets[0]))

/* ---- days */

/* Returns the preset that the query names; 0: none. */
static int64_t
preset_of(const struct statistics_days *d)
{
	const char *text = console_query(d->c, d->v, "period");

	for (size_t i = 0; text != NULL && i < PRESETS; i++) {
		if (strcmp(text, arena_printf(d->c->arena, "%" PRId64, presets[i].days)) == 0)
			return presets[i].days;
	}
	return 0;
}

bool
statistics_read_days(struct statistics_days *d, struct statistics_period *period)
{
	static const char *const names[] = { "from", "to" };
	struct form_value values[2];
	size_t count = 0;
	bool good;

	for (size_t i = 0; i < 2; i++) {
		const char *text = console_query(d->c, d->v, names[i]);
		if (text != NULL)
			values[count++] = (struct form_value) { names[i], text, strlen(text) };
	}
	*period = (struct statistics_period) { .last = 0 };
	form_init(&d->form, "days", fields);
	good = form_read(d->c, &d->form, values, count);
	period->from_given = good && form_text(&d->form, "from") != NULL;
	period->to_given = good && form_text(&d->form, "to") != NULL;
	if (period->from_given)
		period->from = form_number(&d->form, "from");
	if (period->to_given)
		period->to = form_number(&d->form, "to");
	d->last = preset_of(d);
	if (d->last == 0 && !period->from_given && !period->to_given)
		d->last = STATISTICS_SHOWN;
	if (period->from_given || period->to_given)
		d->last = 0;
	period->last = d->last;
	return good;
}

struct err *
statistics_refused(struct statistics_days *d, struct reply *reply, struct err *err)
{
	if (err->code != ERR_INVALID || err->param == NULL)
		return err;
	form_refuse(&d->form, err->param, err->message);
	reply->status = 422;
	return NULL;
}

static const char *
address_of(const struct statistics_days *d, const char *path, int64_t last)
{
	struct buf out;

	buf_init(&out, d->c->arena, (size_t)16 * 1024);
	buf_add_text(&out, console_path(d->c, d->v, "%s", path));
	if (last != 0 && last != STATISTICS_SHOWN)
		screen_address_add(&out, "period", arena_printf(d->c->arena, "%" PRId64, last));
	if (last == 0) {
		screen_address_add(&out, "from", form_text(&d->form, "from"));
		screen_address_add(&out, "to", form_text(&d->form, "to"));
	}
	return buf_done(&out);
}

const char *
statistics_address(const struct statistics_days *d, const char *path)
{
	return address_of(
	    d, arena_printf(d->c->arena, "/%s/statistics%s", d->v->workspace->uuid, path), d->last);
}

void
statistics_write_days(struct hwrite *w, const struct statistics_days *d)
{
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "noprint");
	hwrite_open(w, H_NAV);
	hwrite_attr(w, A_CLASS, "filters");
	hwrite_attr(w, A_ARIA_LABEL, tr("Period"));
	hwrite_open(w, H_UL);
	for (size_t i = 0; i < PRESETS; i++) {
		hwrite_open(w, H_LI);
		hwrite_open(w, H_A);
		hwrite_address(w, A_HREF, address_of(d, d->path, presets[i].days));
		if (d->last == presets[i].days)
			hwrite_attr(w, A_ARIA_CURRENT, "true");
		hwrite_text(w, tr(presets[i].label));
		hwrite_close(w, H_A);
		hwrite_close(w, H_LI);
	}
	hwrite_close(w, H_UL);
	hwrite_close(w, H_NAV);
	form_write(w, &d->form,
	    &(struct form_head) {
		.search = true, .action = console_path(d->c, d->v, "%s", d->path) });
	hwrite_close(w, H_DIV);
}

/* ---- numbers and lists */

const char *
statistics_number(struct ctx *c, int64_t value)
{
	return value < 0 ? "–" : arena_printf(c->arena, "%" PRId64, value);
}

void
statistics_figure(struct hwrite *w, struct ctx *c, const char *label, int64_t value)
{
	hwrite_open(w, H_LI);
	hwrite_element(w, H_SPAN, label);
	hwrite_text(w, " ");
	hwrite_element(w, H_STRONG, statistics_number(c, value));
	hwrite_close(w, H_LI);
}

void
statistics_day_cell(struct screen_table *t, struct ctx *c, int64_t day)
{
	char text[CLOCK_TEXT];

	statistics_day_text(text, day);
	screen_cell_begin(t);
	hwrite_open(t->w, H_TIME);
	hwrite_attr(t->w, A_DATETIME, text);
	hwrite_text(t->w, say_day_text(c, day));
	hwrite_close(t->w, H_TIME);
	screen_cell_end(t);
}

void
statistics_write_list(struct hwrite *w, struct ctx *c, const char *title, const char *column,
    const struct statistics_list *list, const char *(*in_words)(const char *label))
{
	const struct screen_column columns[] = {
		{ .label = column },
		{ .label = tr_mark("Views"), .number = true },
		{ .label = NULL },
	};
	struct screen_table t;

	if (list->count == 0)
		return;
	hwrite_element(w, H_H2, title);
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "sums");
	screen_table_begin(&t, w, title, columns);
	for (size_t i = 0; i < list->count; i++) {
		const char *label = list->rows[i].name;
		screen_row_begin(&t);
		if (strcmp(label, VIEW_OTHER) == 0)
			screen_cell(&t, tr("All others"));
		else
			screen_cell(&t, in_words != NULL ? in_words(label) : label);
		screen_cell(&t, statistics_number(c, list->rows[i].count));
		screen_row_end(&t);
	}
	screen_table_end(&t);
	hwrite_close(w, H_DIV);
}
