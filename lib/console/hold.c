#include "console/hold.h"

#include "action/person/signing.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "console/life.h"
#include "console/page.h"
#include "console/rows.h"
#include "console/sent.h"
#include "console/stepup.h"
#include "console/visitor.h"
#include "screen/tr.h"
#include "store/db.h"

static bool
keep(struct ctx *c, const struct visit *v)
{
	struct gate *gate = c->gate;
	struct buf fields;
	bool kept;

	if (v->row == NULL || !v->row->holds || v->session == NULL || v->sent.count == 0 ||
	    stepup_is_answer(v))
		return false;
	sent_write(c, v, &fields);
	/* It is no change of the form's own. */
	c->gate = NULL;
	kept = held_keep(c, v->session, v->state, v->path, fields.data, fields.len);
	c->gate = gate;
	return kept;
}

bool
hold_keep(struct ctx *c, const struct visit *v, struct reply *reply)
{
	bool kept = keep(c, v);

	if (kept)
		life_held(c, v, reply);
	return kept;
}

bool
hold_resting(struct ctx *c, const struct visit *v, struct reply *reply, const struct err *err)
{
	bool kept = keep(c, v);

	if (kept)
		life_resting(c, v, reply, err);
	return kept;
}

bool
console_rests_at(struct ctx *c, const struct visit *v, const char *path)
{
	struct visit sent = *v;
	const char *allow;
	struct matched m;

	sent.path = path;
	return rows_find(c, &sent, &m, &allow) && visitor_place(c, &sent, &m) &&
	       console_rests(&sent);
}

struct err *
hold_again(struct ctx *c, struct visit *v, const char **uuid)
{
	const char *allow = NULL;
	struct matched m;
	struct held held;
	struct err *err;
	bool found;

	db_begin_read(c, DB_CONSOLE);
	found = held_find(c, v->person->id, v->id, &held);
	db_rollback(c);
	if (!found)
		return refuse(c, ERR_NOT_FOUND, "%s",
		    tr("This is not kept any more: it was sent, discarded or older than a day."));
	*uuid = v->id;
	v->path = held.target;
	console_put_back(c, v, held.bytes, held.len);
	if (!rows_find(c, v, &m, &allow) || !visitor_place(c, v, &m))
		return rows_refuse(c, allow);
	visitor_rights(c, v);
	err = visitor_right(c, v);
	sent_number(c, v);
	return err;
}

void
hold_done(struct ctx *c, const struct visit *v, const char *uuid)
{
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	held_delete(c, v->person->id, uuid);
	db_commit(c);
}
