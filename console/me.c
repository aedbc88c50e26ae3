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
#include "console/page.h"
#include "screen/say.h"
#include "screen/tr.h"

/* Returns who changes the own sign-in. */
static struct self
self_of(const struct page *p)
{
	return (struct self) { .person = p->v->person,
		.session = p->v->session,
		.device = p->v->device,
		.address = p->v->r->address };
}

/* ---- what is changed */

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

static struct err *
change_password(struct page *p)
{
	const struct self self = self_of(p);

	return self_set_password(p->c, &self, form_text(p->form, "present"),
	    form_text(p->form, "password"), p->v->renewed);
}

static const struct page_act password_it = { .name = "password",
	.fields = password_fields,
	.act = change_password,
	.go = "/me",
	.notice = "password-changed" };

static const struct field language_fields[] = {
	{ .name = "language",
	    .label = tr_mark("Language"),
	    .kind = FIELD_SELECT,
	    .required = true,
	    .hint = tr_mark("Of these pages. Articles keep their own.") },
	{ .name = "speak", .label = tr_mark("Change language"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

/* The languages of this build. */
static void
fill_language(struct page *p, struct form *f)
{
	const struct language *l = tr_languages();
	const char *own = p->v->person->language;
	struct field_choice *choices;
	size_t count = 0;

	while (l[count].tag != NULL)
		count++;
	choices = arena_array(p->c->arena, count + 1, sizeof(*choices));
	for (size_t i = 0; i < count; i++)
		choices[i] = (struct field_choice) { .value = l[i].tag, .label = l[i].name };
	form_choices(f, "language", choices);
	form_fill(f, "language", tr_find(own) != NULL ? own : l->tag);
}

static struct err *
change_language(struct page *p)
{
	const struct person_by by = { .person_id = p->v->person->id };
	const struct person_fields fields = { .language = form_text(p->form, "language") };
	struct person *now;

	return person_change(p->c, &by, p->v->person->uuid, &fields, &now);
}

static const struct page_act language_it = { .name = "language",
	.fields = language_fields,
	.fill = fill_language,
	.act = change_language,
	.go = "/me",
	.notice = "changed" };

static const struct field mail_fields[] = {
	{ .name = "mails",
	    .label = tr_mark("Tell me by mail what waits for me"),
	    .kind = FIELD_CHECKBOX,
	    .hint = tr_mark(
		"Articles handed in, orders that failed, keys that end, sites that are silent and few credits, once each.") },
	{ .name = "mail", .label = tr_mark("Change mails"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

static void
fill_mail(struct page *p, struct form *f)
{
	form_tick(f, "mails", p->v->person->mails);
}

static struct err *
change_mails(struct page *p)
{
	const struct self self = self_of(p);

	return self_set_mails(p->c, &self, form_is_on(p->form, "mails"));
}

static const struct page_act mail_it = { .name = "mail",
	.fields = mail_fields,
	.fill = fill_mail,
	.act = change_mails,
	.go = "/me",
	.notice = "changed" };

static struct err *
end_session(struct page *p)
{
	const struct self self = self_of(p);

	return self_end_session(p->c, &self, p->v->id);
}

static const struct page_act end_it = { .name = "end",
	.fields = PAGE_BUTTON("end", tr_mark("End"), FIELD_SECONDARY),
	.act = end_session,
	.go = "/me",
	.notice = "ended" };

static struct err *
sign_out_everywhere(struct page *p)
{
	const struct self self = self_of(p);

	TRY(self_sign_out(p->c, &self));
	console_signed_out(p->c, p->v, p->reply);
	p->answered = true;
	return NULL;
}

static const struct page_act everywhere_it = { .name = "everywhere",
	.fields = PAGE_BUTTON("everywhere", tr_mark("Sign out everywhere"), FIELD_DANGER),
	.act = sign_out_everywhere };

/* ---- the page */

#define SESSIONS_MAX 100

struct own {
	bool mails; /* this instance sends mails */
	struct factor_state factor;
	const struct session *sessions[SESSIONS_MAX];
	size_t count;
	struct trace_event events[TRACE_EVENTS];
	size_t event_count;
};

static void
add_session(void *arg, const struct session *s)
{
	struct own *own = arg;

	if (own->count < SESSIONS_MAX)
		own->sessions[own->count++] = s;
}

static struct err *
load(struct page *p)
{
	const struct self self = self_of(p);
	struct own *own = p->data;

	p->under = p->v->person->email;
	if (p->acting)
		return NULL;
	own->mails = mailing_is_on(p->c);
	self_factor(p->c, &self, &own->factor);
	self_sessions(p->c, &self, add_session, own);
	own->event_count = trace_events(p->c, p->v->person->uuid, own->events);
	return NULL;
}

static void
write_authenticator(struct hwrite *w, const struct page *p, const struct own *own)
{
	long long left = own->factor.codes_left;

	@ <h2>Authenticator</h2><p>
	if (own->factor.exists)
		@ {=arena_printf(p->c->arena,
		@     tr_count("The sign-in asks for a code. %lld recovery code is left.",
		@         "The sign-in asks for a code. %lld recovery codes are left.", left), left)}
	else
		@ With an authenticator on your phone, a stolen password alone opens nothing.
	@ </p><p><a class="button" href="/me/authenticator">
	@ {=own->factor.exists ? tr("Authenticator and recovery codes")
	@     : tr("Set up an authenticator")}</a></p>
}

static void
write_sessions(struct hwrite *w, struct page *p, const struct own *own)
{
	@ <h2>Sessions</h2>
	@ <list caption="Where you are signed in" columns="Browser|Address|Last used|Session">
	for (size_t i = 0; i < own->count; i++) {
		const struct session *s = own->sessions[i];
		@ <row><cell>{s->browser[0] != '\0' ? s->browser : tr("Unknown browser")}</cell>
		@ <cell>{s->address}</cell><cell>{!say_time(w, s->used_at)}</cell><cell>
		if (s->id == p->v->session->id)
			@ <state good>This one</state>
		else
			page_form(w, p, &end_it, s->uuid);
		@ </cell></row>
	}
	@ </list>
	page_form(w, p, &everywhere_it, NULL);
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

static const char *
event_label(const char *kind)
{
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		if (strcmp(events[i].kind, kind) == 0)
			return tr(events[i].label);
	}
	return tr("Something else");
}

static void
write_events(struct hwrite *w, const struct own *own)
{
	if (own->event_count == 0)
		return;
	@ <h2>Sign-ins</h2>
	@ <p>If somebody else signed in, or knew your password, change it.</p>
	@ <list caption="Sign-ins and failures, the newest first"
	@     columns="What|Time (UTC)|Address|Times#">
	for (size_t i = 0; i < own->event_count; i++) {
		const struct trace_event *e = &own->events[i];
		@ <row><cell>{=event_label(e->kind)}</cell><cell>{!say_moment(w, e->at)}</cell>
		@ <cell>{e->address}</cell><cell>{e->times}</cell></row>
	}
	@ </list>
}

static void
write_page(struct hwrite *w, struct page *p)
{
	const struct own *own = p->data;

	@ <h2>Password</h2>{!page_form(w, p, &password_it, NULL)}
	write_authenticator(w, p, own);
	/* With one language there is nothing to choose. */
	if (tr_languages()[1].tag != NULL)
		@ <h2>Language</h2>{!page_form(w, p, &language_it, NULL)}
	if (own->mails)
		@ <h2>Mails</h2>{!page_form(w, p, &mail_it, NULL)}
	write_sessions(w, p, own);
	write_events(w, own);
}

static const struct page_kind page = { sizeof(struct own), load, write_page };

/* ---- the authenticator and the recovery codes */

struct authenticator {
	struct factor_state factor;
	const char *offer, *secret, *qr; /* of one that is not confirmed */
	int size;
	const char *shown[FACTOR_CODES]; /* recovery codes */
};

static void
write_codes(struct hwrite *w, struct page *p)
{
	const struct authenticator *a = p->data;

	@ <p>Each of these codes works once in place of the authenticator. Print them, or write them
	@ down: they are shown only now.</p><ul>
	for (size_t i = 0; i < FACTOR_CODES; i++)
		@ <li><code>{=a->shown[i]}</code></li>
	@ </ul><p><a class="button primary" href="/me">Your account</a></p>
}

static struct err *
show_codes(struct page *p)
{
	page_answer(p, tr("Recovery codes"), NULL, write_codes);
	return NULL;
}

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

static void
fill_confirm(struct page *p, struct form *f)
{
	form_fill(f, "offer", ((const struct authenticator *)p->data)->offer);
}

static struct err *
confirm(struct page *p)
{
	struct authenticator *a = p->data;
	const struct self self = self_of(p);
	const char *offer = form_text(p->form, "offer");

	TRY(self_set_factor(p->c, &self, offer != NULL ? offer : "", form_text(p->form, "code"),
	    a->shown, p->v->renewed));
	console_renewed(p->c, p->v);
	return show_codes(p);
}

static const struct page_act confirm_it = {
	.name = "confirm", .fields = confirm_fields, .fill = fill_confirm, .act = confirm
};

static struct err *
draw(struct page *p)
{
	const struct self self = self_of(p);

	TRY(self_draw_codes(p->c, &self, ((struct authenticator *)p->data)->shown));
	return show_codes(p);
}

static const struct page_act draw_it = { .name = "codes",
	.fields = PAGE_BUTTON("codes", tr_mark("New recovery codes"), FIELD_SECONDARY),
	.act = draw };

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

static struct err *
removal(struct page *p)
{
	const struct self self = self_of(p);

	return self_remove_factor(p->c, &self, form_text(p->form, "password"), p->v->renewed);
}

static const struct page_act remove_it = { .name = "removal",
	.fields = remove_fields,
	.act = removal,
	.go = "/me",
	.notice = "factor-removed" };

/* Offers a secret: the one that was sent, if it is an offer still. */
static void
load_offer(struct page *p, struct authenticator *a)
{
	const char *person = p->v->person->uuid;
	unsigned char secret[TOTP_SECRET];
	struct arena *arena = p->c->arena;

	a->offer = console_sent(p->v, "offer");
	if (a->offer == NULL || !factor_offered(p->c, person, a->offer, secret))
		a->offer = factor_offer(p->c, person, secret);
	a->secret = totp_grouped(arena, totp_base32(arena, secret, TOTP_SECRET));
	a->qr =
	    totp_qr(arena, totp_address(arena, secret, "Galley", p->v->person->email), &a->size);
	explicit_bzero(secret, sizeof(secret));
}

static struct err *
load_authenticator(struct page *p)
{
	struct authenticator *a = p->data;
	const struct self self = self_of(p);

	if (!p->acting && !page_step_up(p))
		return NULL;
	self_factor(p->c, &self, &a->factor);
	if (!a->factor.exists)
		load_offer(p, a);
	return NULL;
}

static void
write_own(struct hwrite *w, struct page *p)
{
	const struct authenticator *a = p->data;
	long long left = a->factor.codes_left;

	if (a->factor.exists) {
		@ <h2>Recovery codes</h2>
		@ <p>{=arena_printf(p->c->arena,
		@     tr_count("%lld code is left. New codes end all older ones.",
		@         "%lld codes are left. New codes end all older ones.", left), left)}</p>
		@ {!page_form(w, p, &draw_it, NULL)}<h2>Remove the authenticator</h2>
		page_form(w, p, &remove_it, NULL);
	} else {
		@ <p>Scan this with the authenticator on your phone, or type the secret below into
		@ it. Then type the code that it shows.</p>
		@ <p><svg viewBox="0 0 {a->size} {a->size}" width="240" height="240" role="img"
		@     aria-label="QR code of the secret below" class="qr"><path d={a->qr}></path>
		@ </svg></p>
		screen_copy(w, tr("the secret"), a->secret);
		page_form(w, p, &confirm_it, NULL);
	}
}

static const struct page_kind authenticator_page = { sizeof(struct authenticator),
	load_authenticator, write_own };

#define ME .title = tr_mark("Your account"), .access = SCREEN_ANYBODY, .page = &page
#define AUTHENTICATOR                                                                              \
	.title = tr_mark("Authenticator"), .access = SCREEN_ANYBODY, .page = &authenticator_page

SCREEN(me) = {
	{ "GET", "/me/authenticator", AUTHENTICATOR },
	{ "POST", "/me/authenticator", AUTHENTICATOR, .step_up = true, .act = &confirm_it },
	{ "POST", "/me/recovery-codes", AUTHENTICATOR, .step_up = true, .act = &draw_it },
	{ "POST", "/me/authenticator/remove", AUTHENTICATOR, .step_up = true, .act = &remove_it },
	{ "GET", "/me", ME },
	{ "POST", "/me", ME, .act = &password_it },
	{ "POST", "/me/language", ME, .act = &language_it },
	{ "POST", "/me/mails", ME, .act = &mail_it },
	{ "POST", "/me/sessions/ID", ME, .act = &end_it },
	{ "POST", "/me/sign-out", ME, .act = &everywhere_it },
	{ .method = NULL },
};
