#include "action/home/places.h"

#include <stdlib.h>
#include <string.h>

#include "access/workspace.h"
#include "action/action.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "content/lang.h"
#include "people/membership.h"

/* Internal ids of one kind of place, for a look-up. */
struct ids {
	int64_t *list;
	size_t count;
};

struct reading {
	struct ctx *c;
	struct places *p;
	const struct membership **memberships; /* begun ones of accounts and workspaces */
	size_t count;
	struct ids accounts, workspaces;
	const char *folded; /* the search, or NULL */
	struct arena scratch;
	int64_t found[PLACES_MAX + 1];
	size_t found_count;
};

static void
add_membership(void *arg, const struct membership *m)
{
	struct reading *r = arg;
	size_t size = sizeof(const struct membership *);

	if (m->begun_at == 0 || m->kind == MEMBERSHIP_INSTANCE)
		return;
	if ((r->count & (r->count - 1)) == 0)
		r->memberships = arena_grow(r->c->arena, r->memberships, r->count * size,
		    (r->count == 0 ? 1 : r->count * 2) * size);
	r->memberships[r->count++] = m;
}

/* ---- one pass through the workspaces */

static int
compare_ids(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return (a > b) - (a < b);
}

static bool
has_id(const struct ids *ids, int64_t id)
{
	return ids->count > 0 &&
	       bsearch(&id, ids->list, ids->count, sizeof(*ids->list), compare_ids) != NULL;
}

/* Finds the rows that the UUIDs of the memberships name now. */
static void
resolve(struct reading *r)
{
	const struct workspace *w;
	const struct account *a;
	bool many;

	r->accounts.list = arena_array(r->c->arena, r->count + 1, sizeof(int64_t));
	r->workspaces.list = arena_array(r->c->arena, r->count + 1, sizeof(int64_t));
	for (size_t i = 0; i < r->count; i++) {
		const struct membership *m = r->memberships[i];
		if (m->kind == MEMBERSHIP_WORKSPACE) {
			w = workspace_find(r->c, m->place, &many);
			if (w != NULL)
				r->workspaces.list[r->workspaces.count++] = w->id;
			continue;
		}
		a = account_find(r->c, m->place, &many);
		if (a == NULL)
			continue;
		r->accounts.list[r->accounts.count++] = a->id;
		if (r->p->account_count < PLACES_ACCOUNTS)
			r->p->accounts[r->p->account_count++] =
			    (struct places_account) { .account = a };
	}
	qsort(r->accounts.list, r->accounts.count, sizeof(int64_t), compare_ids);
	qsort(r->workspaces.list, r->workspaces.count, sizeof(int64_t), compare_ids);
}

static bool
is_named(struct reading *r, const struct workspace_brief *w)
{
	const char *name;
	bool is;

	if (r->folded == NULL)
		return true;
	name = arena_text_n(&r->scratch, w->name, w->name_len);
	is = strstr(lang_fold(&r->scratch, name), r->folded) != NULL;
	arena_reset(&r->scratch);
	return is;
}

static bool
look_at(void *arg, const struct workspace_brief *w)
{
	struct reading *r = arg;

	if ((r->p->operates || has_id(&r->accounts, w->account_id) ||
		has_id(&r->workspaces, w->id)) &&
	    is_named(r, w))
		r->found[r->found_count++] = w->id;
	return r->found_count <= r->p->max;
}

static void
read_content(struct reading *r)
{
	const struct workspace *w = NULL;
	char uuid[UUID_TEXT];
	bool many;

	resolve(r);
	if (r->p->before != NULL && uuid_parse(r->p->before, uuid))
		w = workspace_find(r->c, uuid, &many);
	arena_init(&r->scratch, (size_t)1024 * 1024);
	workspace_walk(r->c, w != NULL ? w->id : 0, look_at, r);
	arena_release(&r->scratch);
	for (size_t i = 0; i < r->found_count; i++) {
		w = workspace_of(r->c, r->found[i]);
		r->p->rows[r->p->count++] = (struct places_row) { .id = w->id,
			.uuid = w->uuid,
			.name = w->settings.name,
			.account = account_of(r->c, w->account_id) };
	}
}

/* ---- rights */

/* Keeps the rows where the person is a member: one place decides about that. */
static void
take_rights(struct ctx *c, struct places *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->count; i++) {
		struct places_row *row = &p->rows[i];
		row->rights = membership_rights(c, p->person_id, row->account->uuid, row->uuid);
		if (row->rights != 0)
			p->rows[kept++] = *row;
	}
	p->count = kept;
	for (size_t i = 0; i < p->account_count; i++)
		p->accounts[i].rights =
		    membership_rights(c, p->person_id, p->accounts[i].account->uuid, NULL);
}

struct err *
places_read(struct ctx *c, struct places *p)
{
	struct reading r = { .c = c, .p = p };
	struct err *err = action_read_console(c);

	if (err != NULL)
		return err;
	p->operates =
	    !p->own && (membership_rights(c, p->person_id, NULL, NULL) & RIGHT_OPERATE) != 0;
	membership_list(c, p->person_id, add_membership, &r);
	db_rollback(c);
	if (p->search != NULL)
		r.folded = lang_fold(c->arena, p->search);
	db_begin_read(c, DB_CONTENT);
	read_content(&r);
	db_rollback(c);
	p->more = p->count > p->max;
	if (p->more)
		p->count = p->max;
	err = action_read_console(c);
	if (err != NULL)
		return err;
	take_rights(c, p);
	db_rollback(c);
	for (size_t i = 1; i < p->count; i++)
		p->many = p->many || p->rows[i].account->id != p->rows[0].account->id;
	return NULL;
}
