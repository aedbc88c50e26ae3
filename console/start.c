/* Start (docs/console.md §2.7): the first operator, and an operator who cannot sign in, by a code
 * in a file; and "Back up and migrate", while the programs are of a newer release than the
 * database. */
#include <errno.h>
#include <string.h>

#include "action/person/first-operator.h"
#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "doctor/probe.h"
#include "screen/tr.h"
#include "system/instance.h"
#include "task/errand-kinds.h"
#include "web/req.h"

#define OPERATORS_MAX 50

static const struct field make_fields[] = {
	{ .name = "make", .label = tr_mark("Make a code"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

static const struct field start_code_fields[] = {
	{ .name = "code",
	    .label = tr_mark("Code"),
	    .kind = FIELD_TEXT,
	    .max = 100,
	    .required = true,
	    .autocomplete = "off",
	    .dir = "ltr",
	    .hint = tr_mark("It begins with ab_code_.") },
	{ .name = "continue",
	    .label = tr_mark("Continue"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

static const struct field address_fields[] = {
	{ .name = "code", .kind = FIELD_HIDDEN },
	{ .name = "use",
	    .label = tr_mark("Use this address"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

static const struct field first_fields[] = {
	{ .name = "code", .kind = FIELD_HIDDEN },
	{ .name = "email",
	    .label = tr_mark("E-mail"),
	    .kind = FIELD_EMAIL,
	    .required = true,
	    .autocomplete = "username" },
	{ .name = "name",
	    .label = tr_mark("Name"),
	    .kind = FIELD_TEXT,
	    .required = true,
	    .max = PERSON_NAME_MAX,
	    .autocomplete = "name" },
	{ .name = "password",
	    .label = tr_mark("New password"),
	    .kind = FIELD_PASSWORD,
	    .max = 2000,
	    .required = true,
	    .autocomplete = "new-password",
	    .hint = tr_mark("At least 12 characters.") },
	{ .name = "continue",
	    .label = tr_mark("Continue"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

static const struct field reset_fields[] = {
	{ .name = "code", .kind = FIELD_HIDDEN },
	{ .name = "person",
	    .label = tr_mark("Operator"),
	    .kind = FIELD_SELECT,
	    .required = true,
	    .hint = tr_mark(
		"This operator gets the new password. A second factor is removed, and all sessions end.") },
	{ .name = "password",
	    .label = tr_mark("New password"),
	    .kind = FIELD_PASSWORD,
	    .max = 2000,
	    .required = true,
	    .autocomplete = "new-password",
	    .hint = tr_mark("At least 12 characters.") },
	{ .name = "continue",
	    .label = tr_mark("Continue"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

struct page {
	struct ctx *c;
	const struct visit *v;
	struct form form;
	struct field_choice operators[OPERATORS_MAX + 1];
	size_t count;
};

static struct page *
page_init(struct ctx *c, const struct visit *v, const struct field *fields)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));

	p->c = c;
	p->v = v;
	form_init(&p->form, "start", fields);
	return p;
}

/* Writes where the code is, and its form. */
static void
start_write_code(struct hwrite *w, struct ctx *c, const struct visit *v, const struct form *code)
{
	bool made = start_code_exists(c);
	struct form make;

	if (made) {
		@ <p>The code is in the file {"run/console/code.txt"} of the instance. Read it by
		@ FTP, or with your host's file manager.</p>
	} else {
		@ <p>Make a code first. It is written into the file {"run/console/code.txt"} of the
		@ instance, and is good for 24 hours.</p>
		form_init(&make, "make", make_fields);
		console_form(c, v, w, &make, "/start");
	}
	console_form(c, v, w, code, "/start");
}

/* ---- the programs are of a newer release than the database */

#define REFRESH_S 5

static const struct field fields[] = {
	{ .name = "code", .kind = FIELD_HIDDEN },
	{ .name = "migrate",
	    .label = tr_mark("Back up and migrate"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

struct upgrade_page {
	struct ctx *c;
	const struct visit *v;
	struct form form;
	bool owner; /* the code was typed */
	struct upgrading now;
};

static void
write_cron(struct hwrite *w, const struct upgrade_page *p)
{
	if (!p->now.cron.silent)
		return;
	@ <p>Cron has not started the job runner in the last minutes, so nothing goes on. The host's
	@ panel must have this line of cron, with the folder of the programs:</p>
	/* Everybody may read this page: it names no folder of the host. */
	@ <p><code dir="ltr">{="* * * * * …/bin/job-runner"}</code></p>
}

static void
write_offer(struct hwrite *w, const struct upgrade_page *p)
{
	if (p->now.failed != NULL)
		@ <p>The last try failed, and the database is as it was:</p><p>{=p->now.failed}</p>
	@ <p>A backup is made first, beside the database. Begin when the whole release is
	@ uploaded.</p>
	console_form(p->c, p->v, w, &p->form, "/start");
}

static void
write_upgrade(struct hwrite *w, const void *data)
{
	const struct upgrade_page *p = data;

	@ <p>The programs of this instance are newer than its database. Until the database is of
	@ their release, nobody can sign in, and the API answers that it is not available.</p>
	if (p->now.by_setup) {
		@ <p>The line of cron of this instance runs setup, which makes a backup and does
		@ this by itself. This page goes on then.</p>
	} else if (p->now.open) {
		@ <p>A backup is made, and then the database is brought to the new release. This
		@ page goes on then.</p>
		write_cron(w, p);
	} else if (p->owner) {
		write_offer(w, p);
	} else {
		if (p->now.failed != NULL)
			@ <p>The last try failed. Type the code to read why.</p>
		start_write_code(w, p->c, p->v, &p->form);
	}
}

static struct upgrade_page *
upgrade_init(struct ctx *c, struct visit *v, bool owner)
{
	struct upgrade_page *p = arena_alloc(c->arena, sizeof(*p));

	p->c = c;
	p->v = v;
	p->owner = owner;
	form_init(&p->form, "start", owner ? fields : start_code_fields);
	upgrading_look(c, &p->now);
	if (p->now.by_setup || p->now.open)
		v->refresh_s = REFRESH_S;
	return p;
}

static struct err *
upgrade_show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct upgrade_page *p = upgrade_init(c, v, false);

	form_fill(&p->form, "code", console_query(c, v, "code"));
	console_page(c, v, reply, NULL, NULL, write_upgrade, p);
	return NULL;
}

/* Does what was pressed. *good: the code is right; false without a refusal: the form says what
 * is wrong. */
static struct err *
take(struct ctx *c, struct visit *v, struct upgrade_page *p, bool migrate, bool *good)
{
	const char *code = console_sent(v, "code");
	struct err *err = NULL;

	*good = console_read(c, v, &p->form);
	if (*good)
		err = migrate ? upgrading_ask(c, code, v->r->address)
			      : start_check(c, code, v->r->address);
	*good = *good && err == NULL;
	return err;
}

static struct err *
upgrade_post(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct upgrade_page *p = upgrade_init(c, v, false);
	bool migrate = console_sent(v, "migrate") != NULL, good;
	struct err *err = take(c, v, p, migrate, &good);

	if (good && migrate) {
		console_go(c, v, reply, "/start?again", NULL);
		return NULL;
	}
	reply->status = 422;
	if (good) {
		p = upgrade_init(c, v, true);
		form_fill(&p->form, "code", console_sent(v, "code"));
		reply->status = 200;
	} else if (err != NULL)
		TRY(console_wrong(c, v, reply, &p->form, err));
	console_page(c, v, reply, NULL, NULL, write_upgrade, p);
	return NULL;
}

/* ---- the programs are of the release of the database */

static void
write_first_step(struct hwrite *w, const struct page *p)
{
	@ <p>This page makes the first operator, or gives an operator who cannot sign in a new
	@ password. A code in a file shows that the instance is yours.</p>
	start_write_code(w, p->c, p->v, &p->form);
}

static void
write_address_step(struct hwrite *w, const struct page *p)
{
	const char *url = place_url(p->c, &p->v->place);
	bool good = start_address_is_good(p->c, url);

	@ <p>This instance has no address yet. Your browser found it here:</p>
	@ <p><code dir="ltr">{=url}</code></p>
	if (good) {
		@ <p>The console, the API and the pictures will be below this address. If people are
		@ to use another one, open this page there.</p>
		console_form(p->c, p->v, w, &p->form, "/start");
		return;
	}
	@ <p>This page came over plain http, where others can read passwords and keys, so this
	@ address cannot be used. Open the page with https://. If another machine ends https for
	@ this host, write its address into trusted_proxies in galley.conf.</p>
}

static void
write_main(struct hwrite *w, const void *data)
{
	const struct page *p = data;

	if (p->form.fields == start_code_fields)
		write_first_step(w, p);
	else if (p->form.fields == address_fields)
		write_address_step(w, p);
	else if (p->form.fields == first_fields)
		@ <p>You become the operator of this instance, who may do everything.</p>
	if (p->form.fields == first_fields || p->form.fields == reset_fields)
		console_form(p->c, p->v, w, &p->form, "/start");
}

/* A file below the document root may be everybody's. */
static struct err *
check_place(struct ctx *c, const struct visit *v)
{
	const char *below = probe_below(c, v->r->exchange->variables);

	if (below == NULL || probe_is_closed(c, below))
		return NULL;
	if (v->lacks == VISIT_LACKS_ADDRESS)
		return refuse(c, ERR_FORBIDDEN, "%s",
		    tr("The folder run/ of this instance is below the web server's document root, where others might fetch the code. Move the instance out of it, or make the operator on the host."));
	probe_ask(c, below);
	return refuse(c, ERR_FORBIDDEN, "%s",
	    tr("The folder run/ of this instance is below the web server's document root, where others might fetch the code. When cron starts the job runner next, it tries whether they can. Open this page again in a minute or two. If it says the same then, move the instance out of the document root."));
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct err *err = check_place(c, v);
	struct page *p;

	if (err != NULL)
		return err;
	if (v->lacks == VISIT_LACKS_MIGRATION)
		return upgrade_show(c, v, reply);
	if (console_query(c, v, "again") != NULL && upgrading_is_done(c)) {
		console_go(c, v, reply, "/sign-in", "upgraded");
		return NULL;
	}
	p = page_init(c, v, start_code_fields);
	form_fill(&p->form, "code", console_query(c, v, "code"));
	console_page(c, v, reply, NULL, NULL, write_main, p);
	return NULL;
}

static void
add_operator(void *arg, const struct person *o)
{
	struct page *p = arg;

	if (p->count < OPERATORS_MAX)
		p->operators[p->count++] = (struct field_choice) { .value = o->uuid,
			.label = arena_printf(p->c->arena, "%s (%s)", o->name, o->email) };
}

/* Begins the page of the second step: who the operator is. */
static struct page *
second_step(struct ctx *c, const struct visit *v)
{
	struct page *p = page_init(c, v, first_fields);

	start_operators(c, add_operator, p);
	if (p->count > 0) {
		form_init(&p->form, "start", reset_fields);
		form_choices(&p->form, "person", p->operators);
	}
	return p;
}

static struct err *
make(struct ctx *c, struct visit *v, struct reply *reply)
{
	if (!start_code_make(c))
		die_passing(60, "%s: %s", start_code_path(c), strerror(errno));
	console_go(c, v, reply, "/start", "code-made");
	return NULL;
}

/* Begins the page that a good code leads to. */
static struct page *
next_step(struct ctx *c, const struct visit *v)
{
	if (v->lacks == VISIT_LACKS_ADDRESS)
		return page_init(c, v, address_fields);
	return second_step(c, v);
}

/* Sets the address, and goes on at once: a redirect would write the code into an address. */
static struct err *
use_address(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = page_init(c, v, start_code_fields), *next;
	const char *code = console_sent(v, "code");
	struct err *err;

	reply->status = 422;
	err = start_address(c, code != NULL ? code : "", v->r->address, place_url(c, &v->place));
	if (err == NULL) {
		v->lacks = VISIT_LACKS_NOTHING;
		next = db_release(c) == DB_RELEASE_SAME ? second_step(c, v) : p;
		form_fill(&next->form, "code", code);
		reply->status = 200;
		console_page(c, v, reply, NULL, tr("The address is set."), write_main, next);
		return NULL;
	}
	err = console_wrong(c, v, reply, &p->form, err);
	if (err == NULL)
		console_page(c, v, reply, NULL, NULL, write_main, p);
	return err;
}

/* The first step: a good code leads to the second. */
static struct err *
take_code(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = page_init(c, v, start_code_fields), *next;
	struct err *err;

	reply->status = 422;
	if (console_read(c, v, &p->form)) {
		err = start_check(c, form_text(&p->form, "code"), v->r->address);
		if (err == NULL) {
			next = next_step(c, v);
			form_fill(&next->form, "code", form_text(&p->form, "code"));
			reply->status = 200;
			console_page(c, v, reply, NULL, NULL, write_main, next);
			return NULL;
		}
		TRY(console_wrong(c, v, reply, &p->form, err));
	}
	console_page(c, v, reply, NULL, NULL, write_main, p);
	return NULL;
}

static struct err *
finish(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = second_step(c, v);
	struct start_order order = { .from = sign_order_of(v) };
	struct signed_in in;
	struct err *err;

	reply->status = 422;
	if (console_read(c, v, &p->form) && form_text(&p->form, "code") != NULL) {
		order.code = form_text(&p->form, "code");
		order.password = form_text(&p->form, "password");
		if (p->count > 0) {
			order.person = form_text(&p->form, "person");
		} else {
			order.email = form_text(&p->form, "email");
			order.name = form_text(&p->form, "name");
		}
		err = start_finish(c, &order, &in);
		if (err == NULL) {
			sign_go_on(c, v, reply, &in, "/", "started");
			return NULL;
		}
		if (err->param != NULL && strcmp(err->param, "code") == 0)
			p = page_init(c, v, start_code_fields);
		TRY(console_wrong(c, v, reply, &p->form, err));
	}
	console_page(c, v, reply, NULL, NULL, write_main, p);
	return NULL;
}

static struct err *
start(struct ctx *c, struct visit *v, struct reply *reply)
{
	TRY(check_place(c, v));
	if (console_sent(v, "make") != NULL)
		return make(c, v, reply);
	if (v->lacks == VISIT_LACKS_MIGRATION)
		return upgrade_post(c, v, reply);
	if (v->lacks == VISIT_LACKS_ADDRESS && console_sent(v, "use") != NULL)
		return use_address(c, v, reply);
	if (v->lacks == VISIT_LACKS_NOTHING && console_sent(v, "password") != NULL)
		return finish(c, v, reply);
	return take_code(c, v, reply);
}

SCREEN(start) = {
	{ "GET", "/start", .title = tr_mark("Start"), .access = SCREEN_PUBLIC, .handler = show },
	{ "POST", "/start", .title = tr_mark("Start"), .access = SCREEN_PUBLIC, .handler = start },
	{ .method = NULL },
};
