#include "people/membership.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "people/link.h"
#include "store/db.h"

#define COLUMNS                                                                                    \
	"membership.id, membership.uuid, membership.person_id,"                                    \
	" membership.kind, membership.place, membership.account,"                                  \
	" membership.may_write, membership.may_publish,"                                           \
	" membership.may_manage, membership.created_at, membership.begun_at,"                      \
	" membership.invited_name, membership.invited_email,"                                      \
	" membership.invited_by, membership.ended_at"

static const char kinds[][10] = {
	[MEMBERSHIP_INSTANCE] = "instance",
	[MEMBERSHIP_ACCOUNT] = "account",
	[MEMBERSHIP_WORKSPACE] = "workspace",
};

static const struct {
	char name[10];
	unsigned rights;
} roles[] = {
	{ "writer", RIGHT_READ | RIGHT_WRITE },
	{ "reviewer", RIGHT_READ | RIGHT_PUBLISH },
	{ "editor", RIGHT_READ | RIGHT_WRITE | RIGHT_PUBLISH },
	{ "owner", RIGHT_READ | RIGHT_WRITE | RIGHT_PUBLISH | RIGHT_MANAGE },
	{ "operator", RIGHT_ALL },
};

const char *
membership_role(const struct membership *m)
{
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		if (roles[i].rights == m->rights)
			return roles[i].name;
	}
	return "";
}

unsigned
membership_role_rights(const char *role)
{
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		if (strcmp(roles[i].name, role) == 0)
			return roles[i].rights;
	}
	return 0;
}

static unsigned
rights_from_row(struct stmt *q, int first, bool operates)
{
	unsigned rights = RIGHT_READ;

	if (db_int(q, first) != 0)
		rights |= RIGHT_WRITE;
	if (db_int(q, first + 1) != 0)
		rights |= RIGHT_PUBLISH;
	if (db_int(q, first + 2) != 0)
		rights |= RIGHT_MANAGE;
	return operates ? rights | RIGHT_OPERATE : rights;
}

static struct membership *
from_row(struct ctx *c, struct stmt *q)
{
	struct membership *m = arena_alloc(c->arena, sizeof(*m));
	const char *kind = db_text(q, 3);

	m->id = db_int(q, 0);
	m->uuid = db_text(q, 1);
	m->person_id = db_int(q, 2);
	while (strcmp(kinds[m->kind], kind) != 0)
		m->kind++;
	m->place = db_text(q, 4);
	m->account = db_text(q, 5);
	m->rights = rights_from_row(q, 6, m->kind == MEMBERSHIP_INSTANCE);
	m->created_at = db_int(q, 9);
	m->begun_at = db_int(q, 10);
	m->invited_name = db_text(q, 11);
	m->invited_email = db_text(q, 12);
	m->invited_by = db_text(q, 13);
	m->ended_at = db_int(q, 14);
	return m;
}

/* A membership of the instance reaches everything, one of an account its workspaces. */
unsigned
membership_rights_both(struct ctx *c, int64_t person_id, const char *account, const char *workspace,
    unsigned *in_account)
{
	struct stmt *q = db_prepare(c,
	    "SELECT membership.may_write, membership.may_publish, membership.may_manage,"
	    " CASE WHEN membership.place = '' THEN 1 ELSE 0 END,"
	    " CASE WHEN membership.place = :workspace THEN 1 ELSE 0 END"
	    " FROM membership JOIN person ON person.id = membership.person_id"
	    " WHERE membership.person_id = :person_id"
	    " AND membership.begun_at IS NOT NULL AND person.disabled_at IS NULL"
	    " AND membership.place IN ('', :account, :workspace)",
	    db_i(":person_id", person_id), db_t(":account", account != NULL ? account : ""),
	    db_t(":workspace", workspace != NULL ? workspace : ""));
	unsigned rights = 0, row;

	*in_account = 0;
	while (db_row(q)) {
		row = rights_from_row(q, 0, db_int(q, 3) != 0);
		rights |= row;
		if (workspace == NULL || db_int(q, 4) == 0)
			*in_account |= row;
	}
	return rights;
}

unsigned
membership_rights(struct ctx *c, int64_t person_id, const char *account, const char *workspace)
{
	unsigned in_account;

	return membership_rights_both(c, person_id, account, workspace, &in_account);
}

struct membership *
membership_find(struct ctx *c, int64_t person_id, const char *place)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM membership WHERE person_id = :person_id AND place = :place",
	    db_i(":person_id", person_id), db_t(":place", place));
	struct membership *found = db_row(q) ? from_row(c, q) : NULL;

	db_reset(q);
	return found;
}

struct membership *
membership_of(struct ctx *c, int64_t id)
{
	struct stmt *q =
	    db_prepare(c, "SELECT " COLUMNS " FROM membership WHERE id = :id", db_i(":id", id));
	struct membership *found = db_row(q) ? from_row(c, q) : NULL;

	db_reset(q);
	return found;
}

void
membership_list(struct ctx *c, int64_t person_id,
    void (*each)(void *arg, const struct membership *m), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM membership WHERE person_id = :person_id /*sort*/ ORDER BY id",
	    db_i(":person_id", person_id));

	while (db_row(q))
		each(arg, from_row(c, q));
}

void
membership_list_account(struct ctx *c, const char *account,
    void (*each)(void *arg, const struct membership *m), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM membership WHERE account = :account /*sort*/ ORDER BY id",
	    db_t(":account", account));

	while (db_row(q))
		each(arg, from_row(c, q));
}

int64_t
membership_seen_at(struct ctx *c, const char *account)
{
	return db_one_int(c, 0,
	    "SELECT coalesce(max(p.seen_at), 0) FROM membership m JOIN person p"
	    " ON p.id = m.person_id WHERE m.account = :account AND m.begun_at > 0",
	    db_t(":account", account));
}

void
membership_list_ended(struct ctx *c, void (*each)(void *arg, const struct membership *m), void *arg)
{
	struct stmt *q = db_prepare(c, "SELECT " COLUMNS " FROM membership"
				       " WHERE ended_at > 0 /*sort*/ ORDER BY created_at, id");

	while (db_row(q))
		each(arg, from_row(c, q));
}

int64_t
membership_count(struct ctx *c, const char *place, enum right right)
{
	return db_one_int(c, 0,
	    "SELECT count(*) FROM membership JOIN person ON person.id = membership.person_id"
	    " WHERE membership.place = :place AND membership.begun_at IS NOT NULL"
	    " AND person.password IS NOT NULL AND person.disabled_at IS NULL"
	    " AND membership.may_write >= :write AND membership.may_publish >= :publish"
	    " AND membership.may_manage >= :manage",
	    db_t(":place", place), db_i(":write", right == RIGHT_WRITE),
	    db_i(":publish", right == RIGHT_PUBLISH), db_i(":manage", right == RIGHT_MANAGE));
}

#define RIGHTS_VALUES(rights)                                                                      \
	db_i(":may_write", ((rights)&RIGHT_WRITE) != 0),                                           \
	    db_i(":may_publish", ((rights)&RIGHT_PUBLISH) != 0),                                   \
	    db_i(":may_manage", ((rights)&RIGHT_MANAGE) != 0)

void
membership_insert(struct ctx *c, struct membership *m)
{
	char *uuid = arena_alloc(c->arena, UUID_TEXT);

	uuid_random(uuid);
	m->uuid = uuid;
	m->created_at = c->now;
	db_run(c,
	    "INSERT INTO membership"
	    " (uuid, person_id, kind, place, account, may_write, may_publish,"
	    " may_manage, created_at, invited_name, invited_email, invited_by)"
	    " VALUES (:uuid, :person_id, :kind, :place, :account, :may_write,"
	    " :may_publish, :may_manage, :created_at, :invited_name, :invited_email, :invited_by)",
	    db_t(":uuid", m->uuid), db_i(":person_id", m->person_id), db_t(":kind", kinds[m->kind]),
	    db_t(":place", m->place), db_t(":account", m->account), RIGHTS_VALUES(m->rights),
	    db_i(":created_at", m->created_at), db_t(":invited_name", m->invited_name),
	    db_t(":invited_email", m->invited_email), db_t(":invited_by", m->invited_by));
	m->id = membership_find(c, m->person_id, m->place)->id;
}

void
membership_set(struct ctx *c, int64_t id, unsigned rights)
{
	const struct membership *before = membership_of(c, id);

	db_run(c,
	    "UPDATE membership SET may_write = :may_write, may_publish = :may_publish,"
	    " may_manage = :may_manage WHERE id = :id",
	    RIGHTS_VALUES(rights), db_i(":id", id));
	if ((rights & ~before->rights) != 0)
		link_end_resets(c, before->person_id);
}

void
membership_begin(struct ctx *c, int64_t id)
{
	db_run(c,
	    "UPDATE membership SET begun_at = :begun_at, ended_at = NULL"
	    " WHERE id = :id AND begun_at IS NULL",
	    db_i(":begun_at", c->now), db_i(":id", id));
	link_end_resets(c, membership_of(c, id)->person_id);
}

void
membership_begin_with(struct ctx *c, int64_t id)
{
	db_run(c,
	    "UPDATE membership SET begun_at = :begun_at"
	    " WHERE person_id = (SELECT person_id FROM membership WHERE id = :id)"
	    " AND account = (SELECT account FROM membership WHERE id = :id)"
	    " AND begun_at IS NULL AND ended_at IS NULL",
	    db_i(":begun_at", c->now), db_i(":id", id));
	link_end_resets(c, membership_of(c, id)->person_id);
}

void
membership_move(struct ctx *c, int64_t id, const char *email)
{
	if (email != NULL)
		db_run(c,
		    "UPDATE membership SET invited_email = :email, ended_at = NULL WHERE id = :id",
		    db_t(":email", email), db_i(":id", id));
	else
		db_run(c, "UPDATE membership SET ended_at = :now WHERE id = :id",
		    db_i(":now", c->now), db_i(":id", id));
}

void
membership_delete(struct ctx *c, int64_t id)
{
	db_run(c, "DELETE FROM link WHERE membership_id = :id", db_i(":id", id));
	db_run(c, "DELETE FROM membership WHERE id = :id", db_i(":id", id));
}
