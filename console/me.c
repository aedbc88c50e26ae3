/* Your account (docs/console.md §4.2): password, language, mails, sessions and sign-ins; and the
 * authenticator with the recovery codes (§3.2). The forms of the latter hold a password, so their
 * page asks who it is before it is shown (§3.4). */
#include <string.h>

#include "action/person/credentials.h"
#include "action/person/mailing.h"
#include "action/person/person-actions.h"
#include "action/person/person-look.h"
#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "screen/say.h"
#include "screen/tr.h"

#define SESSIONS_MAX 100

static const struct field password_fields[] = {
	{ .name = "present",
	    .label = tr_mark("Present password"),
	    .kind = FIELD_PASSWORD,
	    .max = 2000,
	    .required = true,
	    .autocomplete = "current-password" },
	{ .name = "password",
	    .label = tr_mark("New password"),
	    .kind = FIELD_PASSWORD,
	    .max = 2000,
	    .required = true,
	    .autocomplete = "new-password",
	    .hint = tr_mark(
		"At least 12 characters, or 8 with an authenticator. All your other sessions end.") },
	{ .name = "change",
	    .label = tr_mark("Change password"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

static const struct field end_fields[] = {
	{ .name = "end", .label = tr_mark("End"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

static const struct field everywhere_fields[] = {
	{ .name = "everywhere",
	    .label = tr_mark("Sign out everywhere"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

static const struct field language_fields[] = {
	{ .name = "language",
	    .label = tr_mark("Language"),
	    .kind = FIELD_SELECT,
	    .required = true,
	    .hint = tr_mark("Of these pages. Articles keep their own.") },
	{ .name = "speak", .label = tr_mark("Change language"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

static const struct field mail_fields[] = {
	{ .name = "mails",
	    .label = tr_mark("Tell me by mail what waits for me"),
	    .kind = FIELD_CHECKBOX,
	    .hint = tr_mark(
		"Articles handed in, orders that failed, keys that end, sites that are silent and few credits, once each.") },
	{ .name = "mail", .label = tr_mark("Change mails"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

struct page {
	struct ctx *c;
	const struct visit *v;
	struct form password, language, mail;
	bool mails; /* this instance sends mails */
	struct factor_state factor;
	const struct session *sessions[SESSIONS_MAX];
	size_t count;
	struct trace_event events[TRACE_EVENTS];
	size_t event_count;
};

/* Returns who changes the own sign-in. */
static struct self
self_of(const struct visit *v)
{
	return (struct self) { .person = v->person,
		.session = v->session,
		.device = v->device,
		.address = v->r->address };
}

static void
add_session(void *arg, const struct session *s)
{
	struct page *p = arg;

	if (p->count < SESSIONS_MAX)
		p->sessions[p->count++] = s;
}

/* Gives the form the languages of this build. */
static void
fill_languages(struct ctx *c, const struct visit *v, struct form *f)
{
	const struct language *l = tr_languages();
	struct field_choice *choices;
	size_t count = 0;

	while (l[count].tag != NULL)
		count++;
	choices = arena_array(c->arena, count + 1, sizeof(*choices));
	for (size_t i = 0; i < count; i++)
		choices[i] = (struct field_choice) { .value = l[i].tag, .label = l[i].name };
	form_init(f, "language", language_fields);
	form_choices(f, "language", choices);
	form_fill(
	    f, "language", tr_find(v->person->language) != NULL ? v->person->language : l->tag);
}

static struct page *
page_init(struct ctx *c, const struct visit *v)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));
	const struct self self = self_of(v);

	p->c = c;
	p->v = v;
	form_init(&p->password, "password", password_fields);
	fill_languages(c, v, &p->language);
	p->mails = mailing_is_on(c);
	form_init(&p->mail, "mail", mail_fields);
	form_tick(&p->mail, "mails", v->person->mails);
	self_factor(c, &self, &p->factor);
	self_sessions(c, &self, add_session, p);
	p->event_count = trace_events(c, v->person->uuid, p->events);
	return p;
}

/* ---- the page */

static void
write_authenticator(struct hwrite *w, const struct page *p)
{
	hwrite_element(w, H_H2, tr("Authenticator"));
	if (p->factor.exists)
		hwrite_element(w, H_P,
		    arena_printf(p->c->arena,
			tr_count("The sign-in asks for a code. %lld recovery code is left.",
			    "The sign-in asks for a code. %lld recovery codes are left.",
			    p->factor.codes_left),
			(long long)p->factor.codes_left));
	else
		hwrite_element(w, H_P,
		    tr("With an authenticator on your phone, a stolen password alone opens nothing."));
	hwrite_open(w, H_P);
	screen_button_link(w, console_path(p->c, p->v, "/me/authenticator"),
	    p->factor.exists ? tr("Authenticator and recovery codes")
			     : tr("Set up an authenticator"),
	    false);
	hwrite_close(w, H_P);
}

static void
write_session(struct screen_table *t, const struct page *p, size_t i)
{
	const struct session *s = p->sessions[i];
	struct form end;

	screen_row_begin(t);
	screen_cell(t, s->browser[0] != '\0' ? s->browser : tr("Unknown browser"));
	screen_cell(t, s->address);
	screen_cell_time(t, s->used_at);
	screen_cell_begin(t);
	if (s->id == p->v->session->id) {
		screen_state(t->w, SCREEN_GOOD, tr("This one"));
	} else {
		form_init(&end, arena_printf(p->c->arena, "end-%zu", i), end_fields);
		console_form(
		    p->c, p->v, t->w, &end, arena_printf(p->c->arena, "/me/sessions/%s", s->uuid));
	}
	screen_cell_end(t);
	screen_row_end(t);
}

static void
write_sessions(struct hwrite *w, const struct page *p)
{
	const struct screen_column columns[] = {
		{ .label = tr("Browser") },
		{ .label = tr("Address") },
		{ .label = tr("Last used") },
		{ .label = tr("Session") },
		{ .label = NULL },
	};
	struct screen_table t;
	struct form everywhere;

	hwrite_element(w, H_H2, tr("Sessions"));
	screen_table_begin(&t, w, tr("Where you are signed in"), columns);
	for (size_t i = 0; i < p->count; i++)
		write_session(&t, p, i);
	screen_table_end(&t);
	form_init(&everywhere, "everywhere", everywhere_fields);
	console_form(p->c, p->v, w, &everywhere, "/me/sign-out");
}

static const struct {
	const char *kind, *label;
} events[] = {
	{ "sign-in", tr_mark("Signed in") },
	{ "sign-out", tr_mark("Signed out") },
	{ "password-right", tr_mark("The password was right; a code was asked for") },
	{ "wrong-password", tr_mark("Wrong password") },
	{ "wrong-code", tr_mark("Wrong code") },
	{ "wrong-step-up", tr_mark("Wrong answer to \"Is it you?\"") },
	{ "throttled", tr_mark("Refused after too many tries") },
	{ "disabled", tr_mark("Refused: disabled") },
	{ "joined", tr_mark("Joined by an invitation") },
	{ "reset-by-link", tr_mark("New password by a link") },
	{ "reset-by-code", tr_mark("New password by a code of Start") },
	{ "first-operator", tr_mark("Became the first operator") },
	{ "password-changed", tr_mark("Password changed") },
	{ "factor-set", tr_mark("Authenticator set up") },
	{ "factor-removed", tr_mark("Authenticator removed") },
	{ "recovery-codes", tr_mark("New recovery codes") },
	{ "session-ended", tr_mark("Session ended") },
	{ "signed-out-everywhere", tr_mark("Signed out everywhere") },
};

static void
write_event(struct screen_table *t, struct ctx *c, const struct trace_event *e)
{
	const char *label = tr("Something else");

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		if (strcmp(events[i].kind, e->kind) == 0)
			label = tr(events[i].label);
	}
	screen_row_begin(t);
	screen_cell(t, label);
	screen_cell_begin(t);
	say_moment(t->w, e->at);
	screen_cell_end(t);
	screen_cell(t, e->address);
	screen_cell(t, tr_number(c->arena, e->times));
	screen_row_end(t);
}

static void
write_events(struct hwrite *w, const struct page *p)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("What") },
		{ .label = tr_mark("Time (UTC)") },
		{ .label = tr_mark("Address") },
		{ .label = tr_mark("Times"), .number = true },
		{ .label = NULL },
	};
	struct screen_table t;

	if (p->event_count == 0)
		return;
	hwrite_element(w, H_H2, tr("Sign-ins"));
	hwrite_element(w, H_P, tr("If somebody else signed in, or knew your password, change it."));
	screen_table_begin(&t, w, tr("Sign-ins and failures, the newest first"), columns);
	for (size_t i = 0; i < p->event_count; i++)
		write_event(&t, p->c, &p->events[i]);
	screen_table_end(&t);
}

/* With one language there is nothing to choose. */
static void
write_language(struct hwrite *w, const struct page *p)
{
	if (tr_languages()[1].tag == NULL)
		return;
	hwrite_element(w, H_H2, tr("Language"));
	console_form(p->c, p->v, w, &p->language, "/me/language");
}

static void
write_mails(struct hwrite *w, const struct page *p)
{
	if (!p->mails)
		return;
	hwrite_element(w, H_H2, tr("Mails"));
	console_form(p->c, p->v, w, &p->mail, "/me/mails");
}

static void
write_main(struct hwrite *w, const void *data)
{
	const struct page *p = data;

	hwrite_element(w, H_H2, tr("Password"));
	console_form(p->c, p->v, w, &p->password, "/me");
	write_authenticator(w, p);
	write_language(w, p);
	write_mails(w, p);
	write_sessions(w, p);
	write_events(w, p);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	console_page(c, v, reply, NULL, v->person->email, write_main, page_init(c, v));
	return NULL;
}

/* ---- changes */

static struct err *
change_password(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = page_init(c, v);
	const struct self self = self_of(v);
	struct err *err;

	reply->status = 422;
	console_will_go(v, "/me?notice=password-changed");
	if (console_read(c, v, &p->password)) {
		err = self_set_password(c, &self, form_text(&p->password, "present"),
		    form_text(&p->password, "password"), v->renewed);
		if (err == NULL) {
			console_go(c, v, reply, "/me", "password-changed");
			return NULL;
		}
		TRY(console_wrong(c, v, reply, &p->password, err));
	}
	console_page(c, v, reply, NULL, v->person->email, write_main, p);
	return NULL;
}

static struct err *
change_language(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = page_init(c, v);
	const struct person_by by = { .person_id = v->person->id };
	struct person_fields fields = { .language = NULL };
	struct person *now;
	struct err *err;

	reply->status = 422;
	console_will_go(v, "/me?notice=changed");
	if (console_read(c, v, &p->language)) {
		fields.language = form_text(&p->language, "language");
		err = person_change(c, &by, v->person->uuid, &fields, &now);
		if (err == NULL) {
			console_go(c, v, reply, "/me", "changed");
			return NULL;
		}
		TRY(console_wrong(c, v, reply, &p->language, err));
	}
	console_page(c, v, reply, NULL, v->person->email, write_main, p);
	return NULL;
}

static struct err *
change_mails(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = page_init(c, v);
	const struct self self = self_of(v);
	struct err *err;

	console_will_go(v, "/me?notice=changed");
	if (!console_read(c, v, &p->mail)) {
		console_refused(v, reply);
		console_page(c, v, reply, NULL, v->person->email, write_main, p);
		return NULL;
	}
	err = self_set_mails(c, &self, form_is_on(&p->mail, "mails"));
	if (err == NULL)
		console_go(c, v, reply, "/me", "changed");
	return err;
}

static struct err *
end_session(struct ctx *c, struct visit *v, struct reply *reply)
{
	const struct self self = self_of(v);
	struct err *err;

	console_will_go(v, "/me?notice=ended");
	err = self_end_session(c, &self, v->id);
	if (err == NULL)
		console_go(c, v, reply, "/me", "ended");
	return err;
}

static struct err *
sign_out_everywhere(struct ctx *c, struct visit *v, struct reply *reply)
{
	const struct self self = self_of(v);

	TRY(self_sign_out(c, &self));
	console_signed_out(c, v, reply);
	return NULL;
}

/* ---- the authenticator and the recovery codes */

static const struct field confirm_fields[] = {
	{ .name = "offer", .kind = FIELD_HIDDEN },
	{ .name = "code",
	    .label = tr_mark("Code"),
	    .kind = FIELD_TEXT,
	    .max = 20,
	    .required = true,
	    .autocomplete = "one-time-code",
	    .inputmode = "numeric",
	    .dir = "ltr",
	    .hint = tr_mark("The six digits that the authenticator shows now.") },
	{ .name = "confirm",
	    .label = tr_mark("Confirm"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

static const struct field codes_fields[] = {
	{ .name = "codes", .label = tr_mark("New recovery codes"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

static const struct field remove_fields[] = {
	{ .name = "password",
	    .label = tr_mark("New password"),
	    .kind = FIELD_PASSWORD,
	    .max = 2000,
	    .required = true,
	    .autocomplete = "new-password",
	    .hint = tr_mark(
		"At least 12 characters: without an authenticator a password must be longer.") },
	{ .name = "remove",
	    .label = tr_mark("Remove"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

struct authenticator_page {
	struct ctx *c;
	const struct visit *v;
	struct factor_state factor;
	struct form confirm, codes, removal;
	const char *secret, *qr; /* of an offer */
	int size;
	const char *shown[FACTOR_CODES]; /* recovery codes */
};

/* Makes the pictures of a secret. */
static void
show_secret(struct authenticator_page *p, const unsigned char secret[TOTP_SECRET])
{
	struct arena *a = p->c->arena;

	p->secret = totp_grouped(a, totp_base32(a, secret, TOTP_SECRET));
	p->qr = totp_qr(a, totp_address(a, secret, "Galley", p->v->person->email), &p->size);
}

static struct authenticator_page *
authenticator_init(struct ctx *c, const struct visit *v, const char *offer)
{
	struct authenticator_page *p = arena_alloc(c->arena, sizeof(*p));
	const struct self self = self_of(v);
	unsigned char secret[TOTP_SECRET];

	p->c = c;
	p->v = v;
	self_factor(c, &self, &p->factor);
	form_init(&p->confirm, "confirm", confirm_fields);
	form_init(&p->codes, "codes", codes_fields);
	form_init(&p->removal, "removal", remove_fields);
	if (p->factor.exists)
		return p;
	if (offer == NULL || !factor_offered(c, v->person->uuid, offer, secret))
		offer = factor_offer(c, v->person->uuid, secret);
	form_fill(&p->confirm, "offer", offer);
	show_secret(p, secret);
	explicit_bzero(secret, sizeof(secret));
	return p;
}

static void
write_qr(struct hwrite *w, const struct authenticator_page *p)
{
	hwrite_open(w, H_P);
	hwrite_open(w, H_SVG);
	hwrite_attr(w, A_VIEWBOX, arena_printf(p->c->arena, "0 0 %d %d", p->size, p->size));
	hwrite_number(w, A_WIDTH, 240);
	hwrite_number(w, A_HEIGHT, 240);
	hwrite_attr(w, A_ROLE, "img");
	hwrite_attr(w, A_ARIA_LABEL, tr("QR code of the secret below"));
	hwrite_attr(w, A_CLASS, "qr");
	hwrite_open(w, H_PATH);
	hwrite_attr(w, A_D, p->qr);
	hwrite_close(w, H_PATH);
	hwrite_close(w, H_SVG);
	hwrite_close(w, H_P);
}

static void
write_offer(struct hwrite *w, const struct authenticator_page *p)
{
	hwrite_element(w, H_P,
	    tr("Scan this with the authenticator on your phone, or type the secret below into it. Then type the code that it shows."));
	write_qr(w, p);
	screen_copy(w, tr("the secret"), p->secret);
	console_form(p->c, p->v, w, &p->confirm, "/me/authenticator");
}

static void
write_own(struct hwrite *w, const void *data)
{
	const struct authenticator_page *p = data;

	if (!p->factor.exists) {
		write_offer(w, p);
		return;
	}
	hwrite_element(w, H_H2, tr("Recovery codes"));
	hwrite_element(w, H_P,
	    arena_printf(p->c->arena,
		tr_count("%lld code is left. New codes end all older ones.",
		    "%lld codes are left. New codes end all older ones.", p->factor.codes_left),
		(long long)p->factor.codes_left));
	console_form(p->c, p->v, w, &p->codes, "/me/recovery-codes");
	hwrite_element(w, H_H2, tr("Remove the authenticator"));
	console_form(p->c, p->v, w, &p->removal, "/me/authenticator/remove");
}

static void
write_codes(struct hwrite *w, const void *data)
{
	const struct authenticator_page *p = data;

	hwrite_element(w, H_P,
	    tr("Each of these codes works once in place of the authenticator. Print them, or write them down: they are shown only now."));
	hwrite_open(w, H_UL);
	for (size_t i = 0; i < FACTOR_CODES; i++) {
		hwrite_open(w, H_LI);
		hwrite_element(w, H_CODE, p->shown[i]);
		hwrite_close(w, H_LI);
	}
	hwrite_close(w, H_UL);
	hwrite_open(w, H_P);
	screen_button_link(w, console_path(p->c, p->v, "/me"), tr("Your account"), true);
	hwrite_close(w, H_P);
}

static struct err *
show_authenticator(struct ctx *c, struct visit *v, struct reply *reply)
{
	if (console_step_up(c, v, reply))
		console_page(c, v, reply, NULL, NULL, write_own, authenticator_init(c, v, NULL));
	return NULL;
}

/* Ends a change that was refused: the page with the reason. */
static struct err *
refused(struct ctx *c, struct visit *v, struct reply *reply, struct authenticator_page *p,
    struct form *f, struct err *err)
{
	if (err != NULL)
		err = console_wrong(c, v, reply, f, err);
	if (err == NULL)
		console_page(c, v, reply, NULL, NULL, write_own, p);
	return err;
}

static struct err *
confirm(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct authenticator_page *p = authenticator_init(c, v, console_sent(v, "offer"));
	const struct self self = self_of(v);
	const char *offer;
	struct err *err;

	reply->status = 422;
	if (!console_read(c, v, &p->confirm))
		return refused(c, v, reply, p, &p->confirm, NULL);
	offer = form_text(&p->confirm, "offer");
	err = self_set_factor(c, &self, offer != NULL ? offer : "", form_text(&p->confirm, "code"),
	    p->shown, v->renewed);
	if (err != NULL)
		return refused(c, v, reply, p, &p->confirm, err);
	reply->status = 200;
	console_renewed(c, v);
	console_page(c, v, reply, tr("Recovery codes"), NULL, write_codes, p);
	return NULL;
}

static struct err *
draw(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct authenticator_page *p = authenticator_init(c, v, NULL);
	const struct self self = self_of(v);
	struct err *err = self_draw_codes(c, &self, p->shown);

	if (err == NULL)
		console_page(c, v, reply, tr("Recovery codes"), NULL, write_codes, p);
	return err;
}

static struct err *
removal(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct authenticator_page *p = authenticator_init(c, v, NULL);
	const struct self self = self_of(v);
	struct err *err;

	if (!p->factor.exists)
		return refuse(c, ERR_CONFLICT, "%s", tr("There is no authenticator any more."));
	reply->status = 422;
	console_will_go(v, "/me?notice=factor-removed");
	if (!console_read(c, v, &p->removal))
		return refused(c, v, reply, p, &p->removal, NULL);
	err = self_remove_factor(c, &self, form_text(&p->removal, "password"), v->renewed);
	if (err != NULL)
		return refused(c, v, reply, p, &p->removal, err);
	console_go(c, v, reply, "/me", "factor-removed");
	return NULL;
}

SCREEN(me) = {
	{ "GET", "/me/authenticator", .title = tr_mark("Authenticator"), .access = SCREEN_ANYBODY,
	    .handler = show_authenticator },
	{ "POST", "/me/authenticator", .title = tr_mark("Authenticator"), .access = SCREEN_ANYBODY,
	    .step_up = true, .handler = confirm },
	{ "POST", "/me/recovery-codes", .title = tr_mark("Recovery codes"),
	    .access = SCREEN_ANYBODY, .step_up = true, .handler = draw },
	{ "POST", "/me/authenticator/remove", .title = tr_mark("Authenticator"),
	    .access = SCREEN_ANYBODY, .step_up = true, .handler = removal },
	{ "GET", "/me", .title = tr_mark("Your account"), .access = SCREEN_ANYBODY,
	    .handler = show },
	{ "POST", "/me", .title = tr_mark("Your account"), .access = SCREEN_ANYBODY,
	    .handler = change_password },
	{ "POST", "/me/language", .title = tr_mark("Your account"), .access = SCREEN_ANYBODY,
	    .handler = change_language },
	{ "POST", "/me/mails", .title = tr_mark("Your account"), .access = SCREEN_ANYBODY,
	    .handler = change_mails },
	{ "POST", "/me/sessions/ID", .title = tr_mark("Your account"), .access = SCREEN_ANYBODY,
	    .handler = end_session },
	{ "POST", "/me/sign-out", .title = tr_mark("Your account"), .access = SCREEN_ANYBODY,
	    .handler = sign_out_everywhere },
	{ .method = NULL },
};
