#include "console/refusal.h"

#include <stdbool.h>
#include <string.h>

#include "action/person/signing.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/err.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "console/answer.h"
#include "console/request.h"
#include "console/sent.h"
#include "screen/screen.h"
#include "screen/tr.h"
#include "store/db.h"
#include "system/conf.h"

/* ---- hints */

/* A path that begins with "/W" is below the workspace; ID in it is what the hint is about. A hint
 * that is not here says nothing in a browser: the page has a button for it, or only a shell meets
 * the refusal. */
static const struct {
	const char *text; /* a sentence, or NULL */
	const char *label, *path; /* of a link, or NULL */
	unsigned need; /* the rights without which nobody gets the link */
} words[HINT_COUNT] = {
	[HINT_ACCOUNTS] = { .label = tr_mark("Customers"),
	    .path = "/customers",
	    .need = RIGHT_OPERATE },
	[HINT_ARTICLES] = { .label = tr_mark("Articles"), .path = "/W/articles" },
	[HINT_ARTICLE_DELETE] = { tr_mark("Move it to the trash first."),
	    tr_mark("Open the article"), "/W/articles/ID", 0 },
	[HINT_ARTICLE_UNDELETE] = { tr_mark("Restore it first."), tr_mark("Trash"),
	    "/W/articles?status=trash", 0 },
	[HINT_DOCTOR] = { tr_mark("The operator of this instance finds the cause."),
	    tr_mark("Check the installation"), "/instance", RIGHT_OPERATE },
	[HINT_EDITIONS] = { .label = tr_mark("History"), .path = "/W/articles/ID/history" },
	[HINT_JOBS] = { .label = tr_mark("Orders"), .path = "/W/orders" },
	[HINT_KEYS] = { .label = tr_mark("Keys"), .path = "/W/keys", .need = RIGHT_MANAGE },
	[HINT_KEY_CREATE] = { tr_mark("Make a new key."), tr_mark("Keys"), "/W/keys",
	    RIGHT_MANAGE },
	[HINT_MIGRATE] = { tr_mark("The operator finishes the installation on the host."), NULL,
	    NULL, 0 },
	[HINT_UNFINISHED] = { tr_mark(
				  "Write them, or publish it unfinished: it is then hidden from search engines."),
	    tr_mark("Open the article"), "/W/articles/ID", 0 },
};

const char *
hints_say(struct ctx *c, const char *sentence, enum hint hint, const char *about)
{
	const char *text = words[hint].text;

	(void)about;
	return text == NULL ? sentence
			    : arena_printf(c->arena, "%s%s%s", sentence,
				  strchr(sentence, '\n') != NULL ? "\n" : " ", tr(text));
}

/* Returns the path with the ids of its place. */
static const char *
path_of(struct ctx *c, const struct visit *v, const char *path, const char *about)
{
	const char *id = strstr(path, "/ID");

	if (strncmp(path, "/W", 2) != 0)
		return path;
	if (id == NULL)
		return arena_printf(c->arena, "/%s%s", v->workspace->uuid, path + 2);
	return arena_printf(c->arena, "/%s%.*s/%s%s", v->workspace->uuid, (int)(id - path - 2),
	    path + 2, about, id + 3);
}

/* Finds the screen to which the hint of a refusal leads this person. Returns false if there is
 * none. */
static bool
hints_link(struct ctx *c, const struct visit *v, const struct err *err, const char **address,
    const char **label)
{
	const char *path = words[err->hint].path;

	if (path == NULL || v == NULL || v->state != SESSION_GOOD ||
	    !console_may(v, words[err->hint].need) ||
	    (strncmp(path, "/W", 2) == 0 && v->workspace == NULL) ||
	    (strstr(path, "/ID") != NULL && err->about == NULL))
		return false;
	*address = console_path(c, v, "%s", path_of(c, v, path, err->about));
	*label = tr(words[err->hint].label);
	return true;
}

/* ---- answers that are no screen's */

/* An answer to a request that nobody may ask again from a cache. */
static void
begin(struct reply *reply, int status)
{
	buf_reset(&reply->headers);
	buf_reset(&reply->body);
	reply->bytes = NULL;
	reply->status = status;
	reply->type = "text/html; charset=utf-8";
	head_add(reply, "no-store");
}

/* Answers the editor's script with one text: a member of the object, or (`name` NULL) an
 * error of no field. */
static void
tell_script(struct ctx *c, struct reply *reply, int status, const char *name, const char *text)
{
	struct jwrite w;

	begin(reply, status);
	console_json(reply);
	jwrite_init(&w, &reply->body);
	jwrite_object(&w);
	if (name != NULL) {
		jwrite_member_text(&w, name, text);
	} else {
		jwrite_member_array(&w, "errors");
		jwrite_object(&w);
		jwrite_member_null(&w, "field");
		jwrite_member_null(&w, "line");
		jwrite_member_text(&w, "text", text);
		jwrite_object_end(&w);
		jwrite_array_end(&w);
		jwrite_member_text(&w, "request_id", c->request_id);
	}
	jwrite_object_end(&w);
}

void
refusal_sign_in(struct ctx *c, const struct visit *v, struct reply *reply)
{
	const char *then = "/";
	struct buf address;

	/* The sign-in leads to a page, never to the address of a form alone. */
	if (rows_of(c, "GET", v->path) != NULL)
		then = console_then(c, v,
		    v->query[0] == '\0' ? v->path
					: arena_printf(c->arena, "%s?%s", v->path, v->query));
	buf_init(&address, c->arena, (size_t)16 * 1024);
	buf_printf(&address, "%s/sign-in", v->place.root);
	if (strcmp(then, "/") != 0)
		screen_address_add(&address, "then", then);
	if (v->by_script)
		tell_script(c, reply, 403, "sign_in", buf_done(&address));
	else
		head_go(reply, 303, buf_done(&address));
}

/* Sends the visitor to the sign-in, and from there to the text that is kept. */
static void
refusal_held(struct ctx *c, const struct visit *v, struct reply *reply)
{
	struct buf address;

	buf_init(&address, c->arena, (size_t)1024);
	buf_printf(&address, "%s/sign-in", v->place.root);
	screen_address_add(&address, "then", "/held");
	screen_address_add(&address, "notice", "held");
	head_go(reply, 303, buf_done(&address));
}

struct page {
	const char *sentence;
	const char *request_id;
	const char *kept; /* what is said of what was sent, or NULL */
	const char *back, *label; /* an address, or NULL */
	const char *next, *next_label; /* the address of what helps, or NULL */
};

static void
write_refusal(struct hwrite *w, const void *data)
{
	const struct page *p = data;

	hwrite_element(w, H_P, p->sentence);
	if (p->kept != NULL)
		hwrite_element(w, H_P, p->kept);
	if (p->next != NULL) {
		hwrite_open(w, H_P);
		screen_button_link(w, p->next, p->next_label, true);
		hwrite_close(w, H_P);
	}
	if (p->back != NULL) {
		hwrite_open(w, H_P);
		screen_button_link(w, p->back, p->label, p->next == NULL);
		hwrite_close(w, H_P);
	}
	hwrite_open(w, H_P);
	hwrite_attr(w, A_CLASS, "hint");
	hwrite_text(w, tr("Request:"));
	hwrite_text(w, " ");
	hwrite_element(w, H_CODE, p->request_id);
	hwrite_close(w, H_P);
}

static const char *
title_of(enum err_code code)
{
	switch (code) {
	case ERR_FORBIDDEN:
		return tr("This is not allowed");
	case ERR_NOT_FOUND:
		return tr("Not found");
	case ERR_METHOD:
		return tr("This address works in another way");
	case ERR_CONFLICT:
		return tr("Something changed meanwhile");
	case ERR_TOO_LARGE:
		return tr("This is too large");
	case ERR_RATE_LIMITED:
		return tr("Please wait");
	case ERR_UNAVAILABLE:
		return tr("Not available right now");
	case ERR_INTERNAL:
		return tr("Something failed");
	default:
		return tr("This did not work");
	}
}

static void
write_page(struct ctx *c, const struct visit *v, struct reply *reply, const char *title,
    const struct page *page)
{
	struct place place = { .root = "/console" };

	/* What stops a form on its way is short: mod_proxy_fcgi takes one piece of it, 8 KiB, and
	 * then waits for more of the form. */
	if (v != NULL && !v->lost) {
		console_frame(c, v, reply, title, NULL, write_refusal, page);
		return;
	}
	if (c->conf != NULL)
		place_read(c, &place);
	screen_page(&reply->body,
	    &(struct screen) {
		.language = tr_tag(), .title = title, .root = place.root, .path = "" },
	    write_refusal, page);
}

void
refusal_write(struct ctx *c, const struct visit *v, struct reply *reply, const struct err *err)
{
	struct page page = { .sentence = err->message,
		.request_id = c->request_id,
		.back = v != NULL && v->state == SESSION_GOOD
			    ? arena_printf(c->arena, "%s/", v->place.root)
			    : NULL,
		.label = tr("Go to Home") };

	if (v != NULL && v->by_script) {
		tell_script(c, reply, err_status(err->code), NULL, err->message);
		return;
	}
	(void)hints_link(c, v, err, &page.next, &page.next_label);
	begin(reply, err_status(err->code));
	if (err->retry_after_s > 0)
		reply_header(reply, "Retry-After", "%d", err->retry_after_s);
	write_page(c, v, reply, title_of(err->code), &page);
}

/* Writes a refusal whose page leads to the text that is kept. */
static void
refusal_kept(struct ctx *c, const struct visit *v, struct reply *reply, const struct err *err)
{
	const struct page page = { .sentence = err->message,
		.kept = tr(
		    "What you sent is kept for a day: you can read it, and send it again once the account is not suspended any more."),
		.request_id = c->request_id,
		.back = console_path(c, v, "/held"),
		.label = tr("Show what you sent") };

	begin(reply, err_status(err->code));
	write_page(c, v, reply, title_of(err->code), &page);
}

void
refusal_shown_before(struct ctx *c, const struct visit *v, struct reply *reply)
{
	const struct page page = {
		.sentence = tr(
		    "This form was sent before, and was done then. What it showed is shown once only."),
		.request_id = c->request_id,
		.back = arena_printf(c->arena, "%s/", v->place.root),
		.label = tr("Go to Home")
	};

	begin(reply, 200);
	write_page(c, v, reply, tr("This was done before"), &page);
}

/* ---- is it you? */

/* Where it is always asked: the time for a form that asks before it is shown. */
#define FORM_TIME (120 * CLOCK_SECOND)

static const struct field password_fields[] = {
	{ .name = "step-up", .kind = FIELD_HIDDEN },
	{ .name = "proof",
	    .label = tr_mark("Password"),
	    .kind = FIELD_PASSWORD,
	    .max = 2000,
	    .required = true,
	    .autocomplete = "current-password" },
	{ .name = "continue",
	    .label = tr_mark("Continue"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

static const struct field code_fields[] = {
	{ .name = "step-up", .kind = FIELD_HIDDEN },
	{ .name = "proof",
	    .label = tr_mark("Code"),
	    .kind = FIELD_TEXT,
	    .max = 100,
	    .required = true,
	    .autocomplete = "one-time-code",
	    .dir = "ltr",
	    .hint = tr_mark("The six digits that your authenticator shows, or a recovery code.") },
	{ .name = "continue",
	    .label = tr_mark("Continue"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

struct stepup {
	struct ctx *c;
	const struct visit *v;
	struct form form;
};

bool
stepup_is_answer(const struct visit *v)
{
	return console_sent(v, "step-up") != NULL;
}

static struct prove_order
order_of(const struct visit *v)
{
	return (struct prove_order) { .session = v->session,
		.person = v->person,
		.device = v->device,
		.address = v->r->address,
		.held = "",
		.target = v->path };
}

/* ---- its page */

/* Returns the page from which this was asked for: that of a form's address, or the nearest one
 * above (arena). */
static const char *
page_before(struct ctx *c, const struct visit *v)
{
	char *path = arena_text(c->arena, v->path);
	bool above = strcmp(v->row->method, "POST") != 0;

	while (path[0] != '\0' && (above || rows_of(c, "GET", path) == NULL)) {
		*strrchr(path, '/') = '\0';
		above = false;
	}
	return path[0] != '\0' ? path : "/";
}

static void
write_stepup(struct hwrite *w, const void *data)
{
	const struct stepup *p = data;

	hwrite_element(w, H_P, tr("This needs a fresh proof, because it is important."));
	console_form(p->c, p->v, w, &p->form, p->v->path);
	hwrite_open(w, H_P);
	screen_button_link(w, console_path(p->c, p->v, "%s", page_before(p->c, p->v)),
	    tr("Back, and do nothing"), false);
	hwrite_close(w, H_P);
}

static struct stepup *
stepup_init(struct ctx *c, const struct visit *v, const char *held)
{
	struct stepup *p = arena_alloc(c->arena, sizeof(*p));

	p->c = c;
	p->v = v;
	form_init(&p->form, "step-up", v->person->has_factor ? code_fields : password_fields);
	form_fill(&p->form, "step-up", held);
	return p;
}

static void
show_stepup(struct stepup *p, struct reply *reply)
{
	console_page(p->c, p->v, reply, tr("Is it you?"), NULL, write_stepup, p);
}

/* ---- the form that waits for it */

/* Passwords and files are not kept. */
static bool
can_be_kept(const struct visit *v)
{
	for (size_t i = 0; i < v->sent.count; i++) {
		if (strstr(v->sent.values[i].name, "password") != NULL)
			return false;
	}
	return v->sent.file_count == 0;
}

/* Keeps the form until the answer comes; "none" if it cannot be kept. */
static const char *
keep(struct ctx *c, const struct visit *v)
{
	struct buf b;
	char uuid[UUID_TEXT];
	const struct prove_order order = order_of(v);

	if (strcmp(v->r->method, "POST") != 0 || !can_be_kept(v))
		return "none";
	sent_write(c, v, &b);
	prove_hold(c, &order, b.data, b.len, uuid);
	return arena_text(c->arena, uuid);
}

/* Returns whether the person proved who they are, not long ago (console_step_up_minutes). */
static bool
is_fresh(struct ctx *c, const struct visit *v)
{
	struct console_conf conf;
	int64_t time;

	/* The form that was kept is there: its handler may ask, too. */
	if (v->renewed[0] != '\0')
		return true;
	console_conf_read(c, &conf);
	time = conf.step_up_minutes * 60 * CLOCK_SECOND;
	if (time == 0 && (strcmp(v->r->method, "POST") != 0 || !can_be_kept(v)))
		time = FORM_TIME;
	return c->now < v->session->proved_at + time && c->now > v->session->proved_at - time;
}

bool
console_step_up(struct ctx *c, struct visit *v, struct reply *reply)
{
	if (is_fresh(c, v))
		return true;
	show_stepup(stepup_init(c, v, keep(c, v)), reply);
	return false;
}

void
console_renewed(struct ctx *c, struct visit *v)
{
	struct person *p;

	db_begin_read(c, DB_CONSOLE);
	(void)session_check(c, v->renewed, &v->session, &p);
	db_rollback(c);
	if (v->session == NULL)
		die("the session ended while it was renewed");
	session_form_token(v->session, v->token);
}

/* Shows the page again, with the reason. */
static struct err *
ask_again(struct ctx *c, struct visit *v, struct reply *reply, struct stepup *p, struct err *err)
{
	if (err != NULL)
		err = console_wrong(c, v, reply, &p->form, err);
	if (err == NULL)
		show_stepup(p, reply);
	return err;
}

struct err *
stepup_answer(struct ctx *c, struct visit *v, struct reply *reply, bool *go_on)
{
	struct prove_order order = order_of(v);
	struct stepup *p = stepup_init(c, v, "none");
	struct proved proved;
	bool kept;
	struct err *err;

	*go_on = false;
	reply->status = 422;
	if (!console_read(c, v, &p->form))
		return ask_again(c, v, reply, p, NULL);
	kept = strcmp(form_text(&p->form, "step-up"), "none") != 0;
	order.typed = form_text(&p->form, "proof");
	order.held = kept ? form_text(&p->form, "step-up") : "";
	err = prove(c, &order, &proved);
	if (err != NULL)
		return ask_again(c, v, reply, p, err);
	reply->status = 200;
	v->session = (struct session *)(void *)proved.session;
	session_form_token(v->session, v->token);
	memcpy(v->renewed, proved.token, sizeof(v->renewed));
	explicit_bzero(proved.token, sizeof(proved.token));
	if (kept && proved.bytes == NULL)
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("Your form is not kept any more, so nothing was done. Open the page again."));
	if (kept) {
		console_put_back(c, v, proved.bytes, proved.len);
		*go_on = true;
		return NULL;
	}
	console_go(c, v, reply, rows_of(c, "GET", v->path) != NULL ? v->path : "/", NULL);
	return NULL;
}

/* ---- held until somebody signs in again */

static bool
keep_sent(struct ctx *c, const struct visit *v)
{
	struct buf fields;

	if (v->row == NULL || !v->row->holds || v->session == NULL || v->sent.count == 0 ||
	    stepup_is_answer(v))
		return false;
	sent_write(c, v, &fields);
	return held_keep(c, v->session, v->state, v->path, fields.data, fields.len);
}

bool
hold_keep(struct ctx *c, const struct visit *v, struct reply *reply)
{
	bool kept = keep_sent(c, v);

	if (kept)
		refusal_held(c, v, reply);
	return kept;
}

bool
hold_resting(struct ctx *c, const struct visit *v, struct reply *reply, const struct err *err)
{
	bool kept = keep_sent(c, v);

	if (kept)
		refusal_kept(c, v, reply, err);
	return kept;
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

/* ---- unknown outcome */

#define SENT_MAX ((size_t)1024 * 1024) /* bytes of a form that comes back */

/* The present visit, for the last words of a process that dies in it. Each request sets it. */
static struct {
	const struct visit *v;
	struct arena *arena;
} present;

void
doubt_note(struct ctx *c, const struct visit *v)
{
	present.v = v;
	present.arena = c->arena;
}

bool
doubt_has_visit(void)
{
	return present.v != NULL;
}

/* Only what would be held (docs/console.md §3.9) comes back: another form may hold a password, a
 * code or a key. */
static bool
comes_back(const struct visit *v)
{
	size_t len = 0;

	if (!v->row->holds || v->by_script || v->number_state != FORMNUMBER_GOOD ||
	    v->renewed[0] != '\0' || stepup_is_answer(v) || v->sent.file_count > 0)
		return false;
	for (size_t i = 0; i < v->sent.count; i++)
		len += v->sent.values[i].len;
	return len <= SENT_MAX;
}

struct again {
	struct ctx *c;
	const struct visit *v;
	const char *sentence;
};

/* The button has no name: what is sent again is what was sent. */
static void
write_again_button(struct hwrite *w)
{
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "buttons");
	hwrite_open(w, H_BUTTON);
	hwrite_attr(w, A_TYPE, "submit");
	hwrite_attr(w, A_CLASS, "button primary");
	hwrite_text(w, tr("Send again"));
	hwrite_close(w, H_BUTTON);
	hwrite_close(w, H_DIV);
}

static void
write_again(struct hwrite *w, const void *data)
{
	static const struct field none[] = { { .name = NULL } };
	const struct again *p = data;
	const struct visit *v = p->v;
	struct form f;

	hwrite_element(w, H_P, p->sentence);
	form_init(&f, "again", none);
	form_write_begin(w, &f,
	    &(struct form_head) { .token = v->token,
		.number = v->number.number,
		.action = console_path(p->c, v, "%s", v->path) });
	for (size_t i = 0; i < v->sent.count; i++) {
		const struct form_value *value = &v->sent.values[i];
		if (strcmp(value->name, "token") == 0 || strcmp(value->name, "number") == 0)
			continue;
		hwrite_open(w, H_INPUT);
		hwrite_attr(w, A_TYPE, "hidden");
		hwrite_attr(w, A_NAME, value->name);
		hwrite_attr_n(w, A_VALUE, value->text, value->len);
	}
	write_again_button(w);
	form_write_end(w);
}

static void
ask_to_send_again(struct ctx *c, const struct visit *v, struct reply *reply, const struct err *err,
    const char *title, const char *sentence)
{
	const struct again page = { .c = c, .v = v, .sentence = sentence };

	reply_init(c, reply);
	reply->status = err_status(err->code);
	reply->type = "text/html; charset=utf-8";
	head_add(reply, "no-store");
	if (err->retry_after_s > 0)
		reply_header(reply, "Retry-After", "%d", err->retry_after_s);
	console_frame(c, v, reply, title, NULL, write_again, &page);
}

bool
doubt_wait(struct ctx *c, const struct visit *v, struct reply *reply, const struct err *err)
{
	if (!comes_back(v))
		return false;
	ask_to_send_again(c, v, reply, err, tr("Please wait"), err->message);
	return true;
}

bool
doubt_answer(struct ctx *c, struct reply *reply, const struct err *err)
{
	const struct visit *v = present.v;

	present.v = NULL;
	/* Only a form whose handler ran can have done something. */
	if (err->code != ERR_UNAVAILABLE || v == NULL || v->gate.enter == NULL || !comes_back(v))
		return false;
	/* What was sent needs more than the last words have; this death is not for want of it. */
	c->arena = present.arena;
	c->gate = NULL;
	ask_to_send_again(c, v, reply, err, tr("Not available right now"),
	    tr("The console cannot answer right now, and it is not known whether this form was done. Wait a moment and send it again: it is done once."));
	return true;
}
