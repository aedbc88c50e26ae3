#include <string.h>
#include <strings.h>

#include "access/address-limit.h"
#include "access/day-key.h"
#include "access/sites.h"
#include "article/text-room.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/encoding.h"
#include "base/fileio.h"
#include "base/log.h"
#include "console/answer.h"
#include "console/page.h"
#include "console/refusal.h"
#include "console/request.h"
#include "console/sent.h"
#include "people/secret.h"
#include "screen/assets.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "stats/stats.h"
#include "store/db.h"
#include "store/hosts.h"
#include "system/conf.h"
#include "system/harden.h"
#include "system/instance.h"
#include "system/zone.h"
#include "web/serve.h"
#include "web/service.h"

/* ---- what answers while the stores are not of the program's release (docs/console.md §2.7) */

#define RETRY_S 10

/* Returns whether the page Start was asked for. */
static bool
ready_is_start(const struct visit *v)
{
	return strcmp(v->path, "/start") == 0;
}

/* Sets v->lacks where the stores are older than the program. Refuses then what is not the page
 * Start (503, to be asked again after 10 s), and everything where they are newer. The content
 * must be open. */
static struct err *
ready_check(struct ctx *c, struct visit *v)
{
	enum db_release release = db_release(c);
	struct err *err;

	/* No transaction takes the time. */
	c->now = clock_now();
	if (release == DB_RELEASE_SAME)
		return NULL;
	if (release == DB_RELEASE_OLDER && v->lacks == VISIT_LACKS_NOTHING)
		v->lacks = VISIT_LACKS_MIGRATION;
	if (release == DB_RELEASE_OLDER && ready_is_start(v))
		return NULL;
	if (release == DB_RELEASE_OLDER)
		err = refuse(c, ERR_UNAVAILABLE,
		    tr("A new release is being installed: its database is not ready yet. The owner of this instance finishes that at %s/start, or on the host."),
		    v->place.root);
	else if (release == DB_RELEASE_MOVED)
		err = refuse(c, ERR_UNAVAILABLE, "%s",
		    tr("This instance is being moved, or has moved. Ask its owner for its address."));
	else
		err = refuse(c, ERR_UNAVAILABLE, "%s",
		    tr("The database is of a newer release than this program. The owner of this instance must upload the whole newer release."));
	err->retry_after_s = RETRY_S;
	return err;
}

/* ---- whether a form may do what it asks for */

/* Refuses a form that is not from a page of this console (docs/console.md §3.6). */
static struct err *
check_origin(struct ctx *c, const struct visit *v, const struct headers *h)
{
	if (h->fetch_site != NULL && strcmp(h->fetch_site, "same-origin") != 0)
		return refuse(c, ERR_FORBIDDEN,
		    tr_mark("This form came from another site, so nothing was done."));
	if (h->origin == NULL || strcasecmp(h->origin, v->place.origin) != 0)
		return refuse(c, ERR_FORBIDDEN,
		    tr_mark("This form did not come from a page of %s, so nothing was done."),
		    v->place.origin);
	return NULL;
}

/* Refuses a form of another session. */
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
	    tr_mark(
		"This form belongs to another session. Open the page again; nothing was done."));
}

/* Counts a form of somebody who is signed in. Refuses more than console_forms_per_minute, and sets
 * v->often then. */
static struct err *
check_often(struct ctx *c, struct visit *v)
{
	struct address_limit limit = {
		.file = ADDRESS_LIMIT_FORMS, .now = clock_now(), .no_proxy = true
	};
	struct console_conf conf;
	struct err *err;
	int retry_s;

	if (v->row->access == SCREEN_PUBLIC ||
	    (v->row->unnumbered && v->row->script != SCREEN_EDITS))
		return NULL;
	console_conf_read(c, &conf);
	limit.per_minute = conf.forms_per_minute;
	limit.person = v->person->uuid;
	if (address_limit_take(c, &limit, &retry_s))
		return NULL;
	v->often = true;
	err = refuse(c, ERR_RATE_LIMITED,
	    tr_mark(
		"You sent more than %lld forms in a minute, so nothing was done with this one. Wait a moment and send it again."),
	    (long long)limit.per_minute);
	err->retry_after_s = retry_s;
	return err;
}

static bool
is_in(struct ctx *c, struct visit *v, enum db_store store)
{
	bool found;

	db_begin_read(c, store);
	found = formnumber_find(c, &v->number, &v->answer);
	db_rollback(c);
	return found;
}

/* Returns whether this very form was sent before and was done; v->answer is its first answer
 * then. A form that is not done yet is not known: the gate asks again, under the lock. */
static bool
was_sent(struct ctx *c, struct visit *v)
{
	/* The script is told what is saved now: a save of what is saved changes nothing. */
	if (v->row->access == SCREEN_PUBLIC || v->row->unnumbered || v->by_script ||
	    v->number_state != FORMNUMBER_GOOD)
		return false;
	v->repeated = is_in(c, v, DB_CONTENT) || is_in(c, v, DB_CONSOLE);
	return v->repeated;
}

/* ---- the gate */

/* Passes a change: who asks, and that this form was not executed before. What is public
 * passes with the action's own rules alone. It is the gate of a visit. */
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
		    tr_mark(
			"This form is older than a day, or belongs to another page, so nothing was done. Open the page again."));
	err = visitor_again(c, v);
	if (err != NULL || v->row->unnumbered)
		return err;
	switch (formnumber_spend(c, &v->number, v->answer, &answer)) {
	case FORMNUMBER_FRESH:
		v->spent = true;
		return NULL;
	case FORMNUMBER_SAME:
		if (v->spent)
			return NULL;
		/* A save of what is saved changes nothing (§5.4); a new article is made once. */
		if (v->by_script && !(v->row->editor && v->id == NULL))
			return NULL;
		v->repeated = true;
		v->answer = answer;
		return refuse(c, ERR_CONFLICT, tr_mark("This form was sent before."));
	case FORMNUMBER_OTHER:
		/* Another text for an article is saved against its base (§3.7). */
		if (v->row->editor && v->id != NULL)
			return NULL;
		break;
	}
	return refuse(c, ERR_CONFLICT,
	    tr_mark(
		"This form was sent before with another content. Look at it, and send it again."));
}

/* Records the answer of a change that knows it only now: console_will_tell(). */
static void
leave(struct ctx *c, struct gate *gate)
{
	struct visit *v = (struct visit *)(void *)gate;
	const char *answer;

	if (v->tell == NULL || !v->spent)
		return;
	answer = v->tell(c, v->tell_arg);
	if (strcmp(answer, v->answer) != 0)
		formnumber_answer(c, &v->number, answer);
}

/* ---- the order of things */

/* Answers what needs neither session nor database. */
static bool
answer_asset(const struct visit *v, struct reply *reply)
{
	const char *name = v->path;
	bool framed;

	if (strncmp(name, "/assets/", 8) != 0 ||
	    (strcmp(v->r->method, "GET") != 0 && strcmp(v->r->method, "HEAD") != 0))
		return false;
	reply->bytes = style_find(name + 8, &reply->bytes_len);
	if (reply->bytes == NULL)
		reply->bytes = icon_find(name + 8, &reply->bytes_len);
	framed = reply->bytes == NULL;
	if (framed)
		reply->bytes = article_page_style_find(name + 8, &reply->bytes_len);
	if (reply->bytes == NULL)
		return false;
	reply->type = strstr(name, ".css") != NULL   ? "text/css; charset=utf-8"
		      : strstr(name, ".svg") != NULL ? ICON_TYPE
						     : "text/javascript; charset=utf-8";
	/* Some proxies take the request's Accept-Encoding away; every browser reads this. */
	if (memcmp(reply->bytes, "\x1f\x8b", 2) == 0)
		reply_header(reply, "Content-Encoding", "gzip");
	head_add_asset(reply, framed);
	return true;
}

/* While no address is set, Start answers where it is asked, and nothing else does. */
static struct err *
check_start(struct ctx *c, const struct visit *v)
{
	if (!ready_is_start(v))
		return refuse(c, ERR_UNAVAILABLE,
		    tr("The address of this instance is not set yet. Its owner sets it at %s/start, or on the host: public_url in galley.conf."),
		    v->place.root);
	if (v->place.origin[0] == '\0')
		return refuse(c, ERR_INVALID, "%s",
		    tr("This request does not name an address that the instance can have. Open the page by the host's name."));
	return NULL;
}

/* The console answers at one address (docs/console.md §3.6). */
static struct err *
check_place(
    struct ctx *c, const struct visit *v, const struct headers *h, struct reply *reply, bool *moved)
{
	*moved = false;
	if (v->lacks == VISIT_LACKS_ADDRESS)
		return check_start(c, v);
	if (place_is_here(c, &v->place, h->host, v->r->https))
		return NULL;
	if (strcmp(v->r->method, "POST") == 0)
		return refuse(c, ERR_FORBIDDEN,
		    tr_mark("The console is at %s%s/; nothing was done here."), v->place.origin,
		    v->place.root);
	head_go(reply, 308,
	    arena_printf(c->arena, "%s%s%s%s%s", v->place.origin, v->place.root,
		percent_encode_path(c->arena, v->path), v->query[0] != '\0' ? "?" : "", v->query));
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
			sent_number(c, v);
		return err;
	}
	if (v->row->step_up)
		*go_on = console_step_up(c, v, reply);
	return NULL;
}

static struct err *
answer_row(struct ctx *c, struct visit *v, struct reply *reply)
{
	return v->row->handler != NULL ? v->row->handler(c, v, reply) : page_run(c, v, reply);
}

static struct err *
run_handler(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct text_room room;
	struct err *err;

	if (v->account != NULL)
		text_room_begin(c, v->account->id, v->account->uuid, &room);
	v->gate.enter = enter;
	v->gate.leave = leave;
	c->gate = &v->gate;
	err = answer_row(c, v, reply);
	c->gate = NULL;
	text_room_end(c);
	return err;
}

/* *again: what was kept and is sent again, or NULL. */
static struct err *
take_post(struct ctx *c, struct visit *v, const struct headers *h, struct reply *reply,
    const char **again)
{
	struct err *err = check_origin(c, v, h);
	bool go_on = false;

	if (err == NULL && !multipart_is(h->content_type)) {
		refusal_write(c, v, reply,
		    err_param(c, "Content-Type",
			tr_mark(
			    "A form is sent as multipart/form-data, so nothing was done. Open the page again.")));
		reply->status = 415;
		return NULL;
	}
	if (err == NULL)
		err = sent_read(c, v, h);
	if (err == NULL)
		err = check_token(c, v);
	if (err == NULL)
		err = check_often(c, v);
	if (err == NULL && v->row->sends_again && console_sent(v, "again") != NULL)
		err = hold_again(c, v, again);
	if (err == NULL && v->row->access == SCREEN_MEMBERS)
		err = visitor_suspended(c, v);
	if (err == NULL)
		err = step_up(c, v, reply, &go_on);
	if (err != NULL || !go_on)
		return err;
	if (!was_sent(c, v))
		err = run_handler(c, v, reply);
	if (*again != NULL && (v->repeated || (err == NULL && reply->status == 303)))
		hold_done(c, v, *again);
	/* The form comes back filled, with a new number (docs/console.md §3.7). */
	if (err == NULL && reply->status == 422 && v->number_state != FORMNUMBER_GOOD &&
	    v->row->access != SCREEN_PUBLIC && !v->row->unnumbered)
		reply->status = 409;
	if (!v->repeated)
		return err;
	if (v->answer[0] != '\0')
		head_go(reply, 303, arena_printf(c->arena, "%s%s", v->place.root, v->answer));
	else
		refusal_shown_before(c, v, reply);
	return NULL;
}

static struct err *
run_post(struct ctx *c, struct visit *v, const struct headers *h, struct reply *reply)
{
	const char *again = NULL;
	struct err *err = take_post(c, v, h, reply, &again);

	/* What is sent again is kept already, and the editor's script keeps its own. */
	if (err != NULL && v->rests && again == NULL && !v->by_script &&
	    hold_resting(c, v, reply, err))
		return NULL;
	return err != NULL && v->often && doubt_wait(c, v, reply, err) ? NULL : err;
}

/* Keeps a text that came in a session which has ended by time (the editor's script keeps its
 * own). What is wrong with the form
 * is not told: the way to the sign-in is the answer. */
static bool
hold_ended(struct ctx *c, struct visit *v, const struct headers *h, struct reply *reply)
{
	return v->state == SESSION_ENDED && v->row != NULL && v->row->holds && !v->by_script &&
	       check_origin(c, v, h) == NULL && multipart_is(h->content_type) &&
	       sent_read(c, v, h) == NULL && check_token(c, v) == NULL && hold_keep(c, v, reply);
}

static struct err *
run_row(struct ctx *c, struct visit *v, const struct headers *h, struct reply *reply)
{
	return strcmp(v->row->method, "POST") == 0 ? run_post(c, v, h, reply)
						   : answer_row(c, v, reply);
}

/* Finds the place of the path, and who asks. `found`: there is a row. Returns whether there is
 * such a page. */
static bool
find(struct ctx *c, struct visit *v, const struct headers *h, struct matched *m, bool found)
{
	if (v->lacks != VISIT_LACKS_NOTHING)
		return found;
	if (found && !visitor_place(c, v, m))
		found =
		    m->workspace != NULL && rows_find_account(c, v, m) && visitor_place(c, v, m);
	visitor_find(c, v, h);
	return found;
}

static struct err *
run(struct ctx *c, struct visit *v, const struct headers *h, struct reply *reply)
{
	const char *allow = NULL;
	struct matched m;
	bool moved, found;
	struct err *err;

	if (answer_asset(v, reply))
		return NULL;
	err = check_place(c, v, h, reply, &moved);
	if (err != NULL || moved)
		return err;
	if (!secret_exists(c))
		return refuse(c, ERR_UNAVAILABLE,
		    tr_mark(
			"The console is not set up yet: the operator finishes the installation on the host."));
	serve_learn_boot();
	if (!c->lasting)
		v->service->confine(c, false);
	if (!c->lasting && strcmp(v->r->method, "POST") != 0)
		db_memory_once();
	found = rows_find(c, v, &m, &allow);
	v->by_script = v->by_script && v->row != NULL &&
		       (v->row->script == SCREEN_EDITS || v->row->script == SCREEN_SENDS);
	db_open(c, DB_WAIT_WRITE_MS);
	TRY(ready_check(c, v));
	found = find(c, v, h, &m, found);
	/* In the language of the person. */
	err = found ? NULL : rows_refuse(c, allow);
	if (v->lacks != VISIT_LACKS_NOTHING)
		return err != NULL ? err : run_row(c, v, h, reply);
	if (err == NULL && hold_ended(c, v, h, reply))
		return NULL;
	if (v->state != SESSION_GOOD && (v->row == NULL || v->row->access != SCREEN_PUBLIC)) {
		refusal_sign_in(c, v, reply);
		return NULL;
	}
	if (err == NULL && v->row->access == SCREEN_MEMBERS)
		err = visitor_right(c, v);
	/* Of a text that is held the form is read first. */
	if (err == NULL && v->row->access == SCREEN_MEMBERS && !v->row->holds)
		err = visitor_suspended(c, v);
	if (err != NULL) {
		refusal_write(c, v, reply, err);
		if (err->code == ERR_METHOD)
			reply_header(reply, "Allow", "%s", allow);
		return NULL;
	}
	return run_row(c, v, h, reply);
}

static struct err *
respond(struct ctx *c, const struct service *service, struct req *r, struct reply *reply)
{
	struct visit *v = arena_alloc(c->arena, sizeof(*v));
	struct headers h;
	struct err *err;

	headers_read(r->exchange, &h);
	tr_begin(c, tr_accept(h.accept_language)->tag);
	c->hint = hints_say;
	say_begin(c, NULL, clock_now());
	place_read(c, &v->place);
	v->service = service;
	v->r = r;
	v->query = r->query;
	v->path = r->path;
	v->by_script = strcmp(r->method, "POST") == 0 && h.accept != NULL &&
		       strcmp(h.accept, "application/json") == 0;
	v->accept_language = h.accept_language;
	v->browser = h.user_agent != NULL ? h.user_agent : "";
	v->answer = "";
	if (v->place.origin[0] == '\0') {
		v->lacks = VISIT_LACKS_ADDRESS;
		(void)place_of_request(c, &v->place, h.host, r->https, r->target, r->path);
	}
	if (r->path[0] == '\0') {
		head_go(reply, 308, arena_printf(c->arena, "%s/", v->place.root));
		return NULL;
	}
	doubt_note(c, v);
	err = run(c, v, &h, reply);
	db_end_read(c);
	doubt_note(c, NULL);
	arrive_release(v);
	if (err != NULL && err->code == ERR_UNAUTHORIZED) {
		/* It may have ended while the request waited for the lock. */
		if (strcmp(r->method, "POST") == 0 && !v->by_script && hold_keep(c, v, reply))
			return NULL;
		refusal_sign_in(c, v, reply);
		return NULL;
	}
	if (err != NULL)
		refusal_write(c, v, reply, err);
	/* However the form ended: the session has only this token now. */
	if (v->renewed[0] != '\0')
		console_cookie(
		    c, v, reply, "", v->renewed, v->session->trusted ? SESSION_TRUSTED_DAYS : 0);
	return NULL;
}

/* Servers log the field Referer of what a page loads, which never has an address that is a secret.
 * (The origin alone goes out there: without it a form has none either.) */
static void
add_referrer(const struct req *r, struct reply *reply)
{
	/* Where a fault came before the path was read, it may have been any. */
	const char *path = r != NULL && r->path != NULL ? r->path : "/start";
	bool secret = strncmp(path, "/invite/", 8) == 0 || strncmp(path, "/reset/", 7) == 0 ||
		      strcmp(path, "/start") == 0;

	reply_header(reply, "Referrer-Policy", secret ? "strict-origin" : "same-origin");
}

static struct err *
answer(struct ctx *c, const struct service *service, struct req *r, struct reply *reply)
{
	struct err *err = respond(c, service, r, reply);

	add_referrer(r, reply);
	tr_begin(c, NULL);
	say_begin(NULL, NULL, 0);
	return err;
}

/* ---- the program */

/* A browser that cannot send its whole form shows no answer. On shared hosting nothing
 * but this bounds a form. */
#define DRAIN_MAX ((size_t)64 * 1024 * 1024)

/* Returns whether an address is set. Until one is, Start may write galley.conf, which is
 * replaced by a new file of its folder; a FastCGI process that began before keeps that. */
static bool
has_address(struct ctx *c)
{
	struct conf conf;

	if (c->conf != NULL)
		return c->conf->public_url[0] != '\0';
	return conf_read(c, c->instance->conf, &conf) != NULL || conf.public_url[0] != '\0';
}

/* Of run/ it writes its own folder, and what a change of the content announces and locks. */
static void
confine(struct ctx *c, bool fcgi)
{
	const struct harden_path paths[] = {
		{ fileio_folder(c->arena, c->instance->db), true, HARDEN_MAKE_NOTHING },
		{ fileio_path(c->arena, c->instance->run, "console"), true, HARDEN_MAKE_FOLDER },
		{ fileio_path(c->arena, c->instance->run, "generation"), true, HARDEN_MAKE_FILE },
		{ fileio_path(c->arena, c->instance->run, "media.lock"), true, HARDEN_MAKE_FILE },
		{ day_key_folder(c), true, HARDEN_MAKE_FOLDER },
		{ sites_folder(c), true, HARDEN_MAKE_FOLDER },
		{ c->instance->run, false, HARDEN_MAKE_NOTHING },
		{ c->instance->log, true, HARDEN_MAKE_NOTHING },
		{ fileio_path(c->arena, c->instance->home, "people"), true, HARDEN_MAKE_NOTHING },
		{ stats_folder(c), true, HARDEN_MAKE_NOTHING },
		{ c->instance->media, true, HARDEN_MAKE_NOTHING },
		{ c->instance->home, !has_address(c), HARDEN_MAKE_NOTHING },
		{ ZONE_SYSTEM, false, HARDEN_MAKE_NOTHING },
		{ fileio_path(c->arena, c->instance->programs, "share/zoneinfo"), false,
		    HARDEN_MAKE_NOTHING },
	};

	harden_limit(fcgi ? HARDEN_CONSOLE_FCGI : HARDEN_CONSOLE);
	db_confine(c, paths, sizeof(paths) / sizeof(paths[0]));
	if (fcgi)
		fileio_confined();
}

/* Returns whether the process dies because a request needs more memory than it may have. */
static bool
is_out_of_memory(const struct err *err)
{
	const char *cause = log_death();

	return err->code == ERR_INTERNAL && cause != NULL &&
	       strncmp(cause, "memory: ", strlen("memory: ")) == 0;
}

/* Before a visit is known there is only the plain page. */
static void
refuse_plainly(struct ctx *c, const struct req *r, struct reply *reply, const struct err *err)
{
	struct err said = *err;
	struct headers h;

	/* The language is that of the visit, or as the browser asks. */
	if (!doubt_has_visit() && r != NULL && r->exchange != NULL) {
		headers_read(r->exchange, &h);
		tr_begin(c, tr_accept(h.accept_language)->tag);
	}
	said.message = tr(err->message);
	if (is_out_of_memory(err))
		said = (struct err) {
			.code = ERR_TOO_LARGE,
			.message = tr(
			    "This text is too large to be worked on here, so nothing was changed. Go back: your browser still has what you typed. Make two articles of it, or ask the operator to change it on the host.")
		};
	if (!doubt_answer(c, reply, err))
		refusal_write(c, NULL, reply, &said);
	add_referrer(r, reply);
}

int
console_main(int argc, char **argv)
{
	const struct service service = {
		.program = "console",
		.base = "",
		.body_max = ARRIVE_FILES_MAX,
		.drain_max = DRAIN_MAX,
		.upload_s = ARRIVE_S,
		.body_ms = ARRIVE_MS,
		.body_awaited = ARRIVE_STRANGER_MAX,
		.patience = arrive_patience,
		.asks_place = true,
		.answer = answer,
		.refuse = refuse_plainly,
		.confine = confine,
		.tables = rows_print,
		.passing = tr_mark(
		    "The console cannot answer right now. If you sent a form, it is not known whether it was done: go back and send it again; it is done once."),
		.failed = tr_mark(
		    "The console failed; the operator finds the cause in the log under the number below."),
	};

	return serve_service(argc, argv, &service);
}
