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

	TRY(account_ask_to_verify(p->c, account, &done));
	if (done)
		console_journal(p->c, p->v, "account ask %s", account);
	p->notice = done ? "asked" : NULL;
	return NULL;
}

static const struct page_act ask_it = { .name = "ask",
	.fields = PAGE_BUTTON("ask", tr_mark("Ask to be verified"), FIELD_SECONDARY),
	.act = ask,
	.go = "/A/verification" };

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

/* Writes what became of asking. */
static void
write_asked(struct hwrite *w, struct ctx *c, const struct account *a)
{
	if (a->asked_at != 0) {
		@ <p>An owner asked to have this account verified: {!say_time(w, a->asked_at)}</p>
		@ <p>An operator sees that on Home, and verifies the account or declines.</p>
	}
	if (a->declined_at != 0)
		@ <p>An operator declined to verify this account: {!say_time(w, a->declined_at)}</p>
	if (c->now < account_asks_after(a))
		@ <p>An owner may ask again: {!say_time(w, account_asks_after(a))}</p>
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
		@ <p>An owner of the account {a->name} can ask the operators to verify it.</p>
	} else if (a->asked_at == 0 && c->now >= account_asks_after(a)) {
		form_init(&f, ask_it.name, ask_it.fields);
		console_form(c, v, w, &f, arena_printf(c->arena, "/%s/verification", a->uuid));
	}
}

/* Writes a button that Customers answers. */
static void
write_press(struct hwrite *w, const struct page *p, const struct field *button)
{
	struct form f;

	form_init(&f, button->name, button);
	console_form(p->c, p->v, w, &f,
	    arena_printf(p->c->arena, "/customers/%s/%s", p->v->account->uuid, button->name));
}

static void
write_page(struct hwrite *w, struct page *p)
{
	const struct account *a = p->v->account;

	if (a->verified)
		@ <p><state good>Verified</state></p>
	else if (a->asked_at != 0)
		@ <p><state warning>Asks to be verified</state></p>
	else
		@ <p><state note>Not verified</state></p>
	@ <p>A verified account may order articles. Its workspaces may show their articles as pages,
	@ and
	@ tell websites of changes. Websites that read the API need no verified account.</p>
	if (!console_may(p->v, RIGHT_OPERATE)) {
		verification_write(w, p->c, p->v);
		return;
	}
	write_asked(w, p->c, a);
	if (!a->verified)
		write_press(w, p, PAGE_BUTTON("verify", tr_mark("Verify"), FIELD_PRIMARY));
	if (a->asked_at != 0)
		write_press(w, p, PAGE_BUTTON("decline", tr_mark("Decline"), FIELD_DANGER));
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
