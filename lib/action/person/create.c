#include "action/person/create.h"

#include <string.h>

#include "action/action.h"
#include "action/mailing/mailing.h"
#include "base/arena.h"
#include "base/ctx.h"

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
	struct err *err = rule_invite(c, by, p->id, account);

	if (err == NULL)
		make_link(c, by, LINK_INVITE, p, membership_id, account, out);
	return err;
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
	struct err *err = person_read_email(c, order->email, &fresh.email, &fresh.login);

	if (err == NULL)
		err = person_read_name(c, order->name, &fresh.name);
	if (err == NULL && order->language != NULL)
		err = person_read_language(c, order->language, &fresh.language);
	if (err != NULL)
		return err;
	*typed = fresh;
	*out = person_find(c, fresh.login);
	if (*out != NULL && order->known)
		return NULL;
	err = person_insert(c, &fresh);
	if (err == NULL)
		*out = person_of(c, fresh.id);
	return err;
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
	struct err *err;

	if (old != NULL && old->begun_at != 0)
		return refuse(c, ERR_CONFLICT,
		    tr_mark("%s is a member already: change the role of this person instead."),
		    p->email);
	if (old != NULL) {
		err = rule_change(c, &order->by, old, false);
		if (err != NULL)
			return err;
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
	struct err *err = action_begin_console(c);
	struct person typed;
	int64_t id = 0;

	*out = (struct person_link) { .person = NULL };
	if (err == NULL)
		err = find_or_insert(c, order, &typed, &out->person);
	if (err == NULL)
		err = join_all(c, order, out->person, &typed, &id);
	if (err == NULL && order->link)
		err = make_invitation(c, &order->by, out->person, id, out);
	return action_end(c, err);
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
	struct err *err = person_get(c, who, &out->person);

	if (err == NULL && where != NULL)
		err = where_find(c, where, &found);
	if (err == NULL)
		err = find_invitation(c, by, out->person, where != NULL ? &found : NULL, &m);
	if (err == NULL)
		err = rule_change(c, by, m, false);
	/* Nobody learns by an invitation who is known here, and disabled. */
	if (err == NULL && by->tool && out->person->disabled_at != 0)
		err = refuse(c, ERR_CONFLICT, tr_mark("%s is disabled."), out->person->email);
	if (err == NULL)
		err = make_invitation(c, by, out->person, m->id, out);
	return err;
}

struct err *
person_invite(struct ctx *c, const struct person_by *by, const char *who, const struct where *where,
    struct person_link *out)
{
	struct err *err = action_begin_console(c);

	*out = (struct person_link) { .person = NULL };
	if (err == NULL)
		err = invite(c, by, who, where, out);
	return action_end(c, err);
}

static struct err *
reset(struct ctx *c, const struct person_by *by, const char *who, struct person_link *out)
{
	struct err *err = person_get(c, who, &out->person);
	struct rule_memberships all;

	if (err == NULL)
		err = rule_act(c, by, out->person);
	if (err != NULL)
		return err;
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
	struct err *err = action_begin_console(c);

	*out = (struct person_link) { .person = NULL };
	if (err == NULL)
		err = reset(c, by, who, out);
	return action_end(c, err);
}
