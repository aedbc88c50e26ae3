#include "action/person/change.h"

#include <string.h>

#include "action/action.h"
#include "action/dates/later.h"
#include "action/person/ending.h"
#include "action/sign/held.h"
#include "base/ctx.h"
#include "people/link.h"
#include "people/session.h"
#include "people/task.h"

/* Writes what was given into *p. */
static struct err *
take_fields(struct ctx *c, const struct person_fields *f, struct person *p)
{
	struct err *err = NULL;

	if (f->email != NULL)
		err = person_read_email(c, f->email, &p->email, &p->login);
	if (err == NULL && f->name != NULL)
		err = person_read_name(c, f->name, &p->name);
	if (err == NULL && f->language != NULL)
		err = person_read_language(c, f->language, &p->language);
	return err;
}

/* Returns whether an invitation is of somebody who decides about the person's address: of an
 * account of which the person is a member already, or the only one that invites somebody who
 * has not come. */
static bool
is_own(const struct rule_memberships *all, const struct membership *m)
{
	bool began = false, only = true;

	for (size_t i = 0; i < all->count; i++) {
		const struct membership *other = all->list[i];
		bool same = strcmp(other->account, m->account) == 0;
		if (other->begun_at != 0 && same)
			return true;
		began |= other->begun_at != 0;
		only &= same || other->ended_at != 0;
	}
	return !began && only;
}

/* The person has another address. An account that invited the old one wants the person who reads
 * the mail there, and never chose the new one: what it has open ends. */
static void
move_invitations(struct ctx *c, const struct person *p)
{
	struct rule_memberships all;

	rule_read(c, p->id, &all);
	for (size_t i = 0; i < all.count; i++) {
		const struct membership *m = all.list[i];
		if (m->begun_at == 0 && m->ended_at == 0)
			membership_move(c, m->id, is_own(&all, m) ? p->email : NULL);
	}
}

static struct err *
write_fields(struct ctx *c, const struct person_by *by, const char *who,
    const struct person_fields *f, struct person **out)
{
	struct err *err = person_get(c, who, out);
	const char *login;
	bool own;

	if (err != NULL)
		return err;
	own = !by->tool && (*out)->id == by->person_id && f->email == NULL && f->name == NULL;
	if (!own)
		err = rule_act(c, by, *out);
	login = (*out)->login;
	if (err == NULL)
		err = take_fields(c, f, *out);
	if (err == NULL)
		err = person_update(c, *out);
	if (err == NULL && strcmp(login, (*out)->login) != 0) {
		link_end_all(c, (*out)->id);
		move_invitations(c, *out);
	}
	return err;
}

struct err *
person_change(struct ctx *c, const struct person_by *by, const char *who,
    const struct person_fields *fields, struct person **out)
{
	struct err *err = action_begin_console(c);

	if (err == NULL)
		err = write_fields(c, by, who, fields, out);
	return action_end(c, err);
}

/* Ends a membership, and what the person may do by it alone. */
static struct err *
end(struct ctx *c, const struct person_by *by, const struct person *p, const struct membership *m)
{
	struct err *err;

	if (m == NULL)
		return refuse(c, ERR_NOT_FOUND, tr_mark("%s is no member there."), p->email);
	err = rule_change(c, by, m, true);
	if (err == NULL)
		err = rule_last(c, by, m, 0);
	if (err == NULL) {
		membership_delete(c, m->id);
		rule_end_links(c, p->id);
	}
	return err;
}

static struct err *
set(struct ctx *c, const struct person_by *by, const struct person *p,
    const struct where_found *where, const struct membership *m, unsigned rights)
{
	struct membership fresh = { .person_id = p->id,
		.kind = where->kind,
		.place = where->place,
		.account = where->account,
		.rights = rights,
		.invited_name = p->name,
		.invited_email = p->email,
		.invited_by = rule_name(c, by) };
	struct err *err = rule_give(c, by, where, rights);

	if (err != NULL)
		return err;
	/* Who made an open link may have been allowed to give less: it has ended. */
	if (m == NULL || (m->begun_at == 0 && (rights & ~m->rights) != 0))
		link_end_invitations(c, p->id, where->account);
	if (m != NULL && m->ended_at != 0)
		membership_move(c, m->id, p->email);
	if (m == NULL) {
		membership_insert(c, &fresh);
		return NULL;
	}
	err = rule_change(c, by, m, false);
	if (err == NULL)
		err = rule_last(c, by, m, rights);
	if (err == NULL) {
		membership_set(c, m->id, rights);
		rule_end_links(c, p->id);
	}
	return err;
}

static struct err *
set_rights(struct ctx *c, const struct person_by *by, const char *who,
    const struct person_rights *order, struct person **out, bool *open)
{
	bool ends = order->role != NULL ? strcmp(order->role, "none") == 0 : order->rights == 0;
	struct where_found where = { .kind = MEMBERSHIP_INSTANCE };
	const struct membership *m;
	unsigned rights = 0;
	struct err *err = person_get(c, who, out);

	if (err == NULL)
		err = where_find(c, &order->where, &where);
	if (err == NULL && !ends)
		err = where_rights(c, where.kind, order->role, order->rights, &rights);
	if (err != NULL)
		return err;
	m = membership_find(c, (*out)->id, where.place);
	/* The tool alone adds memberships here. A person invites by an address: nobody learns name
	 * and address of somebody who is no member. */
	if (!by->tool && (m == NULL || (!ends && m->ended_at != 0)))
		return refuse(c, ERR_NOT_FOUND, tr_mark("There is no such member here."));
	*open = !ends && (m == NULL || m->begun_at == 0);
	return ends ? end(c, by, *out, m) : set(c, by, *out, &where, m, rights);
}

struct err *
person_set_rights(struct ctx *c, const struct person_by *by, const char *who,
    const struct person_rights *rights, struct person **out, bool *open_invitation)
{
	struct err *err = action_begin_console(c);

	if (err == NULL)
		err = set_rights(c, by, who, rights, out, open_invitation);
	err = action_end(c, err);
	/* Under the content's lock, which is held once in any case: what the person
	 * began before the rights ended is committed or refused then. */
	if (err == NULL) {
		later_suspend_of(c, (*out)->uuid);
		ending_person(c, (*out)->uuid);
	}
	return err;
}

/* Ends what the person could do something with. */
static void
stop(struct ctx *c, const struct person *p)
{
	session_delete_all(c, p->id, 0);
	held_delete_all(c, p->id);
	link_end_all(c, p->id);
	task_end_all(c, p->uuid, tr_mark("The person who began it may not do this any more."));
}

static struct err *
switch_one(
    struct ctx *c, const struct person_by *by, const char *who, bool disabled, struct person **out)
{
	struct err *err = person_get(c, who, out);

	if (err == NULL)
		err = rule_act(c, by, *out);
	if (err == NULL && disabled)
		err = rule_last_of(c, by, *out);
	if (err != NULL)
		return err;
	if (disabled)
		stop(c, *out);
	if (disabled != ((*out)->disabled_at != 0))
		person_disable(c, (*out)->id, disabled);
	rule_end_links(c, (*out)->id);
	*out = person_of(c, (*out)->id);
	return NULL;
}

struct err *
person_switch(
    struct ctx *c, const struct person_by *by, const char *who, bool disabled, struct person **out)
{
	struct err *err = action_begin_console(c);

	if (err == NULL)
		err = switch_one(c, by, who, disabled, out);
	err = action_end(c, err);
	if (err == NULL && disabled) {
		later_suspend_of(c, (*out)->uuid);
		ending_person(c, (*out)->uuid);
	}
	return err;
}

struct err *
person_sign_out(struct ctx *c, const struct person_by *by, const char *who, struct person **out)
{
	struct err *err = action_begin_console(c);

	if (err == NULL)
		err = person_get(c, who, out);
	if (err == NULL && (by->tool || (*out)->id != by->person_id))
		err = rule_act(c, by, *out);
	if (err == NULL) {
		session_delete_all(c, (*out)->id, 0);
		held_delete_all(c, (*out)->id);
	}
	return action_end(c, err);
}

static struct err *
remove_one(
    struct ctx *c, const struct person_by *by, const char *who, bool erase, struct person **out)
{
	struct rule_memberships all;
	struct err *err = person_get(c, who, out);

	if (err == NULL)
		err = rule_act(c, by, *out);
	if (err == NULL)
		err = rule_last_of(c, by, *out);
	if (err != NULL)
		return err;
	stop(c, *out);
	rule_read(c, (*out)->id, &all);
	for (size_t i = 0; i < all.count; i++)
		membership_delete(c, all.list[i]->id);
	rule_end_links(c, (*out)->id);
	person_forget(c, (*out)->id, erase);
	return NULL;
}

struct err *
person_remove(
    struct ctx *c, const struct person_by *by, const char *who, bool erase, struct person **out)
{
	struct err *err = action_begin_console(c);

	if (err == NULL)
		err = remove_one(c, by, who, erase, out);
	err = action_end(c, err);
	if (err == NULL) {
		later_suspend_of(c, (*out)->uuid);
		ending_person(c, (*out)->uuid);
	}
	return err;
}
