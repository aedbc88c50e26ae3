/* The first steps of a new workspace, on Home (docs/console.md §4.1). */
#include "../all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "home.h"
#include "screen/tr.h"

static const struct {
	const char *what, *why;
	const char *path; /* below the workspace */
} steps[STEPS_KINDS] = {
	[STEPS_ARTICLE] = { tr_mark("Write the first article"),
	    tr_mark("Two paragraphs are enough. It stays a draft until you publish it."),
	    "articles/new" },
	[STEPS_KEY] = { tr_mark("Connect your website"),
	    tr_mark("With a key your own website reads the articles and shows them."), "keys" },
	[STEPS_PAGES] = { tr_mark("Turn on the pages"),
	    tr_mark("Galley shows the articles itself, also without a website of yours."),
	    "settings#settings-pages" },
	[STEPS_PEOPLE] = { tr_mark("Invite people"),
	    tr_mark("Writers write, editors publish. You decide who may do what."), "people" },
};

static const struct field hide_fields[] = {
	{ .name = "hide", .label = tr_mark("Hide"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

/* Where a step is done. Pages need an account that is verified, which its managers ask for. */
static const char *
path_of(struct ctx *c, const struct visit *v, const struct home_steps *h, size_t i)
{
	const struct places_row *row = h->steps.row;

	if (i == STEPS_PAGES && !row->account->verified && h->manages_account)
		return console_path(c, v, "/%s/verification", row->account->uuid);
	if (i == STEPS_ARTICLE && (row->rights & RIGHT_WRITE) == 0)
		return console_path(c, v, "/%s/articles", row->uuid);
	return console_path(c, v, "/%s/%s", row->uuid, steps[i].path);
}

static void
write_step(
    struct hwrite *w, struct ctx *c, const struct visit *v, const struct home_steps *h, size_t i)
{
	bool done = h->steps.done[i];

	hwrite_open(w, H_LI);
	hwrite_attr(w, A_CLASS, done ? "done" : NULL);
	hwrite_open(w, H_P);
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, path_of(c, v, h, i));
	hwrite_text(w, tr(steps[i].what));
	hwrite_close(w, H_A);
	if (done) {
		hwrite_text(w, " ");
		screen_state(w, SCREEN_GOOD, tr("Done"));
	}
	hwrite_close(w, H_P);
	if (!done)
		hwrite_element(w, H_P, tr(steps[i].why));
	hwrite_close(w, H_LI);
}

static void
write_progress(struct hwrite *w, struct ctx *c, const struct steps *s)
{
	const char *words =
	    arena_printf(c->arena, tr("%d of %d are done."), (int)s->count, STEPS_KINDS);

	hwrite_element(w, H_P, words);
	hwrite_open(w, H_PROGRESS);
	hwrite_attr(w, A_ARIA_LABEL, words);
	hwrite_number(w, A_MAX, STEPS_KINDS);
	hwrite_number(w, A_VALUE, (int)s->count);
	hwrite_close(w, H_PROGRESS);
}

void
home_write_steps(struct hwrite *w, struct ctx *c, const struct visit *v, const struct home_steps *h)
{
	struct form hide;

	if (h->steps.row == NULL)
		return;
	form_init(&hide, "steps", hide_fields);
	hwrite_open(w, H_H2);
	screen_sentence(w, tr("First steps in %s"), h->steps.row->name);
	hwrite_close(w, H_H2);
	write_progress(w, c, &h->steps);
	hwrite_open(w, H_OL);
	hwrite_attr(w, A_CLASS, "todo");
	for (size_t i = 0; i < STEPS_KINDS; i++)
		write_step(w, c, v, h, i);
	hwrite_close(w, H_OL);
	hwrite_open(w, H_P);
	hwrite_text(w, tr("Do you come from WordPress, Ghost or Markdown?"));
	hwrite_text(w, " ");
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, console_path(c, v, "/%s/moving", h->steps.row->uuid));
	hwrite_text(w, tr("Moving in"));
	hwrite_close(w, H_A);
	hwrite_close(w, H_P);
	console_form(c, v, w, &hide, "/me/steps");
}
