/* Home: what waits, and the places that a person may go to (docs/console.md §4.1). */
#include <inttypes.h>
#include <string.h>

#include "../all.h"
#include "action/home-lists.h"
#include "action/person/signing.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "home.h"
#include "screen/tr.h"
#include "store/db.h"

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

const struct console_row home_screens[] = {
	{ .method = "GET",
	    .pattern = "/",
	    .title = tr_mark("Home"),
	    .access = SCREEN_ANYBODY,
	    .handler = show },
	{ .method = "POST",
	    .pattern = "/me/steps",
	    .title = tr_mark("Home"),
	    .access = SCREEN_ANYBODY,
	    .handler = hide_steps },
	{ .method = NULL },
};
