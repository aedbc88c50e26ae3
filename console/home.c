/* Home: what waits, and the places that a person may go to (docs/console.md §4.1). */
#include "all.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "screen/tr.h"
#include "store/db.h"

#define PLACES_MAX 500

struct place_found {
	const char *uuid, *name, *account;
	int64_t account_id;
};

struct home {
	struct ctx *c;
	const struct visit *v;
	struct place_found places[PLACES_MAX];
	size_t count;
};

static void
add_place(void *arg, const struct workspace *w)
{
	struct home *h = arg;

	if (h->count < PLACES_MAX)
		h->places[h->count++] = (struct place_found){
			.uuid = w->uuid, .name = w->settings.name,
			.account_id = w->account_id };
}

/* A workspace of another customer is not named. */
static void
keep_own(struct ctx *c, struct home *h)
{
	size_t kept = 0;

	for (size_t i = 0; i < h->count; i++) {
		if (membership_rights(c, h->v->person->id, h->places[i].account,
			h->places[i].uuid) != 0)
			h->places[kept++] = h->places[i];
	}
	h->count = kept;
}

static void
write_places(struct hwrite *w, const struct home *h)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Workspace") },
		{ .label = NULL },
	};
	struct screen_table t;

	screen_table_begin(&t, w, tr("Your workspaces"), columns);
	for (size_t i = 0; i < h->count; i++) {
		screen_row_begin(&t);
		screen_cell_link(&t, console_path(h->c, h->v, "/%s/articles",
		    h->places[i].uuid), h->places[i].name);
		screen_row_end(&t);
	}
	screen_table_end(&t);
}

static void
write_home(struct hwrite *w, const void *data)
{
	const struct home *h = data;

	if (h->count == 0)
		screen_empty(w, tr("You are a member of no workspace yet. The person who"
				   " invited you can add you to one."), NULL, NULL);
	else
		write_places(w, h);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct home *h = arena_alloc(c->arena, sizeof(*h));

	h->c = c;
	h->v = v;
	db_begin_read(c, DB_CONTENT);
	workspace_list(c, add_place, h);
	for (size_t i = 0; i < h->count; i++)
		h->places[i].account = account_of(c, h->places[i].account_id)->uuid;
	db_rollback(c);
	db_begin_read(c, DB_CONSOLE);
	keep_own(c, h);
	db_rollback(c);
	console_page(c, v, reply, NULL, NULL, write_home, h);
	return NULL;
}

const struct console_row home_screens[] = {
	{ .method = "GET", .pattern = "/", .title = tr_mark("Home"),
	    .access = SCREEN_ANYBODY, .handler = show },
	{ .method = NULL },
};
