/* What an errand found, as a table. */
#include "instance.h"
#include "screen/say.h"
#include "screen/tr.h"

static const struct {
	const char *word;
	enum screen_tone tone;
} levels[] = {
	[REPORT_GOOD] = { tr_mark("Good"), SCREEN_GOOD },
	[REPORT_NOTE] = { tr_mark("Note"), SCREEN_NOTE },
	[REPORT_WARN] = { tr_mark("Warning"), SCREEN_WARNING },
	[REPORT_BAD] = { tr_mark("Bad"), SCREEN_BAD },
};

static void
write_text(struct screen_table *t, const char *text)
{
	screen_cell_begin(t);
	if (text[0] != '\0')
		instance_write_english(t->w, H_SPAN, text);
	screen_cell_end(t);
}

void
instance_write_report(struct hwrite *w, const char *caption, const struct report *r)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Check") },
		{ .label = tr_mark("State") },
		{ .label = tr_mark("What was found") },
		{ .label = tr_mark("Fix") },
		{ .label = NULL },
	};
	struct screen_table t;

	hwrite_open(w, H_P);
	hwrite_text(w, tr("Checked at (UTC):"));
	hwrite_text(w, " ");
	say_moment(w, r->at);
	hwrite_close(w, H_P);
	screen_table_begin(&t, w, caption, columns);
	for (size_t i = 0; i < r->count; i++) {
		const struct report_finding *f = &r->list[i];
		screen_row_begin(&t);
		write_text(&t, f->name);
		screen_cell_begin(&t);
		screen_state(w, levels[f->level].tone, tr(levels[f->level].word));
		screen_cell_end(&t);
		write_text(&t, f->message);
		write_text(&t, f->fix);
		screen_row_end(&t);
	}
	screen_table_end(&t);
}
