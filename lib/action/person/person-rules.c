#include "action/person/person-rules.h"

#include <stddef.h>
#include <string.h>

#include "access/account.h"
#include "access/workspace.h"
#include "action/action.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "store/db.h"

/* ---- where a membership is */

struct search {
	const struct where *where;
	struct where_found *found;
};

static struct err *
find_in_content(struct ctx *c, void *arg)
{
	struct search *s = arg;
	struct find_place place = { .name = s->where->name };
	struct workspace *w;
	struct account *a;

	if (s->where->kind == MEMBERSHIP_ACCOUNT) {
		TRY(find_account(c, s->where->name, &a));
		*s->found = (struct where_found) { MEMBERSHIP_ACCOUNT, a->uuid, a->uuid, a->name };
		return NULL;
	}
	TRY(find_workspace(c, &place, &w));
	*s->found = (struct where_found) { MEMBERSHIP_WORKSPACE, w->uuid,
		account_of(c, w->account_id)->uuid, w->settings.name };
	return NULL;
}

struct err *
where_find(struct ctx *c, const struct where *where, struct where_found *out)
{
	struct search s = { .where = where, .found = out };

	if (where->kind == MEMBERSHIP_INSTANCE) {
		*out = (struct where_found) { MEMBERSHIP_INSTANCE, "", "", "" };
		return NULL;
	}
	return db_aside(c, DB_CONTENT, find_in_content, &s);
}

struct naming {
	const struct membership *m;
	const char *name;
};

static struct err *
name_in_content(struct ctx *c, void *arg)
{
	struct naming *n = arg;
	const struct workspace *w;
	const struct account *a;
	bool many;

	if (n->m->kind == MEMBERSHIP_ACCOUNT) {
		a = account_find(c, n->m->place, &many);
		n->name = a != NULL ? a->name : NULL;
	} else {
		w = workspace_find(c, n->m->place, &many);
		n->name = w != NULL ? w->settings.name : NULL;
	}
	return NULL;
}

const char *
where_name(struct ctx *c, const struct membership *m)
{
	struct naming n = { .m = m, .name = "" };
	struct err *none;

	if (m->kind == MEMBERSHIP_INSTANCE)
		return "";
	none = db_aside(c, DB_CONTENT, name_in_content, &n);
	return none == NULL ? n.name : NULL;
}

struct err *
where_rights(
    struct ctx *c, enum membership_kind kind, const char *role, unsigned rights, unsigned *out)
{
	bool operates;

	*out = role != NULL ? membership_role_rights(role) : rights | RIGHT_READ;
	if (*out == 0)
		return err_param(c, "role",
		    tr_mark(
			"%s is not a role: the roles are writer, reviewer, editor and owner, and operator for the instance."),
		    role);
	operates = (*out & RIGHT_OPERATE) != 0;
	if (kind == MEMBERSHIP_INSTANCE ? *out != RIGHT_ALL : operates)
		return err_param(c, "role",
		    tr_mark(
			"An operator belongs to the whole instance; an account or a workspace has writers, reviewers, editors and owners."));
	return NULL;
}

/* ---- who may change people */

const char *
rule_name(struct ctx *c, const struct person_by *by)
{
	return by->tool ? "" : person_of(c, by->person_id)->uuid;
}

static void
count_one(void *arg, const struct membership *m)
{
	struct rule_memberships *all = arg;

	(void)m;
	all->count++;
}

static void
add_one(void *arg, const struct membership *m)
{
	struct rule_memberships *all = arg;

	all->list[all->count++] = m;
}

void
rule_read(struct ctx *c, int64_t person_id, struct rule_memberships *out)
{
	out->count = 0;
	membership_list(c, person_id, count_one, out);
	out->list = arena_alloc(c->arena, (out->count + 1) * sizeof(const struct membership *));
	out->count = 0;
	membership_list(c, person_id, add_one, out);
}

/* Returns the rights that the asking person has where a membership is. */
static unsigned
rights_at(struct ctx *c, const struct person_by *by, enum membership_kind kind, const char *place,
    const char *account)
{
	if (kind == MEMBERSHIP_INSTANCE)
		return membership_rights(c, by->person_id, NULL, NULL);
	return membership_rights(
	    c, by->person_id, account, kind == MEMBERSHIP_WORKSPACE ? place : NULL);
}

/* Returns whether the rights `own` are enough to decide about `rights` in a place of this
 * kind. */
static bool
is_enough(enum membership_kind kind, unsigned own, unsigned rights)
{
	unsigned need = kind == MEMBERSHIP_INSTANCE ? RIGHT_OPERATE : RIGHT_MANAGE;

	return (own & need) != 0 && (rights & ~own) == 0;
}

static struct err *
refuse_more(struct ctx *c)
{
	return refuse(c, ERR_FORBIDDEN,
	    tr_mark(
		"Only somebody who manages this place, and has at least these rights, may do this."));
}

/* Who decides about a person must manage the whole account, not one workspace of it. */
static bool
manages_account(struct ctx *c, const struct person_by *by, const struct membership *m)
{
	return is_enough(
	    MEMBERSHIP_ACCOUNT, membership_rights(c, by->person_id, m->account, NULL), m->rights);
}

struct err *
rule_act(struct ctx *c, const struct person_by *by, const struct person *p)
{
	struct rule_memberships all;
	bool began = false, counted = false;

	if (by->tool || (membership_rights(c, by->person_id, NULL, NULL) & RIGHT_OPERATE) != 0)
		return NULL;
	rule_read(c, p->id, &all);
	for (size_t i = 0; i < all.count; i++)
		began = began || all.list[i]->begun_at != 0;
	for (size_t i = 0; i < all.count; i++) {
		const struct membership *m = all.list[i];
		if (m->ended_at != 0)
			continue;
		if (m->kind == MEMBERSHIP_INSTANCE)
			return refuse_more(c);
		if (began && m->begun_at == 0)
			continue;
		counted = true;
		if (!manages_account(c, by, m))
			return refuse(c, ERR_FORBIDDEN,
			    tr_mark(
				"Only an operator, or somebody who manages every account of this person, may do this."));
	}
	return counted ? NULL : refuse_more(c);
}

struct err *
rule_give(
    struct ctx *c, const struct person_by *by, const struct where_found *where, unsigned rights)
{
	if (by->tool || is_enough(where->kind,
			    rights_at(c, by, where->kind, where->place, where->account), rights))
		return NULL;
	return refuse(
	    c, ERR_FORBIDDEN, tr_mark("Nobody may give more rights than they have themselves."));
}

struct err *
rule_change(struct ctx *c, const struct person_by *by, const struct membership *m, bool ends)
{
	if (by->tool || (ends && m->person_id == by->person_id) ||
	    is_enough(m->kind, rights_at(c, by, m->kind, m->place, m->account), m->rights))
		return NULL;
	return refuse_more(c);
}

struct err *
rule_invite(struct ctx *c, const struct person_by *by, int64_t person_id, const char *account)
{
	struct rule_memberships all;

	rule_read(c, person_id, &all);
	for (size_t i = 0; i < all.count; i++) {
		const struct membership *m = all.list[i];
		if (m->begun_at == 0 && m->ended_at == 0 && strcmp(m->account, account) == 0)
			TRY(rule_change(c, by, m, false));
	}
	return NULL;
}

/* Returns whether the maker of a link may make it now. */
static bool
may_make(struct ctx *c, const struct link *l)
{
	const struct person_by by = { .tool = l->made_by == 0, .person_id = l->made_by };

	if (l->kind == LINK_RESET)
		return rule_act(c, &by, person_of(c, l->person_id)) == NULL;
	return rule_invite(c, &by, l->person_id, membership_of(c, l->membership_id)->account) ==
	       NULL;
}

enum link_state
rule_check_link(struct ctx *c, enum link_kind kind, const char *text, struct link *out)
{
	enum link_state state = link_check(c, kind, text, out);

	return state == LINK_GOOD && !may_make(c, out) ? LINK_OVER : state;
}

struct links {
	struct ctx *c;
	struct link *list;
	size_t count;
};

static void
add_link(void *arg, const struct link *l)
{
	struct links *all = arg;
	size_t size = sizeof(*all->list);

	all->list =
	    arena_grow(all->c->arena, all->list, all->count * size, (all->count + 1) * size);
	all->list[all->count++] = *l;
}

void
rule_end_links(struct ctx *c, int64_t made_by)
{
	struct links all = { .c = c };

	link_list_open(c, made_by, add_link, &all);
	for (size_t i = 0; i < all.count; i++) {
		if (!may_make(c, &all.list[i]))
			link_revoke(c, &all.list[i]);
	}
}

/* Who was invited and did not come, or may not sign in, does not count: the place has
 * nobody less. */
struct err *
rule_last(struct ctx *c, const struct person_by *by, const struct membership *m, unsigned after)
{
	const struct person *p = person_of(c, m->person_id);

	if (by->tool || m->kind == MEMBERSHIP_WORKSPACE || m->begun_at == 0 ||
	    p->disabled_at != 0 || p->password == NULL || (m->rights & RIGHT_MANAGE) == 0 ||
	    (after & RIGHT_MANAGE) != 0 || membership_count(c, m->place, RIGHT_MANAGE) > 1)
		return NULL;
	if (m->kind == MEMBERSHIP_INSTANCE)
		return refuse(c, ERR_CONFLICT,
		    tr_mark("%s is the last operator: make another one first."), p->name);
	return refuse(c, ERR_CONFLICT,
	    tr_mark(
		"%s is the last person who manages this account: give somebody else this right first."),
	    p->name);
}

struct err *
rule_last_of(struct ctx *c, const struct person_by *by, const struct person *p)
{
	struct rule_memberships all;

	rule_read(c, p->id, &all);
	for (size_t i = 0; i < all.count; i++)
		TRY(rule_last(c, by, all.list[i], 0));
	return NULL;
}
