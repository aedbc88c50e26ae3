/* Whether an account is verified, and how it becomes so (docs/console.md §4.13). */
#include "../all.h"

#include "action/account-actions.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "console/page.h"
#include "screen/say.h"
#include "screen/tr.h"

static struct err *
ask(struct page *p)
{
	const char *account = p->v->account->uuid;
	bool done;
	struct err *err = account_ask_to_verify(p->c, account, &done);

	if (err != NULL)
		return err;
	if (done)
		console_journal(p->c, p->v, "account ask %s", account);
	p->notice = done ? "asked" : NULL;
	return NULL;
}

static const struct page_act ask_it = { .name = "ask",
	.fields = PAGE_BUTTON("ask", tr_mark("Ask to be verified"), FIELD_SECONDARY),
	.act = ask,
	.go = "/A/verification" };

static const struct field verify_fields[] = {
	{ .name = "verify",
	    .label = tr_mark("Verify"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

static const struct field decline_fields[] = {
	{ .name = "decline",
	    .label = tr_mark("Decline"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

/* Returns whether the visitor may do in the whole account what needs RIGHT_MANAGE. */
static bool
is_owner(struct ctx *c, const struct visit *v)
{
	bool is;

	db_begin_read(c, DB_CONSOLE);
	is = (membership_rights(c, v->person->id, v->account->uuid, NULL) & RIGHT_MANAGE) != 0;
	db_rollback(c);
	return is;
}

static void
write_when(struct hwrite *w, const char *what, int64_t at)
{
	hwrite_open(w, H_P);
	hwrite_text(w, what);
	hwrite_text(w, " ");
	say_time(w, at);
	hwrite_close(w, H_P);
}

/* Writes what became of asking. */
static void
write_asked(struct hwrite *w, struct ctx *c, const struct account *a)
{
	if (a->asked_at != 0) {
		write_when(w, tr("An owner asked to have this account verified:"), a->asked_at);
		hwrite_element(w, H_P,
		    tr("An operator sees that on Home, and verifies the account or declines."));
	}
	if (a->declined_at != 0)
		write_when(w, tr("An operator declined to verify this account:"), a->declined_at);
	if (c->now < account_asks_after(a))
		write_when(w, tr("An owner may ask again:"), account_asks_after(a));
}

void
verification_write(struct hwrite *w, struct ctx *c, const struct visit *v)
{
	const struct account *a = v->account;
	struct form f;

	if (a->verified || console_rests(v))
		return;
	if (console_may(v, RIGHT_OPERATE)) {
		screen_notice_link(w, SCREEN_NOTE, tr("The account is not verified."),
		    console_path(c, v, "/%s/verification", a->uuid), tr("Verification"));
		return;
	}
	write_asked(w, c, a);
	if (!is_owner(c, v)) {
		hwrite_open(w, H_P);
		screen_sentence(w,
		    tr("An owner of the account %s can ask the operators to verify it."), a->name);
		hwrite_close(w, H_P);
	} else if (a->asked_at == 0 && c->now >= account_asks_after(a)) {
		form_init(&f, ask_it.name, ask_it.fields);
		console_form(c, v, w, &f, arena_printf(c->arena, "/%s/verification", a->uuid));
	}
}

static void
write_press(struct hwrite *w, const struct page *p, const struct field *fields)
{
	struct form f;

	form_init(&f, fields[0].name, fields);
	console_form(p->c, p->v, w, &f,
	    arena_printf(p->c->arena, "/customers/%s/%s", p->v->account->uuid, fields[0].name));
}

static void
write_page(struct hwrite *w, struct page *p)
{
	const struct account *a = p->v->account;

	hwrite_open(w, H_P);
	if (a->verified)
		screen_state(w, SCREEN_GOOD, tr("Verified"));
	else if (a->asked_at != 0)
		screen_state(w, SCREEN_WARNING, tr("Asks to be verified"));
	else
		screen_state(w, SCREEN_NOTE, tr("Not verified"));
	hwrite_close(w, H_P);
	hwrite_element(w, H_P,
	    tr("A verified account may order articles. Its workspaces may show their articles as pages, and tell websites of changes. Websites that read the API need no verified account."));
	if (!console_may(p->v, RIGHT_OPERATE)) {
		verification_write(w, p->c, p->v);
		return;
	}
	write_asked(w, p->c, a);
	if (!a->verified)
		write_press(w, p, verify_fields);
	if (a->asked_at != 0)
		write_press(w, p, decline_fields);
}

static struct err *
load(struct page *p)
{
	p->under = p->v->account->name;
	return NULL;
}

static const struct page_kind page = { .load = load, .write = write_page };

#define VERIFICATION                                                                               \
	.pattern = "/A/verification", .title = tr_mark("Verification"), .need = RIGHT_MANAGE,      \
	.page = &page

SCREEN(verification) = {
	{ .method = "GET", VERIFICATION },
	{ .method = "POST", VERIFICATION, .act = &ask_it },
	{ .method = NULL },
};
