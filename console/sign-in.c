/* Sign in, with its second step, and Sign out (docs/console.md §3.1 to §3.5, §4.2). */
#include <string.h>

#include "action/person/signing.h"
#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "screen/tr.h"

static const struct field password_fields[] = {
	{ .name = "then", .kind = FIELD_HIDDEN, .max = 2000 },
	{ .name = "email",
	    .label = tr_mark("E-mail"),
	    .kind = FIELD_EMAIL,
	    .required = true,
	    .autocomplete = "username" },
	{ .name = "password",
	    .label = tr_mark("Password"),
	    .kind = FIELD_PASSWORD,
	    .max = 2000,
	    .required = true,
	    .autocomplete = "current-password" },
	{ .name = "own-device",
	    .label = tr_mark("This is my own device"),
	    .kind = FIELD_CHECKBOX,
	    .hint = tr_mark("You stay signed in longer on this device.") },
	{ .name = "sign-in",
	    .label = tr_mark("Sign in"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

static const struct field code_fields[] = {
	{ .name = "then", .kind = FIELD_HIDDEN, .max = 2000 },
	{ .name = "code",
	    .label = tr_mark("Code"),
	    .kind = FIELD_TEXT,
	    .max = 100,
	    .required = true,
	    .autocomplete = "one-time-code",
	    .dir = "ltr",
	    .hint = tr_mark("The six digits that your authenticator shows, or a recovery code.") },
	{ .name = "sign-in",
	    .label = tr_mark("Sign in"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = "back", .label = tr_mark("Back to the first step"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

struct page {
	struct ctx *c;
	const struct visit *v;
	struct form form;
};

/* Nobody gets a link by an address alone: people give it to people (docs/console.md §2.3). */
static void
write_help(struct hwrite *w, const struct page *p)
{
	@ <details><summary>I cannot sign in</summary>
	@ <p>Ask somebody who manages your account for a link that sets a new one: in People, your
	@ name, "Reset". If nobody else does, or you are in several accounts, ask the operator of
	@ this console.</p>
	@ <p>An operator who cannot sign in gets a new one by a code in a file of the instance.</p>
	@ <p><a class="button" href={console_path(p->c, p->v, "/start")}>Start</a></p></details>
}

static void
write_form(struct hwrite *w, const void *data)
{
	const struct page *p = data;

	console_form(p->c, p->v, w, &p->form, "/sign-in");
	if (p->form.fields == password_fields)
		write_help(w, p);
}

static void
write_page(struct page *p, struct reply *reply)
{
	const char *host = strstr(p->v->place.origin, "://");

	console_page(p->c, p->v, reply, NULL,
	    p->form.fields == code_fields ? tr("Your password is right. One more step is needed.")
	    : host != NULL ? arena_printf(p->c->arena, tr("to Galley at %s"), host + 3)
			   : NULL,
	    write_form, p);
}

static struct page *
page_init(struct ctx *c, const struct visit *v, const struct field *fields, const char *then)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));

	p->c = c;
	p->v = v;
	form_init(&p->form, "sign-in", fields);
	form_fill(&p->form, "then", console_then(c, v, then));
	return p;
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	const char *then = console_then(c, v, console_query(c, v, "then"));

	/* For galley doctor: ends a cookie that nobody has, so that doctor sees whether the
	 * cookies' attributes arrive. */
	if (console_query(c, v, "cookie") != NULL)
		console_cookie(c, v, reply, "-probe", NULL, 0);
	if (v->state == SESSION_GOOD)
		console_go(c, v, reply, then, NULL);
	else
		write_page(
		    page_init(c, v, v->state == SESSION_HALF ? code_fields : password_fields, then),
		    reply);
	return NULL;
}

/* ---- the two steps */

void
sign_go_on(struct ctx *c, struct visit *v, struct reply *reply, struct signed_in *in,
    const char *then, const char *notice)
{
	if (in->half) {
		struct buf address;
		buf_init(&address, c->arena, (size_t)16 * 1024);
		buf_add_text(&address, "/sign-in");
		if (strcmp(then, "/") != 0)
			screen_address_add(&address, "then", then);
		then = buf_done(&address);
	}
	console_go(c, v, reply, then, notice);
	if (in->token[0] != '\0')
		console_cookie(c, v, reply, "", in->token,
		    in->trusted && !in->half ? SESSION_TRUSTED_DAYS : 0);
	if (in->device[0] != '\0')
		console_cookie(c, v, reply, "-device", in->device, DEVICE_DAYS);
	explicit_bzero(in, sizeof(*in));
}

struct sign_order
sign_order_of(const struct visit *v)
{
	return (struct sign_order) { .device = v->device,
		.browser = v->browser,
		.address = v->r->address,
		.before = v->session };
}

static struct err *
take_password(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = page_init(c, v, password_fields, NULL);
	struct sign_order order = sign_order_of(v);
	struct signed_in in;
	struct err *err;

	reply->status = 422;
	if (console_read(c, v, &p->form)) {
		order.email = form_text(&p->form, "email");
		order.password = form_text(&p->form, "password");
		order.trusted = form_is_on(&p->form, "own-device");
		err = sign_in(c, &order, &in);
		if (err == NULL) {
			sign_go_on(c, v, reply, &in,
			    console_then(c, v, form_text(&p->form, "then")), NULL);
			return NULL;
		}
		TRY(console_wrong(c, v, reply, &p->form, err));
	}
	write_page(p, reply);
	return NULL;
}

/* The half session is gone: the sign-in begins again. */
static void
begin_again(struct ctx *c, struct visit *v, struct reply *reply, const char *then, const char *why)
{
	struct page *p = page_init(c, v, password_fields, then);

	form_refuse(&p->form, NULL, why);
	console_cookie(c, v, reply, "", NULL, 0);
	write_page(p, reply);
}

static struct err *
take_code(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = page_init(c, v, code_fields, NULL);
	struct sign_order order = sign_order_of(v);
	const char *then = console_then(c, v, console_sent(v, "then"));
	struct signed_in in;
	struct err *err;

	reply->status = 422;
	if (console_read(c, v, &p->form)) {
		err = sign_in_code(c, v->session, form_text(&p->form, "code"), &order, &in);
		if (err == NULL) {
			sign_go_on(c, v, reply, &in, then,
			    in.wronged	   ? "wrong-codes"
			    : in.recovered ? "recovered"
					   : NULL);
			return NULL;
		}
		if (err->code == ERR_UNAUTHORIZED) {
			begin_again(c, v, reply, then, err->message);
			return NULL;
		}
		TRY(console_wrong(c, v, reply, &p->form, err));
	}
	write_page(p, reply);
	return NULL;
}

/* Answers with the first step. Another tab may have made the session whole meanwhile: it stays. */
static struct err *
go_back(struct ctx *c, struct visit *v, struct reply *reply)
{
	const char *then = console_then(c, v, console_sent(v, "then"));
	struct buf address;
	bool whole = v->state == SESSION_GOOD;

	if (v->state == SESSION_HALF)
		TRY(sign_back(c, v->session, &whole));
	if (whole) {
		console_go(c, v, reply, then, NULL);
		return NULL;
	}
	buf_init(&address, c->arena, (size_t)16 * 1024);
	buf_add_text(&address, "/sign-in");
	if (strcmp(then, "/") != 0)
		screen_address_add(&address, "then", then);
	console_go(c, v, reply, buf_done(&address), NULL);
	console_cookie(c, v, reply, "", NULL, 0);
	return NULL;
}

/* A form of the second step whose session is not half any more has no password in it. */
static struct err *
enter(struct ctx *c, struct visit *v, struct reply *reply)
{
	if (console_sent(v, "password") != NULL)
		return take_password(c, v, reply);
	if (console_sent(v, "back") != NULL)
		return go_back(c, v, reply);
	if (v->state == SESSION_HALF)
		return take_code(c, v, reply);
	if (v->state == SESSION_GOOD) {
		console_go(c, v, reply, console_then(c, v, console_sent(v, "then")), NULL);
		return NULL;
	}
	reply->status = 422;
	begin_again(
	    c, v, reply, console_sent(v, "then"), tr("The sign-in took too long. Sign in again."));
	return NULL;
}

static struct err *
leave(struct ctx *c, struct visit *v, struct reply *reply)
{
	TRY(sign_out(c, v->session, v->person->uuid, v->r->address));
	console_signed_out(c, v, reply);
	return NULL;
}

SCREEN(sign_in) = {
	{ "GET", "/sign-in", .title = tr_mark("Sign in"), .access = SCREEN_PUBLIC,
	    .handler = show },
	{ "POST", "/sign-in", .title = tr_mark("Sign in"), .access = SCREEN_PUBLIC,
	    .handler = enter },
	{ "POST", "/sign-out", .title = tr_mark("Sign out"), .access = SCREEN_ANYBODY,
	    .unnumbered = true, .handler = leave },
	{ .method = NULL },
};
