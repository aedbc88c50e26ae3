/* Your account: password, sessions and sign-ins (docs/console.md §4.2). The authenticator is
 * authenticator.c. */
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

struct self
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
	screen_cell(t, arena_printf(c->arena, "%lld", (long long)e->times));
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
		err = console_wrong(c, v, reply, &p->password, err);
		if (err != NULL)
			return err;
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
		err = console_wrong(c, v, reply, &p->language, err);
		if (err != NULL)
			return err;
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
	struct err *err = self_sign_out(c, &self);

	if (err != NULL)
		return err;
	console_signed_out(c, v, reply);
	return NULL;
}

const struct console_row me_screens[] = {
	{ .method = "GET",
	    .pattern = "/me",
	    .title = tr_mark("Your account"),
	    .access = SCREEN_ANYBODY,
	    .handler = show },
	{ .method = "POST",
	    .pattern = "/me",
	    .title = tr_mark("Your account"),
	    .access = SCREEN_ANYBODY,
	    .handler = change_password },
	{ .method = "POST",
	    .pattern = "/me/language",
	    .title = tr_mark("Your account"),
	    .access = SCREEN_ANYBODY,
	    .handler = change_language },
	{ .method = "POST",
	    .pattern = "/me/mails",
	    .title = tr_mark("Your account"),
	    .access = SCREEN_ANYBODY,
	    .handler = change_mails },
	{ .method = "POST",
	    .pattern = "/me/sessions/ID",
	    .title = tr_mark("Your account"),
	    .access = SCREEN_ANYBODY,
	    .handler = end_session },
	{ .method = "POST",
	    .pattern = "/me/sign-out",
	    .title = tr_mark("Your account"),
	    .access = SCREEN_ANYBODY,
	    .handler = sign_out_everywhere },
	{ .method = NULL },
};
