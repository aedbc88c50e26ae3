/* What waits, on Home (docs/console.md §4.1). */
#include "action/home-lists.h"

#include <inttypes.h>

#include "../all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "home.h"
#include "screen/say.h"
#include "screen/tr.h"

/* What a line is, and the screen that it leads to. */
static const struct {
	const char *what;
	const char *segment; /* of its path */
} kinds[WAITS_KINDS] = {
	[WAITS_HANDED_IN] = { tr_mark("Handed in"), "articles" },
	[WAITS_SUSPENDED] = { tr_mark("The date does not count"), "articles" },
	[WAITS_TODO] = { tr_mark("To-dos are left"), "articles" },
	[WAITS_JOB] = { tr_mark("An order failed"), "orders" },
	[WAITS_SITE] = { tr_mark("A site is silent"), "sites" },
	[WAITS_KEY] = { tr_mark("A key ends"), "keys" },
	[WAITS_INVITATION] = { tr_mark("An invitation has ended"), "people" },
	[WAITS_CREDITS] = { tr_mark("Few credits are left"), "credits" },
	[WAITS_ASKING] = { tr_mark("Asks to be verified"), "verification" },
};

static const char *
path_of(struct ctx *c, const struct waits_line *l)
{
	const char *segment = kinds[l->kind].segment;

	if (l->kind == WAITS_CREDITS || l->kind == WAITS_SITE || l->kind == WAITS_ASKING)
		return arena_printf(c->arena, "/%s/%s", l->workspace, segment);
	return arena_printf(c->arena, "/%s/%s/%s%s", l->workspace, segment, l->id,
	    l->kind == WAITS_SUSPENDED ? "/publish" : "");
}

static void
write_more(struct hwrite *w, struct ctx *c, const struct waits_line *l)
{
	if (l->kind == WAITS_CREDITS)
		screen_data(w, arena_printf(c->arena, "%" PRId64, l->credits));
	else if (l->more != NULL)
		screen_data(w, l->more);
}

static void
write_line(struct screen_table *t, struct ctx *c, const struct visit *v, const struct waits_line *l)
{
	screen_row_begin(t);
	screen_cell_link(
	    t, console_path(c, v, "%s", path_of(c, l)), l->text[0] != '\0' ? l->text : l->id);
	screen_cell_begin(t);
	screen_state(t->w, SCREEN_WARNING, tr(kinds[l->kind].what));
	screen_cell_end(t);
	screen_cell(t, l->place);
	screen_cell_begin(t);
	if (l->at != 0)
		say_time(t->w, l->at);
	screen_cell_end(t);
	screen_cell_begin(t);
	write_more(t->w, c, l);
	screen_cell_end(t);
	screen_row_end(t);
}

static void
write_cron(struct hwrite *w, const struct waits *waits)
{
	screen_notice(w, SCREEN_WARNING, "%s",
	    tr("Cron does not start the job runner, so orders, dates of publishing and tasks rest. This is its line:"));
	screen_copy(w, tr("the line"), waits->cron.line);
}

void
home_write_waits(struct hwrite *w, struct ctx *c, const struct visit *v, const struct waits *waits)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("What") },
		{ .label = tr_mark("State") },
		{ .label = tr_mark("Of") },
		{ .label = tr_mark("Date") },
		{ .label = tr_mark("More") },
		{ .label = NULL },
	};
	struct screen_table t;
	size_t all = 0;
	bool cut = false;

	for (size_t k = 0; k < WAITS_KINDS; k++)
		all += waits->count[k];
	if (waits->cron_is_silent)
		write_cron(w, waits);
	if (waits->is_quiet)
		screen_notice_link(w, SCREEN_WARNING, tr("This instance is quiet."),
		    console_path(c, v, "/instance"), tr("Instance"));
	if (waits->locked_out)
		screen_notice_link(w, SCREEN_WARNING, tr("Somebody cannot sign in."),
		    console_path(c, v, "/instance"), tr("Instance"));
	if (all == 0)
		return;
	hwrite_element(w, H_H2, tr("What waits"));
	screen_table_begin(&t, w, tr("What waits for you"), columns);
	for (size_t k = 0; k < WAITS_KINDS; k++) {
		cut |= waits->count[k] > WAITS_EACH;
		for (size_t i = 0; i < waits->count[k] && i < WAITS_EACH; i++)
			write_line(&t, c, v, &waits->lines[k][i]);
	}
	screen_table_end(&t);
	if (cut)
		hwrite_element(w, H_P, tr("There is more of the same kind."));
}
