#include "action/person/where.h"

#include <stddef.h>

#include "access/account.h"
#include "access/workspace.h"
#include "action/action.h"
#include "base/ctx.h"
#include "store/db.h"

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
	struct err *err;

	if (s->where->kind == MEMBERSHIP_ACCOUNT) {
		err = find_account(c, s->where->name, &a);
		if (err == NULL)
			*s->found =
			    (struct where_found) { MEMBERSHIP_ACCOUNT, a->uuid, a->uuid, a->name };
		return err;
	}
	err = find_workspace(c, &place, &w);
	if (err == NULL)
		*s->found = (struct where_found) { MEMBERSHIP_WORKSPACE, w->uuid,
			account_of(c, w->account_id)->uuid, w->settings.name };
	return err;
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
			"%s is no role: it is writer, reviewer, editor or owner, and operator for the instance."),
		    role);
	operates = (*out & RIGHT_OPERATE) != 0;
	if (kind == MEMBERSHIP_INSTANCE ? *out != RIGHT_ALL : operates)
		return err_param(c, "role",
		    tr_mark(
			"An operator is one of the whole instance, and an account or a workspace has writer, reviewer, editor and owner."));
	return NULL;
}
