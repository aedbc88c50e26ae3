#include "access/account.h"

#include <stddef.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "base/utf8.h"
#include "base/uuid.h"
#include "store/db.h"
#include "store/remote-store.h"

bool
lookup_is_many(struct stmt *q, const void *found)
{
	bool many = found != NULL && db_row(q);

	db_reset(q);
	return many;
}

#define COLUMNS                                                                                    \
	"id, uuid, name, verified, suspended, granted, available, reserved,"                       \
	" spent, created_at, asked_at, declined_at"

#define NAME_MAX_CHARS 200

static struct account *
from_row(struct ctx *c, struct stmt *q)
{
	struct account *a = arena_alloc(c->arena, sizeof(*a));

	a->id = db_int(q, 0);
	a->uuid = db_text(q, 1);
	a->name = db_text(q, 2);
	a->verified = db_int(q, 3) != 0;
	a->suspended = db_int(q, 4) != 0;
	a->granted = db_int(q, 5);
	a->available = db_int(q, 6);
	a->reserved = db_int(q, 7);
	a->spent = db_int(q, 8);
	a->created_at = db_int(q, 9);
	a->asked_at = db_int(q, 10);
	a->declined_at = db_int(q, 11);
	return a;
}

struct account *
account_find(struct ctx *c, const char *name_or_uuid, bool *many)
{
	char uuid[UUID_TEXT];
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM account /*scan*/ WHERE uuid = :uuid"
	    " OR (:uuid IS NULL AND name = :name) ORDER BY id LIMIT 2",
	    LOOKUP_VALUES(name_or_uuid, uuid));
	struct account *found = db_row(q) ? from_row(c, q) : NULL;

	*many = lookup_is_many(q, found);
	return *many ? NULL : found;
}

struct account *
account_find_uuid(struct ctx *c, const char *uuid)
{
	struct stmt *q = db_prepare(
	    c, "SELECT " COLUMNS " FROM account WHERE uuid = :uuid", db_t(":uuid", uuid));
	struct account *found = db_row(q) ? from_row(c, q) : NULL;

	db_reset(q);
	return found;
}

static struct stmt *
look_for(struct ctx *c, int64_t id)
{
	struct stmt *q =
	    db_prepare(c, "SELECT " COLUMNS " FROM account WHERE id = :id", db_i(":id", id));

	return q;
}

void
account_prefetch(struct ctx *c, int64_t id)
{
	prefetch(look_for(c, id));
}

struct account *
account_of(struct ctx *c, int64_t id)
{
	struct stmt *q = look_for(c, id);
	struct account *found;

	if (!db_row(q))
		die("account %lld is not there", (long long)id);
	found = from_row(c, q);
	db_reset(q);
	return found;
}

struct stmt *
account_list(struct ctx *c)
{
	return db_prepare(c, "SELECT " COLUMNS " FROM account /*scan*/ ORDER BY id");
}

struct stmt *
account_list_asking(struct ctx *c, int64_t limit)
{
	return db_prepare(c,
	    "SELECT " COLUMNS " FROM account /*scan*/ WHERE asked_at IS NOT NULL"
	    " ORDER BY id LIMIT :limit",
	    db_i(":limit", limit));
}

struct account *
account_next(struct ctx *c, struct stmt *q)
{
	return db_row(q) ? from_row(c, q) : NULL;
}

struct err *
account_insert(struct ctx *c, const char *name, bool verified, struct account **out)
{
	char uuid[UUID_TEXT];

	if (name[0] == '\0' || utf8_length(name) > NAME_MAX_CHARS ||
	    utf8_forbidden(name, true) != NULL)
		return err_param(c, "name",
		    tr_mark("An account's name has 1 to %d characters on one line."),
		    NAME_MAX_CHARS);
	if (!utf8_is_seen(name))
		return err_param(c, "name",
		    tr_mark("A name must have a visible character, and no invisible ones."));
	uuid_random(uuid);
	*out = account_of(c, db_insert(c,
				 "INSERT INTO account (uuid, name, verified, created_at)"
				 " VALUES (:uuid, :name, :verified, :now) RETURNING id",
				 db_t(":uuid", uuid), db_t(":name", name),
				 db_i(":verified", verified), db_i(":now", c->now)));
	return NULL;
}

void
account_update(struct ctx *c, const struct account *account)
{
	db_run(c,
	    "UPDATE account SET verified = :verified, suspended = :suspended,"
	    " asked_at = :asked_at, declined_at = :declined_at WHERE id = :id",
	    db_i(":verified", account->verified), db_i(":suspended", account->suspended),
	    db_i_or_null(":asked_at", account->asked_at),
	    db_i_or_null(":declined_at", account->declined_at), db_i(":id", account->id));
}
