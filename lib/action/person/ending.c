#include "action/person/ending.h"

#include <stddef.h>

#include "access/account.h"
#include "access/workspace.h"
#include "article/desk.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "people/membership.h"
#include "people/person.h"
#include "people/secret.h"
#include "store/db.h"

/* A share, and where its maker must still have a right. */
struct kept {
	int64_t id;
	const char *person, *workspace, *account; /* UUIDs */
	bool ended;
};

struct ending {
	struct ctx *c;
	struct kept *list;
	size_t count, room;
};

static void
keep(void *arg, const struct share *s)
{
	struct ending *e = arg;
	struct ctx *c = e->c;
	const struct workspace *w;

	if (s->person == NULL)
		return;
	if (e->count == e->room) {
		size_t room = e->room == 0 ? 64 : 2 * e->room;
		e->list = arena_grow(
		    c->arena, e->list, e->room * sizeof(*e->list), room * sizeof(*e->list));
		e->room = room;
	}
	w = workspace_of(c, s->workspace_id);
	e->list[e->count++] = (struct kept) { .id = s->id,
		.person = s->person,
		.workspace = w->uuid,
		.account = account_of(c, w->account_id)->uuid };
}

/* Looks who may still share: that needs the right to write or to publish there. */
static struct err *
judge(struct ctx *c, void *arg)
{
	struct ending *e = arg;

	for (size_t i = 0; i < e->count; i++) {
		struct kept *k = &e->list[i];
		const struct person *p = person_find(c, k->person);
		unsigned rights = p == NULL || p->disabled_at != 0
				      ? 0
				      : membership_rights(c, p->id, k->account, k->workspace);
		k->ended = (rights & (RIGHT_WRITE | RIGHT_PUBLISH)) == 0;
	}
	return NULL;
}

/* This is no change of the person who asks: that person may have lost the right to it just
 * now. So it passes no gate. */
void
ending_person(struct ctx *c, const char *person)
{
	struct ending e = { .c = c };
	struct gate *gate = c->gate;
	int64_t ended = 0;

	c->gate = NULL;
	db_begin_write(c, DB_CONTENT, DB_CHANGES_NOTHING, 0, 0);
	share_list_person(c, person, keep, &e);
	if (e.count > 0)
		(void)db_aside(c, DB_CONSOLE, judge, &e);
	for (size_t i = 0; i < e.count; i++) {
		if (e.list[i].ended)
			ended += share_end(c, e.list[i].id);
	}
	if (ended > 0)
		db_commit(c);
	else
		db_rollback(c);
	c->gate = gate;
}

/* Reads all shares, and which of them must end. */
static void
look(struct ctx *c, struct ending *e)
{
	*e = (struct ending) { .c = c };
	if (!secret_exists(c))
		return;
	db_begin_read(c, DB_CONTENT);
	share_list_all(c, keep, e);
	db_rollback(c);
	if (e->count == 0)
		return;
	db_begin_read(c, DB_CONSOLE);
	(void)judge(c, e);
	db_rollback(c);
}

void
ending_all(struct ctx *c)
{
	struct ending e;

	look(c, &e);
	for (size_t i = 0; i < e.count; i++) {
		if (e.list[i].ended)
			ending_person(c, e.list[i].person);
	}
}

bool
ending_is_due(struct ctx *c)
{
	struct ending e;
	bool due = false;

	look(c, &e);
	for (size_t i = 0; i < e.count; i++)
		due |= e.list[i].ended;
	return due;
}
