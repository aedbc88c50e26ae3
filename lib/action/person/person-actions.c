#include "action/person/person-actions.h"

#include <stddef.h>
#include <string.h>

#include "access/account.h"
#include "access/workspace.h"
#include "action/action.h"
#include "action/article/publish-actions.h"
#include "action/person/mailing.h"
#include "action/person/signing.h"
#include "article/desk.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "people/link.h"
#include "people/membership.h"
#include "people/person.h"
#include "people/secret.h"
#include "people/session.h"
#include "people/task.h"
#include "store/db.h"

/* ---- how people come in */

/* Makes the link of a kind, and the path at which it is opened. */
static void
make_link(struct ctx *c, const struct person_by *by, enum link_kind kind, const struct person *p,
    int64_t membership_id, const char *account, struct person_link *out)
{
	struct link made = { .kind = kind,
		.person_id = p->id,
		.membership_id = membership_id,
		.made_by = by->tool ? 0 : by->person_id };

	link_insert(c, &made, account, out->text);
	out->path =
	    arena_printf(c->arena, "/%s/%s", kind == LINK_INVITE ? "invite" : "reset", out->text);
	out->expires_at = made.expires_at;
	out->email =
	    kind == LINK_INVITE ? membership_of(c, membership_id)->invited_email : p->email;
	out->mailed = mailing_add_link(
	    c, kind == LINK_INVITE ? MAIL_INVITE : MAIL_RESET, p, account, out->text);
}

/* Makes the link of an invitation, if all that it begins may be given. */
static struct err *
make_invitation(struct ctx *c, const struct person_by *by, const struct person *p,
    int64_t membership_id, struct person_link *out)
{
	const char *account = membership_of(c, membership_id)->account;

	TRY(rule_invite(c, by, p->id, account));
	make_link(c, by, LINK_INVITE, p, membership_id, account, out);
	return NULL;
}

/* Returns the rights that are asked for, which must be of the place's kind. */
static struct err *
read_rights(struct ctx *c, const struct person_order *order, unsigned *out)
{
	return where_rights(c, order->where[0].kind, order->role, order->rights, out);
}

/* Finds the person with this address, or adds one. *typed gets name and address as typed. */
static struct err *
find_or_insert(
    struct ctx *c, const struct person_order *order, struct person *typed, struct person **out)
{
	struct person fresh = { .language = "en" };

	TRY(person_read_email(c, order->email, &fresh.email, &fresh.login));
	TRY(person_read_name(c, order->name, &fresh.name));
	if (order->language != NULL)
		TRY(person_read_language(c, order->language, &fresh.language));
	*typed = fresh;
	*out = person_find(c, fresh.login);
	if (*out != NULL && order->known)
		return NULL;
	TRY(person_insert(c, &fresh));
	*out = person_of(c, fresh.id);
	return NULL;
}

struct ended {
	struct ctx *c;
	const char *place, *login;
};

static void
forget_if_same(void *arg, const struct membership *m)
{
	const struct ended *e = arg;
	const char *email, *login;

	if (m->ended_at != 0 && strcmp(m->place, e->place) == 0 &&
	    person_read_email(e->c, m->invited_email, &email, &login) == NULL &&
	    strcmp(login, e->login) == 0)
		membership_delete(e->c, m->id);
}

/* Adds the membership of one place, or changes an invitation that was not opened. */
static struct err *
join(struct ctx *c, const struct person_order *order, const struct person *p,
    const struct where_found *where, unsigned rights, const struct person *typed, int64_t *id)
{
	struct ended ended = { .c = c, .place = where->place, .login = typed->login };
	struct membership fresh = { .person_id = p->id,
		.kind = where->kind,
		.place = where->place,
		.account = where->account,
		.rights = rights,
		.invited_name = typed->name,
		.invited_email = typed->email,
		.invited_by = rule_name(c, &order->by) };
	const struct membership *old = membership_find(c, p->id, where->place);

	if (old != NULL && old->begun_at != 0)
		return refuse(c, ERR_CONFLICT,
		    tr_mark("%s is a member already: change the role of this person instead."),
		    p->email);
	if (old != NULL) {
		TRY(rule_change(c, &order->by, old, false));
		membership_delete(c, old->id);
	}
	/* What became of the older invitation of this address is not told any more. */
	membership_list_account(c, where->account, forget_if_same, &ended);
	membership_insert(c, &fresh);
	*id = fresh.id;
	return NULL;
}

static struct err *
join_all(struct ctx *c, const struct person_order *order, const struct person *p,
    const struct person *typed, int64_t *id)
{
	const char *account = NULL;
	struct where_found where;
	struct err *err = NULL;
	unsigned rights;

	for (size_t i = 0; err == NULL && i < order->where_count; i++) {
		err = where_find(c, &order->where[i], &where);
		if (err == NULL)
			err = read_rights(c, order, &rights);
		if (err == NULL && account != NULL && strcmp(account, where.account) != 0)
			err = err_param(c, "workspace",
			    tr_mark(
				"The workspaces are of different accounts: an invitation is of one."));
		if (err == NULL)
			err = rule_give(c, &order->by, &where, rights);
		if (err == NULL)
			err = join(c, order, p, &where, rights, typed, id);
		account = where.account;
	}
	return err;
}

struct err *
person_create(struct ctx *c, const struct person_order *order, struct person_link *out)
{
	struct person typed;
	int64_t id = 0;

	*out = (struct person_link) { .person = NULL };
	ACTION(c, action_begin_console(c));
	TRY(find_or_insert(c, order, &typed, &out->person));
	TRY(join_all(c, order, out->person, &typed, &id));
	if (order->link)
		TRY(make_invitation(c, &order->by, out->person, id, out));
	return action_commit(c);
}

/* Returns whether an open invitation is the one that is meant. */
static bool
is_meant(const struct membership *m, const struct where_found *where)
{
	return m->begun_at == 0 && m->ended_at == 0 &&
	       (where == NULL ||
		   (where->kind == MEMBERSHIP_ACCOUNT ? strcmp(m->account, where->place) == 0
						      : strcmp(m->place, where->place) == 0));
}

/* Finds the open invitation that is meant, of all that the person has. */
static struct err *
find_invitation(struct ctx *c, const struct person_by *by, const struct person *p,
    const struct where_found *where, const struct membership **out)
{
	struct rule_memberships all;

	*out = NULL;
	rule_read(c, p->id, &all);
	for (size_t i = 0; i < all.count; i++) {
		const struct membership *m = all.list[i];
		if (!is_meant(m, where))
			continue;
		if (*out != NULL && strcmp((*out)->account, m->account) != 0)
			return err_param(c, "account",
			    tr_mark("Several accounts invited %s: name one of them."), p->email);
		*out = m;
	}
	/* The address may be another one than what was typed: the tool alone tells it. */
	if (*out == NULL && !by->tool)
		return refuse(c, ERR_CONFLICT, tr_mark("This invitation is not open any more."));
	if (*out == NULL)
		return refuse(c, ERR_CONFLICT, tr_mark("%s has no open invitation%s."), p->email,
		    where != NULL ? " there" : "");
	return NULL;
}

static struct err *
invite(struct ctx *c, const struct person_by *by, const char *who, const struct where *where,
    struct person_link *out)
{
	const struct membership *m = NULL;
	struct where_found found;

	TRY(person_get(c, who, &out->person));
	if (where != NULL)
		TRY(where_find(c, where, &found));
	TRY(find_invitation(c, by, out->person, where != NULL ? &found : NULL, &m));
	TRY(rule_change(c, by, m, false));
	/* Nobody learns by an invitation who is known here, and disabled. */
	if (by->tool && out->person->disabled_at != 0)
		return refuse(c, ERR_CONFLICT, tr_mark("%s is disabled."), out->person->email);
	return make_invitation(c, by, out->person, m->id, out);
}

struct err *
person_invite(struct ctx *c, const struct person_by *by, const char *who, const struct where *where,
    struct person_link *out)
{
	*out = (struct person_link) { .person = NULL };
	ACTION(c, action_begin_console(c));
	TRY(invite(c, by, who, where, out));
	return action_commit(c);
}

static struct err *
reset(struct ctx *c, const struct person_by *by, const char *who, struct person_link *out)
{
	struct rule_memberships all;

	TRY(person_get(c, who, &out->person));
	TRY(rule_act(c, by, out->person));
	if (out->person->disabled_at != 0)
		return refuse(c, ERR_CONFLICT, tr_mark("%s is disabled."), out->person->email);
	if (out->person->password == NULL)
		return refuse(c, ERR_CONFLICT,
		    tr_mark("%s has no password yet: an invitation sets it."), out->person->email);
	rule_read(c, out->person->id, &all);
	make_link(
	    c, by, LINK_RESET, out->person, 0, all.count > 0 ? all.list[0]->account : "", out);
	return NULL;
}

struct err *
person_reset(struct ctx *c, const struct person_by *by, const char *who, struct person_link *out)
{
	*out = (struct person_link) { .person = NULL };
	ACTION(c, action_begin_console(c));
	TRY(reset(c, by, who, out));
	return action_commit(c);
}

/* ---- what ends in the content */

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

/* Ends the shares of a person (UUID) that the person may not make any more. When it returns, no
 * change of content goes on that the person began before: it has held the write lock of the
 * content once.
 *
 * The person who asks may have lost the right to it just now, so it passes no gate. */
static void
ending_person(struct ctx *c, const char *person)
{
	struct ending e = { .c = c };
	int64_t ended = 0;

	db_begin_write(c, DB_CONTENT, DB_CHANGES_NOTHING, 0, 0);
	gate_skip(c);
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

/* ---- what becomes of people */

/* Writes what was given into *p. */
static struct err *
take_fields(struct ctx *c, const struct person_fields *f, struct person *p)
{
	if (f->email != NULL)
		TRY(person_read_email(c, f->email, &p->email, &p->login));
	if (f->name != NULL)
		TRY(person_read_name(c, f->name, &p->name));
	if (f->language != NULL)
		return person_read_language(c, f->language, &p->language);
	return NULL;
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
	struct err *err = NULL;
	const char *login;
	bool own;

	TRY(person_get(c, who, out));
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
	ACTION(c, action_begin_console(c));
	TRY(write_fields(c, by, who, fields, out));
	return action_commit(c);
}

/* Ends a membership, and what the person may do by it alone. */
static struct err *
end(struct ctx *c, const struct person_by *by, const struct person *p, const struct membership *m)
{
	if (m == NULL)
		return refuse(c, ERR_NOT_FOUND, tr_mark("%s is not a member there."), p->email);
	TRY(rule_change(c, by, m, true));
	TRY(rule_last(c, by, m, 0));
	membership_delete(c, m->id);
	rule_end_links(c, p->id);
	return NULL;
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

	TRY(rule_give(c, by, where, rights));
	/* Who made an open link may have been allowed to give less: it has ended. */
	if (m == NULL || (m->begun_at == 0 && (rights & ~m->rights) != 0))
		link_end_invitations(c, p->id, where->account);
	if (m != NULL && m->ended_at != 0)
		membership_move(c, m->id, p->email);
	if (m == NULL) {
		membership_insert(c, &fresh);
		return NULL;
	}
	TRY(rule_change(c, by, m, false));
	TRY(rule_last(c, by, m, rights));
	membership_set(c, m->id, rights);
	rule_end_links(c, p->id);
	return NULL;
}

static struct err *
set_rights(struct ctx *c, const struct person_by *by, const char *who,
    const struct person_rights *order, struct person **out, bool *open)
{
	bool ends = order->role != NULL ? strcmp(order->role, "none") == 0 : order->rights == 0;
	struct where_found where = { .kind = MEMBERSHIP_INSTANCE };
	const struct membership *m;
	unsigned rights = 0;

	TRY(person_get(c, who, out));
	TRY(where_find(c, &order->where, &where));
	if (!ends)
		TRY(where_rights(c, where.kind, order->role, order->rights, &rights));
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
	ACTION(c, action_begin_console(c));
	TRY(set_rights(c, by, who, rights, out, open_invitation));
	action_commit(c);
	/* Under the content's lock, which is held once in any case: what the person
	 * began before the rights ended is committed or refused then. */
	later_suspend_of(c, (*out)->uuid);
	ending_person(c, (*out)->uuid);
	return NULL;
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
	TRY(person_get(c, who, out));
	TRY(rule_act(c, by, *out));
	if (disabled) {
		TRY(rule_last_of(c, by, *out));
		stop(c, *out);
	}
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
	ACTION(c, action_begin_console(c));
	TRY(switch_one(c, by, who, disabled, out));
	action_commit(c);
	if (disabled) {
		later_suspend_of(c, (*out)->uuid);
		ending_person(c, (*out)->uuid);
	}
	return NULL;
}

struct err *
person_sign_out(struct ctx *c, const struct person_by *by, const char *who, struct person **out)
{
	ACTION(c, action_begin_console(c));
	TRY(person_get(c, who, out));
	if (by->tool || (*out)->id != by->person_id)
		TRY(rule_act(c, by, *out));
	session_delete_all(c, (*out)->id, 0);
	held_delete_all(c, (*out)->id);
	return action_commit(c);
}

static struct err *
remove_one(
    struct ctx *c, const struct person_by *by, const char *who, bool erase, struct person **out)
{
	struct rule_memberships all;

	TRY(person_get(c, who, out));
	TRY(rule_act(c, by, *out));
	TRY(rule_last_of(c, by, *out));
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
	ACTION(c, action_begin_console(c));
	TRY(remove_one(c, by, who, erase, out));
	action_commit(c);
	later_suspend_of(c, (*out)->uuid);
	ending_person(c, (*out)->uuid);
	return NULL;
}
