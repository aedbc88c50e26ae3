#include "console/console.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>


#include "action/find.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/fileio.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "base/percent.h"
#include "console/head.h"
#include "console/headers.h"
#include "console/life.h"
#include "console/rows.h"
#include "console/stepup.h"
#include "people/secret.h"
#include "people/throttle.h"
#include "screen/style.h"
#include "store/db.h"
#include "system/conf.h"
#include "system/harden.h"
#include "system/instance.h"
#include "web/serve-life.h"
#include "web/serve.h"
#include "web/service.h"

#define BODY_MAX ((size_t)8 * 1024 * 1024)
/* A browser that cannot send its whole form shows no answer. On shared hosting nothing
 * but this bounds a form. */
#define DRAIN_MAX ((size_t)64 * 1024 * 1024)
#define UPLOAD_S 300 /* seconds */
#define TABLES_MAX ((size_t)64 * 1024)

/* ---- who and where */

/* Reads the workspace and account of the path. What is not there is as what nobody may
 * see: 404. */
static struct err *
find_place(struct ctx *c, struct visit *v, const struct matched *m)
{
	struct err *gone = refuse(c, ERR_NOT_FOUND, "There is no such page.");
	bool many;

	v->id = m->id;
	v->name = m->name;
	if (m->workspace == NULL && m->account == NULL)
		return NULL;
	db_begin_read(c, DB_CONTENT);
	if (m->workspace != NULL) {
		v->workspace = workspace_find(c, m->workspace, &many);
		if (v->workspace != NULL)
			v->account = account_of(c, v->workspace->account_id);
	} else {
		v->account = account_find(c, m->account, &many);
	}
	db_rollback(c);
	return v->account != NULL ? NULL : gone;
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

/* Finds who asks, and what they may do here. */
static void
find_visitor(struct ctx *c, struct visit *v, const struct headers *h)
{
	const char *token = headers_cookie(c, h, v->place.cookie);

	v->state = SESSION_NONE;
	v->device = headers_cookie(c, h,
	    arena_printf(c->arena, "%s-device", v->place.cookie));
	db_begin_read(c, DB_CONSOLE);
	if (token != NULL)
		v->state = session_check(c, token, &v->session, &v->person);
	if (v->state == SESSION_GOOD)
		v->rights = membership_rights(c, v->person->id,
		    uuid_of_account(v), uuid_of_workspace(v));
	db_rollback(c);
	if (v->session != NULL)
		session_form_token(v->session, v->token);
	if (v->state != SESSION_GOOD || console_query(c, v, "again") != NULL)
		return;
	session_used(c, v->session);
	throttle_note(c, v->r->address);
}

struct err *
console_article(struct ctx *c, const struct visit *v, struct article **out)
{
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_article_id(c, v->id, out);
	if (err == NULL && (*out)->workspace_id != v->workspace->id)
		err = refuse(c, ERR_NOT_FOUND, "There is no such article.");
	db_rollback(c);
	return err;
}

bool
console_may(const struct visit *v, enum right right)
{
	return (v->rights & right) == right;
}

/* A suspended account has reading and export only (docs/console.md §2.4). */
static struct err *
check_suspended(struct ctx *c, const struct visit *v)
{
	if (v->account == NULL || !v->account->suspended ||
	    strcmp(v->r->method, "POST") != 0 || (v->row->need & RIGHT_OPERATE) != 0)
		return NULL;
	return refuse(c, ERR_FORBIDDEN,
	    "This account is suspended: it can be read and exported, and nothing can be"
	    " changed. Ask the operator.");
}

struct err *
console_need(struct ctx *c, struct visit *v, enum right right)
{
	v->needs |= right;
	if (console_may(v, right))
		return NULL;
	return refuse(c, ERR_FORBIDDEN,
	    "Your role here does not allow this. Ask somebody who manages this place.");
}

/* Refuses who is signed in and may not do this: 404 in a place that they do not know of. */
static struct err *
check_right(struct ctx *c, const struct visit *v)
{
	unsigned need = v->row->need | RIGHT_READ;

	if (v->row->access == SCREEN_ANYBODY)
		return NULL;
	if (v->rights == 0)
		return refuse(c, ERR_NOT_FOUND, "There is no such page.");
	if ((v->rights & need) == need)
		return check_suspended(c, v);
	return refuse(c, ERR_FORBIDDEN,
	    "Your role here does not allow this. Ask somebody who manages this place.");
}

/* ---- what was sent */

/* A change comes from a page of this console (docs/console.md §3.6). */
static struct err *
check_origin(struct ctx *c, const struct visit *v, const struct headers *h)
{
	if (h->fetch_site != NULL && strcmp(h->fetch_site, "same-origin") != 0)
		return refuse(c, ERR_FORBIDDEN,
		    "This form came from another site, so nothing was done.");
	if (h->origin == NULL || strcasecmp(h->origin, v->place.origin) != 0)
		return refuse(c, ERR_FORBIDDEN,
		    "This form did not come from a page of %s, so nothing was done.",
		    v->place.origin);
	return NULL;
}

static struct err *
check_token(struct ctx *c, const struct visit *v)
{
	const char *sent = console_sent(v, "token");

	if (v->row->access == SCREEN_PUBLIC)
		return NULL;
	if (sent != NULL && strlen(sent) == strlen(v->token) &&
	    digest_compare(sent, v->token, strlen(v->token)) == 0)
		return NULL;
	return refuse(c, ERR_FORBIDDEN,
	    "This form belongs to another session. Open the page again; nothing was"
	    " done.");
}

/* Computes what makes two sendings of a form the same. */
static void
digest_sent(struct visit *v)
{
	struct digest d;

	digest_begin(&d, DIGEST_SIZE, "galley form 1");
	for (size_t i = 0; i < v->sent.count; i++) {
		const struct form_value *value = &v->sent.values[i];
		if (strcmp(value->name, "token") == 0 ||
		    strcmp(value->name, "number") == 0)
			continue;
		digest_text(&d, value->name);
		digest_bytes(&d, value->text, value->len);
	}
	digest_int(&d, (int64_t)v->sent.count);
	for (size_t i = 0; i < v->sent.file_count; i++) {
		digest_text(&d, v->sent.files[i].name);
		digest_bytes(&d, v->sent.files[i].text, v->sent.files[i].len);
	}
	digest_end(&d, v->number.digest);
}

static void
take_number(struct ctx *c, struct visit *v)
{
	v->number.number = console_sent(v, "number");
	v->number.person = v->person != NULL ? v->person->uuid : "";
	v->number.route = v->path;
	digest_sent(v);
	v->number_state = formnumber_check(c, &v->number);
}

static struct err *
read_sent(struct ctx *c, struct visit *v, const struct headers *h)
{
	char *body;
	size_t len;
	struct err *err = req_bytes(c, v->r, BODY_MAX, &body, &len);

	harden_life(0);
	if (err == NULL)
		err = multipart_read(c, h->content_type, body, len, &v->sent);
	if (err != NULL)
		return err;
	take_number(c, v);
	return NULL;
}

/* ---- the gate */

/* Looks again whether the session lives and the person may do this. */
static struct err *
check_again(struct ctx *c, void *arg)
{
	struct visit *v = arg;
	struct person *p = person_of(c, v->person->id);
	unsigned need = v->row->need | v->needs | RIGHT_READ, rights;

	if (p == NULL || p->disabled_at != 0 ||
	    !session_is_live(c, v->session))
		return refuse(c, ERR_UNAUTHORIZED,
		    "Your session has ended, so nothing was done. Sign in again.");
	if (v->row->access != SCREEN_MEMBERS)
		return NULL;
	rights = membership_rights(c, p->id, uuid_of_account(v),
	    uuid_of_workspace(v));
	return (rights & need) == need ? NULL : refuse(c, ERR_FORBIDDEN,
	    "Your role here was changed meanwhile, so nothing was done.");
}

/* Looks again whether the account is suspended: that may have happened while the request
 * waited. What is read here may end with a slice of a work, so the visit does not keep it. */
static struct err *
check_suspended_again(struct ctx *c, const struct visit *v)
{
	struct visit now = *v;
	bool many;

	if (v->account != NULL)
		now.account = account_find(c, v->account->uuid, &many);
	return check_suspended(c, &now);
}

/* Passes a change: who asks, and that this form was not executed before. What is public
 * passes with the action's own rules alone. */
static struct err *
enter(struct ctx *c, struct gate *gate)
{
	struct visit *v = (struct visit *)(void *)gate;
	const char *answer = NULL;
	struct err *err;

	if (v->row->access == SCREEN_PUBLIC)
		return NULL;
	if (v->number_state != FORMNUMBER_GOOD && !v->row->unnumbered)
		return refuse(c, ERR_CONFLICT,
		    "This form is older than a day, or belongs to another page, so"
		    " nothing was done. Open the page again.");
	err = db_present(c) == DB_CONSOLE ? check_again(c, v)
				 : db_aside(c, DB_CONSOLE, check_again, v);
	if (err == NULL && db_present(c) == DB_CONTENT)
		err = check_suspended_again(c, v);
	if (err != NULL || v->row->unnumbered)
		return err;
	switch (formnumber_spend(c, &v->number, v->answer, &answer)) {
	case FORMNUMBER_FRESH:
		v->spent = true;
		return NULL;
	case FORMNUMBER_SAME:
		if (v->spent)
			return NULL;
		v->repeated = true;
		v->answer = answer;
		return refuse(c, ERR_CONFLICT, "This form was sent before.");
	case FORMNUMBER_OTHER:
		/* Another text for an article is saved against its base (§3.7). */
		if (v->row->editor && v->id != NULL)
			return NULL;
		break;
	}
	return refuse(c, ERR_CONFLICT,
	    "This form was sent before with another content. Look at it, and send it"
	    " again.");
}

/* ---- the order of things */

/* Answers what needs neither session nor database. */
static bool
answer_asset(const struct visit *v, struct reply *reply)
{
	const char *name = v->path;

	if (strncmp(name, "/assets/", 8) != 0 ||
	    (strcmp(v->r->method, "GET") != 0 && strcmp(v->r->method, "HEAD") != 0))
		return false;
	reply->bytes = style_find(name + 8, &reply->bytes_len);
	if (reply->bytes == NULL)
		return false;
	reply->type = strstr(name, ".css") != NULL ? "text/css; charset=utf-8"
						   : "text/javascript; charset=utf-8";
	reply_header(reply, "Cache-Control", "public, max-age=31536000, immutable");
	head_add(reply, NULL);
	return true;
}

/* The console answers at one address (docs/console.md §3.6). */
static struct err *
check_place(struct ctx *c, const struct visit *v, const struct headers *h,
    struct reply *reply, bool *moved)
{
	*moved = false;
	if (v->place.origin[0] == '\0')
		return refuse(c, ERR_UNAVAILABLE,
		    "The address of this instance is not set yet: the operator says"
		    " galley config set public_url=https://…");
	if (place_is_here(c, &v->place, h->host, v->r->https))
		return NULL;
	if (strcmp(v->r->method, "POST") == 0)
		return refuse(c, ERR_FORBIDDEN,
		    "The console is at %s%s/; nothing was done here.",
		    v->place.origin, v->place.root);
	head_go(reply, 308, arena_printf(c->arena, "%s%s%s%s%s",
	    v->place.origin, v->place.root, percent_encode_path(c->arena, v->path),
	    v->query[0] != '\0' ? "?" : "", v->query));
	*moved = true;
	return NULL;
}

/* Asks who it is where that is needed, and takes the answer. *go_on: the handler runs. */
static struct err *
step_up(struct ctx *c, struct visit *v, struct reply *reply, bool *go_on)
{
	struct err *err;

	*go_on = true;
	if (v->row->access == SCREEN_PUBLIC)
		return NULL;
	if (stepup_is_answer(v)) {
		err = stepup_answer(c, v, reply, go_on);
		if (*go_on)
			take_number(c, v);
		return err;
	}
	if (v->row->step_up)
		*go_on = console_step_up(c, v, reply);
	return NULL;
}

static struct err *
run_post(struct ctx *c, struct visit *v, const struct headers *h,
    struct reply *reply)
{
	struct err *err = check_origin(c, v, h);
	bool go_on = false;

	if (err == NULL && !multipart_is(h->content_type)) {
		life_refuse(c, v, reply, err_param(c, "Content-Type",
		    "A form is sent as multipart/form-data, so nothing was done. Open the"
		    " page again."));
		reply->status = 415;
		return NULL;
	}
	if (err == NULL)
		err = read_sent(c, v, h);
	if (err == NULL)
		err = check_token(c, v);
	if (err == NULL)
		err = step_up(c, v, reply, &go_on);
	if (err != NULL || !go_on)
		return err;
	v->gate.enter = enter;
	c->gate = &v->gate;
	err = v->row->handler(c, v, reply);
	c->gate = NULL;
	/* The form comes back filled, with a new number (docs/console.md §3.7). */
	if (err == NULL && reply->status == 422 && v->number_state != FORMNUMBER_GOOD &&
	    v->row->access != SCREEN_PUBLIC)
		reply->status = 409;
	if (!v->repeated)
		return err;
	if (v->answer[0] != '\0')
		head_go(reply, 303, arena_printf(c->arena, "%s%s",
		    v->place.root, v->answer));
	else
		life_shown_before(c, v, reply);
	return NULL;
}

static struct err *
run(struct ctx *c, struct visit *v, const struct headers *h, struct reply *reply)
{
	const char *allow = "";
	struct matched m;
	struct err *err;
	bool moved;

	if (answer_asset(v, reply))
		return NULL;
	err = check_place(c, v, h, reply, &moved);
	if (err != NULL || moved)
		return err;
	if (!secret_exists(c))
		return refuse(c, ERR_UNAVAILABLE,
		    "The console is not set up yet: the operator says galley migrate.");
	serve_learn_boot();
	if (!c->lasting)
		v->service->confine(c, false);
	db_open(c, DB_WAIT_WRITE_MS);
	err = rows_find(c, v, &m, &allow);
	if (err == NULL)
		err = find_place(c, v, &m);
	if (err != NULL && v->row != NULL && m.workspace != NULL &&
	    rows_find_account(c, v, &m))
		err = find_place(c, v, &m);
	find_visitor(c, v, h);
	if (v->state != SESSION_GOOD &&
	    (v->row == NULL || v->row->access != SCREEN_PUBLIC)) {
		life_sign_in(c, v, reply);
		return NULL;
	}
	if (err == NULL && v->row->access == SCREEN_MEMBERS)
		err = check_right(c, v);
	if (err != NULL) {
		life_refuse(c, v, reply, err);
		if (err->code == ERR_METHOD)
			reply_header(reply, "Allow", "%s", allow);
		return NULL;
	}
	if (strcmp(v->row->method, "POST") == 0)
		return run_post(c, v, h, reply);
	return v->row->handler(c, v, reply);
}

static struct err *
answer(struct ctx *c, const struct service *service, struct req *r,
    struct reply *reply)
{
	struct visit *v = arena_alloc(c->arena, sizeof(*v));
	struct headers h;
	struct err *err;

	headers_read(r->exchange, &h);
	place_read(c, &v->place);
	v->service = service;
	v->r = r;
	v->query = r->query;
	v->path = r->path;
	v->browser = h.user_agent != NULL ? h.user_agent : "";
	v->answer = "";
	if (r->path[0] == '\0') {
		head_go(reply, 308, arena_printf(c->arena, "%s/", v->place.root));
		return NULL;
	}
	err = run(c, v, &h, reply);
	db_rollback(c);
	if (err != NULL && err->code == ERR_UNAUTHORIZED) {
		life_sign_in(c, v, reply);
		return NULL;
	}
	if (err != NULL)
		life_refuse(c, v, reply, err);
	/* However the form ended: the session has only this token now. */
	if (v->renewed[0] != '\0')
		console_cookie(c, v, reply, "", v->renewed,
		    v->session->trusted ? SESSION_TRUSTED_DAYS : 0);
	return NULL;
}

/* ---- the program */

static void
confine(struct ctx *c, bool fcgi)
{
	const struct harden_path paths[] = {
		{ fileio_folder(c->arena, c->instance->db), true },
		{ c->instance->run, true },
		{ c->instance->log, true },
		{ fileio_path(c->arena, c->instance->home, "people"), true },
		{ c->instance->media, true },
		{ c->instance->home, false },
	};

	harden_limit(fcgi ? HARDEN_CONSOLE_FCGI : HARDEN_CONSOLE);
	(void)harden_confine(paths, sizeof(paths) / sizeof(paths[0]));
}

/* Before a visit is known there is only the plain page. */
static void
refuse_plainly(struct ctx *c, const struct req *r, struct reply *reply,
    const struct err *err)
{
	(void)r;
	life_refuse(c, NULL, reply, err);
}

/* Prints the screens, for the tests that look for each of them. */
static void
tables(struct ctx *c, const struct service *service)
{
	struct jwrite w;
	struct buf out;

	(void)service;
	buf_init(&out, c->arena, TABLES_MAX);
	jwrite_init(&w, &out);
	jwrite_array(&w);
	for (size_t i = 0; console_screens[i] != NULL; i++) {
		for (const struct console_row *row = console_screens[i];
		     row->method != NULL; row++) {
			jwrite_object(&w);
			jwrite_member_text(&w, "method", row->method);
			jwrite_member_text(&w, "path", row->pattern);
			jwrite_member_text(&w, "title", row->title);
			jwrite_member_int(&w, "access", row->access);
			jwrite_member_int(&w, "need", row->need);
			jwrite_member_bool(&w, "step_up", row->step_up);
			jwrite_object_end(&w);
		}
	}
	jwrite_array_end(&w);
	exit(puts(buf_done(&out)) < 0 || fflush(stdout) != 0);
}

int
console_main(int argc, char **argv)
{
	const struct service service = {
		.program = "console",
		.base = "",
		.body_max = BODY_MAX,
		.drain_max = DRAIN_MAX,
		.upload_s = UPLOAD_S,
		.answer = answer,
		.refuse = refuse_plainly,
		.confine = confine,
		.tables = tables,
		.passing = "The console cannot answer right now. If you sent a form, it is"
			   " not known whether it was done: go back and send it again; it"
			   " is done once.",
		.failed = "The console failed; the operator finds the cause in the log under"
			  " the number below.",
	};

	return serve_service(argc, argv, &service);
}
