#include "console/visitor.h"

#include <string.h>

#include "access/workspace.h"
#include "action/action.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "console/answer.h"
#include "console/request.h"
#include "people/throttle.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"

bool
visitor_place(struct ctx *c, struct visit *v, const struct matched *m)
{
	v->id = m->id;
	v->name = m->name;
	if (m->workspace == NULL && m->account == NULL)
		return true;
	db_begin_read(c, DB_CONTENT);
	if (m->workspace != NULL) {
		v->workspace = workspace_find_uuid(c, m->workspace);
		if (v->workspace != NULL) {
			v->account = account_of(c, v->workspace->account_id);
			say_begin(c, time_zone_of(c, v->workspace->id), clock_now());
		}
	} else {
		v->account = account_find_uuid(c, m->account);
	}
	db_rollback(c);
	return v->account != NULL;
}

static const char *
uuid_of_account(const struct visit *v)
{
	return v->account != NULL ? v->account->uuid : NULL;
}

static const char *
uuid_of_workspace(const struct visit *v)
{
	return v->workspace != NULL ? v->workspace->uuid : NULL;
}

static void
read_rights(struct ctx *c, struct visit *v)
{
	if (v->state == SESSION_GOOD)
		v->rights =
		    membership_rights(c, v->person->id, uuid_of_account(v), uuid_of_workspace(v));
}

/* ---- who asks */

/* Asks the store. */
static void
ask(struct ctx *c, struct visit *v, const char *token)
{
	v->state = SESSION_NONE;
	db_begin_read(c, DB_CONSOLE);
	if (token != NULL)
		v->state = session_check(c, token, &v->session, &v->person);
	read_rights(c, v);
	db_rollback(c);
}

/* Speaks the person's language, and counts the visit. */
static void
greet(struct ctx *c, struct visit *v)
{
	if (v->person != NULL)
		tr_begin(c, v->person->language);
	if (v->session != NULL)
		session_form_token(v->session, v->token);
	if (v->state == SESSION_GOOD && !v->by_script && console_query(c, v, "again") == NULL)
		console_used(c, v);
}

void
visitor_find(struct ctx *c, struct visit *v, const struct headers *h)
{
	const char *token = headers_cookie(c, h, v->place.cookie);

	v->device = headers_cookie(c, h, arena_printf(c->arena, "%s-device", v->place.cookie));
	ask(c, v, token);
	greet(c, v);
}

void
console_used(struct ctx *c, const struct visit *v)
{
	session_used(c, v->session);
	throttle_note(c, v->r->address, v->session->person_id);
}

void
visitor_rights(struct ctx *c, struct visit *v)
{
	db_begin_read(c, DB_CONSOLE);
	read_rights(c, v);
	db_rollback(c);
}

struct err *
console_article(struct ctx *c, const struct visit *v, struct article **out)
{
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_article_id(c, v->id, out);
	if (err == NULL && (*out)->workspace_id != v->workspace->id)
		err = err_hint(c, refuse(c, ERR_NOT_FOUND, tr_mark("There is no such article.")),
		    HINT_ARTICLES, NULL);
	db_rollback(c);
	return err;
}

/* A suspended account has reading and export only (docs/console.md §2.4). */
bool
console_rests(const struct visit *v)
{
	return v->account != NULL && v->account->suspended;
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

bool
console_may(const struct visit *v, enum right right)
{
	if ((right & ~(unsigned)(RIGHT_READ | RIGHT_OPERATE)) != 0 && console_rests(v))
		return false;
	return (v->rights & right) == right;
}

/* A visit of the account as it is in the present transaction. */
static struct err *
check_suspended(struct ctx *c, struct visit *v, const struct account *a)
{
	v->rests = a != NULL && a->suspended && strcmp(v->r->method, "POST") == 0 &&
		   (v->row->need & RIGHT_OPERATE) == 0;
	return v->rests ? refuse(c, ERR_FORBIDDEN, "%s", tr(console_suspended)) : NULL;
}

struct err *
visitor_suspended(struct ctx *c, struct visit *v)
{
	return check_suspended(c, v, v->account);
}

struct err *
console_need(struct ctx *c, struct visit *v, enum right right)
{
	v->needs |= right;
	if ((v->rights & right) == right)
		return NULL;
	return refuse(c, ERR_FORBIDDEN,
	    tr_mark("Your role here does not allow this. Ask somebody who manages this place."));
}

/* Returns whether these rights are enough for a row. */
static bool
is_enough(const struct visit *v, unsigned rights)
{
	unsigned need = v->row->need | v->needs | RIGHT_READ, any = v->row->any;

	return (rights & need) == need && (any == 0 || (rights & any) != 0);
}

struct err *
visitor_right(struct ctx *c, const struct visit *v)
{
	if (v->row->access == SCREEN_ANYBODY)
		return NULL;
	if (v->rights == 0)
		return refuse(c, ERR_NOT_FOUND, tr_mark("There is no such page."));
	if (is_enough(v, v->rights))
		return NULL;
	return refuse(c, ERR_FORBIDDEN,
	    tr_mark("Your role here does not allow this. Ask somebody who manages this place."));
}

/* ---- again, under the lock */

/* Looks again whether the session lives and the person may do this. */
static struct err *
check_again(struct ctx *c, void *arg)
{
	struct visit *v = arg;
	struct person *p = person_of(c, v->person->id);
	unsigned rights;

	if (p == NULL || p->disabled_at != 0 || !session_is_live(c, v->session))
		return refuse(c, ERR_UNAUTHORIZED,
		    tr_mark("Your session has ended, so nothing was done. Sign in again."));
	if (v->row->access != SCREEN_MEMBERS)
		return NULL;
	rights = membership_rights(c, p->id, uuid_of_account(v), uuid_of_workspace(v));
	return is_enough(v, rights)
		   ? NULL
		   : refuse(c, ERR_FORBIDDEN,
			 tr_mark("Your role here was changed meanwhile, so nothing was done."));
}

/* Looks again whether the account is suspended: that may have happened while the request
 * waited. What is read here may end with a slice of a work, so the visit does not keep it. */
static struct err *
check_suspended_again(struct ctx *c, struct visit *v)
{
	return check_suspended(
	    c, v, v->account != NULL ? account_find_uuid(c, v->account->uuid) : NULL);
}

struct err *
visitor_again(struct ctx *c, struct visit *v)
{
	struct err *err = db_present(c) == DB_CONSOLE ? check_again(c, v)
						      : db_aside(c, DB_CONSOLE, check_again, v);

	if (err == NULL && db_present(c) == DB_CONTENT)
		err = check_suspended_again(c, v);
	return err;
}
