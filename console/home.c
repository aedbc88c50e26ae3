/* Home (docs/console.md §4.1): what waits, the first steps of a new workspace, and the places
 * that a person may go to. */
#include <inttypes.h>
#include <string.h>

#include "action/home-lists.h"
#include "action/person/credentials.h"
#include "action/person/signing.h"
#include "all.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "console/answer.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"

/* First steps, and whether the person manages their account. */
struct home_steps {
	struct steps steps;
	bool manages_account;
};

/* ---- what waits */

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

/* Writes what waits; nothing where nothing does. */
static void
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

/* ---- the first steps of a new workspace */

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
path_of_step(struct ctx *c, const struct visit *v, const struct home_steps *h, size_t i)
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
	hwrite_open(w, H_DIV);
	hwrite_open(w, H_P);
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, path_of_step(c, v, h, i));
	hwrite_text(w, tr(steps[i].what));
	hwrite_close(w, H_A);
	if (done) {
		hwrite_text(w, " ");
		screen_state(w, SCREEN_GOOD, tr("Done"));
	}
	hwrite_close(w, H_P);
	if (!done)
		hwrite_element(w, H_P, tr(steps[i].why));
	hwrite_close(w, H_DIV);
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

/* Writes the first steps of a new workspace; nothing where there are none. */
static void
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

struct home {
	struct ctx *c;
	const struct visit *v;
	struct places places;
	int64_t held; /* texts that wait to be sent again */
	struct waits waits; /* on the first page alone */
	struct home_steps first; /* the same */
};

/* ---- workspaces */

static const char *
address(const struct home *h, const char *search, const char *before)
{
	struct buf out;

	buf_init(&out, h->c->arena, (size_t)16 * 1024);
	buf_add_text(&out, console_path(h->c, h->v, "/"));
	screen_address_add(&out, "search", search);
	screen_address_add(&out, "before", before);
	return buf_done(&out);
}

static void
write_search(struct hwrite *w, const struct home *h)
{
	static const struct field fields[] = {
		{ .name = "search", .label = tr_mark("Search"), .kind = FIELD_TEXT },
		{ .name = "find", .label = tr_mark("Find"), .kind = FIELD_SUBMIT },
		{ .name = NULL },
	};
	struct form f;

	form_init(&f, "search", fields);
	form_fill(&f, "search", h->places.search);
	form_write(
	    w, &f, &(struct form_head) { .search = true, .action = console_path(h->c, h->v, "/") });
}

static void
write_table(struct hwrite *w, const struct home *h)
{
	struct screen_column columns[3] = { { .label = tr("Workspace") } };
	const struct places *p = &h->places;
	struct screen_table t;

	if (p->many || p->operates)
		columns[1].label = tr("Account");
	screen_table_begin(&t, w,
	    p->operates ? tr("Workspaces, the newest first") : tr("Your workspaces"), columns);
	for (size_t i = 0; i < p->count; i++) {
		screen_row_begin(&t);
		screen_cell_link(
		    &t, console_path(h->c, h->v, "/%s/articles", p->rows[i].uuid), p->rows[i].name);
		if (columns[1].label != NULL)
			screen_cell(&t, p->rows[i].account->name);
		screen_row_end(&t);
	}
	screen_table_end(&t);
}

static void
write_nothing(struct hwrite *w, const struct home *h)
{
	const struct places *p = &h->places;

	if (p->search != NULL || p->before != NULL)
		screen_empty(
		    w, tr("No workspace has such a name."), address(h, NULL, NULL), tr("Show all"));
	else if (p->operates)
		screen_empty(w,
		    tr("There is no workspace yet. Begin with a customer: an account owns workspaces."),
		    console_path(h->c, h->v, "/customers"), tr("Customers"));
	else if (p->account_count == 0)
		screen_empty(w,
		    tr("You are a member of no workspace yet. The person who invited you can add you to one."),
		    NULL, NULL);
	else
		screen_empty(w, tr("There is no workspace here yet."), NULL, NULL);
}

static void
write_workspaces(struct hwrite *w, const struct home *h)
{
	const struct places *p = &h->places;

	hwrite_element(w, H_H2, tr("Workspaces"));
	if (p->more || p->search != NULL || p->before != NULL)
		write_search(w, h);
	if (p->count == 0) {
		write_nothing(w, h);
		return;
	}
	write_table(w, h);
	screen_pages(w, p->before != NULL ? address(h, p->search, NULL) : NULL,
	    p->more ? address(h, p->search, p->rows[p->count - 1].uuid) : NULL);
}

/* ---- accounts */

static void
write_account(struct screen_table *t, const struct home *h, const struct places_account *a)
{
	screen_row_begin(t);
	screen_cell_link(
	    t, console_path(h->c, h->v, "/%s/people", a->account->uuid), a->account->name);
	screen_cell_link(t, console_path(h->c, h->v, "/%s/credits", a->account->uuid),
	    arena_printf(h->c->arena, "%" PRId64, a->account->available));
	screen_cell_begin(t);
	if (a->account->suspended)
		screen_state(t->w, SCREEN_BAD, tr("Suspended"));
	else
		screen_button_link(t->w,
		    console_path(h->c, h->v, "/%s/workspaces/new", a->account->uuid),
		    tr("New workspace"), false);
	screen_cell_end(t);
	screen_row_end(t);
}

/* Of the accounts only those are named that lead somewhere. */
static void
write_accounts(struct hwrite *w, const struct home *h)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Account") },
		{ .label = tr_mark("Credits"), .number = true },
		{ .label = tr_mark("Actions") },
		{ .label = NULL },
	};
	const struct places *p = &h->places;
	struct screen_table t;
	bool begun = false;

	for (size_t i = 0; i < p->account_count; i++) {
		if ((p->accounts[i].rights & RIGHT_MANAGE) == 0)
			continue;
		if (!begun) {
			hwrite_element(w, H_H2, tr("Accounts"));
			screen_table_begin(&t, w, tr("Accounts that you manage"), columns);
		}
		begun = true;
		write_account(&t, h, &p->accounts[i]);
	}
	if (begun)
		screen_table_end(&t);
}

static void
write_suspended(struct hwrite *w, const struct home *h)
{
	for (size_t i = 0; i < h->places.account_count; i++) {
		const struct account *a = h->places.accounts[i].account;
		if (a->suspended)
			screen_notice(w, SCREEN_WARNING,
			    tr("The account %s is suspended: it can be read and exported, and nothing can be changed. Ask the operator."),
			    a->name);
	}
}

/* ---- the page */

static void
write_home(struct hwrite *w, const void *data)
{
	const struct home *h = data;

	if (h->held > 0)
		screen_notice_link(w, SCREEN_WARNING,
		    tr("A text of yours came when your session had ended, or the account was suspended. It is kept for a day."),
		    console_path(h->c, h->v, "/held"), tr("You sent this before"));
	write_suspended(w, h);
	home_write_waits(w, h->c, h->v, &h->waits);
	home_write_steps(w, h->c, h->v, &h->first);
	write_workspaces(w, h);
	write_accounts(w, h);
}

static const char *
search_of(struct ctx *c, const struct visit *v)
{
	const char *text = console_query(c, v, "search");

	return text != NULL && text[strspn(text, " ")] != '\0' && strlen(text) <= FIELD_MAX ? text
											    : NULL;
}

static void
read_steps(struct home *h)
{
	const struct places *p = &h->places;

	steps_read(h->c, p, &h->first.steps);
	h->first.manages_account = p->operates;
	for (size_t i = 0; h->first.steps.row != NULL && i < p->account_count; i++) {
		if (p->accounts[i].account->id == h->first.steps.row->account->id)
			h->first.manages_account |= (p->accounts[i].rights & RIGHT_MANAGE) != 0;
	}
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct home *h = arena_alloc(c->arena, sizeof(*h));
	struct err *err;
	bool first;

	h->c = c;
	h->v = v;
	h->places = (struct places) { .person_id = v->person->id,
		.search = search_of(c, v),
		.before = console_query(c, v, "before") };
	first = h->places.search == NULL && h->places.before == NULL;
	h->places.max = first ? PLACES_MAX : PLACES_PAGE;
	err = places_read(c, &h->places);
	db_begin_read(c, DB_CONSOLE);
	h->held = held_count(c, v->person->id);
	db_rollback(c);
	if (err == NULL && first) {
		waits_read(c, &h->places, &h->waits);
		read_steps(h);
	}
	if (h->places.count > PLACES_PAGE) {
		h->places.count = PLACES_PAGE;
		h->places.more = true;
	}
	if (err == NULL)
		console_page(c, v, reply, NULL, NULL, write_home, h);
	return err;
}

/* "Hide" of the first steps. */
static struct err *
hide_steps(struct ctx *c, struct visit *v, struct reply *reply)
{
	const struct self self = { .person = v->person, .session = v->session };
	struct err *err;

	console_will_go(v, "/");
	err = self_hide_steps(c, &self);
	if (err == NULL)
		console_go(c, v, reply, "/", NULL);
	return err;
}

SCREEN(home) = {
	{ "GET", "/", .title = tr_mark("Home"), .access = SCREEN_ANYBODY, .handler = show },
	{ "POST", "/me/steps", .title = tr_mark("Home"), .access = SCREEN_ANYBODY,
	    .handler = hide_steps },
	{ .method = NULL },
};
