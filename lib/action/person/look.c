#include "action/person/look.h"

#include <string.h>

#include "action/action.h"
#include "action/person/rule.h"
#include "action/person/where.h"
#include "base/arena.h"
#include "base/ctx.h"

static void
note_use(void *arg, const struct session *s)
{
	int64_t *seen_at = arg;

	if (s->used_at > *seen_at)
		*seen_at = s->used_at;
}

static void
fill(struct ctx *c, const struct person *p, struct person_view *out)
{
	struct person_membership *list;
	struct rule_memberships all;

	rule_read(c, p->id, &all);
	list = arena_alloc(c->arena, (all.count + 1) * sizeof(*list));
	for (size_t i = 0; i < all.count; i++)
		list[i] = (struct person_membership) { all.list[i], where_name(c, all.list[i]) };
	*out = (struct person_view) {
		.person = p, .seen_at = p->seen_at, .memberships = list, .count = all.count
	};
	session_list(c, p->id, note_use, &out->seen_at);
}

struct err *
person_show(struct ctx *c, const char *who, struct person_view *out)
{
	struct err *err = action_read_console(c);
	struct person *p;

	if (err == NULL)
		err = person_get(c, who, &p);
	if (err == NULL)
		fill(c, p, out);
	return action_end(c, err);
}

struct everybody {
	struct ctx *c;
	void (*each)(void *arg, const struct person_view *view);
	void *arg;
};

static void
show_one(void *arg, const struct person *p)
{
	const struct everybody *all = arg;
	struct person_view view;

	fill(all->c, p, &view);
	all->each(all->arg, &view);
}

struct err *
person_show_all(struct ctx *c, void (*each)(void *arg, const struct person_view *view), void *arg)
{
	struct everybody all = { .c = c, .each = each, .arg = arg };
	struct err *err = action_read_console(c);

	if (err == NULL)
		person_list(c, show_one, &all);
	return action_end(c, err);
}

struct members {
	struct ctx *c;
	void (*each)(void *arg, const struct person *p, const struct person_membership *m);
	void *arg;
};

static void
show_member(void *arg, const struct membership *m)
{
	const struct members *all = arg;
	const struct person_membership named = { m, where_name(all->c, m) };

	all->each(all->arg, person_of(all->c, m->person_id), &named);
}

struct err *
person_show_account(struct ctx *c, const char *account,
    void (*each)(void *arg, const struct person *p, const struct person_membership *m), void *arg)
{
	struct members all = { .c = c, .each = each, .arg = arg };
	struct err *err = action_read_console(c);

	if (err == NULL)
		membership_list_account(c, account, show_member, &all);
	return action_end(c, err);
}

struct links {
	struct ctx *c;
	const char *account; /* NULL: of all */
	void (*each)(void *arg, const struct person_made *made);
	void *arg;
};

/* Returns whether a link is of the account: an invitation to it, or a reset of a member. */
static bool
is_of(const struct links *all, const struct person_made *made)
{
	struct rule_memberships of;

	if (all->account == NULL)
		return true;
	if (made->m != NULL)
		return strcmp(made->m->account, all->account) == 0;
	rule_read(all->c, made->person->id, &of);
	for (size_t i = 0; i < of.count; i++) {
		if (of.list[i]->begun_at != 0 && strcmp(of.list[i]->account, all->account) == 0)
			return true;
	}
	return false;
}

static void
show_link(void *arg, const struct link *l)
{
	const struct links *all = arg;
	const struct person_made made = { .link = l,
		.person = person_of(all->c, l->person_id),
		.m = l->kind == LINK_INVITE ? membership_of(all->c, l->membership_id) : NULL };

	if (is_of(all, &made))
		all->each(all->arg, &made);
}

struct err *
person_links(struct ctx *c, const char *who, const char *account, int64_t since,
    void (*each)(void *arg, const struct person_made *made), void *arg)
{
	struct links all = { .c = c, .account = account, .each = each, .arg = arg };
	struct err *err = action_read_console(c);
	struct person *p;

	if (err == NULL)
		err = person_get(c, who, &p);
	if (err == NULL && since != 0)
		link_list_revoked(c, p->id, since, show_link, &all);
	else if (err == NULL)
		link_list_open(c, p->id, show_link, &all);
	return action_end(c, err);
}

struct err *
person_sessions(struct ctx *c, const char *who, struct person **out,
    void (*each)(void *arg, const struct session *s), void *arg)
{
	struct err *err = action_read_console(c);

	if (err == NULL)
		err = person_get(c, who, out);
	if (err == NULL)
		session_list(c, (*out)->id, each, arg);
	return action_end(c, err);
}
