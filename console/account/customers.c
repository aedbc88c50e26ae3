/* Customers: all accounts, for operators (docs/console.md §4.13). */
#include <inttypes.h>
#include <string.h>

#include "action/account-actions.h"
#include "action/site-actions.h"
#include "../all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "console/page.h"
#include "screen/tr.h"

#define ACCOUNTS_MAX 2000 /* the newest; nobody reads more in one page */

static const struct field order_fields[] = {
	{ .name = "name",
	    .label = tr_mark("Name"),
	    .kind = FIELD_TEXT,
	    .max = 800,
	    .required = true,
	    .hint = tr_mark("Of the customer: a company or a person.") },
	{ .name = "verified",
	    .label = tr_mark("Verified"),
	    .kind = FIELD_CHECKBOX,
	    .hint = tr_mark("The customer may order articles, which costs credits.") },
	{ .name = "another",
	    .label = tr_mark("Although there is one of this name"),
	    .kind = FIELD_CHECKBOX },
	{ .name = "create",
	    .label = tr_mark("Create account"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

struct customers {
	struct ctx *c;
	const struct account *accounts[ACCOUNTS_MAX];
	size_t count, passed;
	struct account_trouble *trouble; /* of each of these accounts, in their order */
	int64_t *behind; /* accounts of stale sites, each as often as it has one */
	size_t behind_count;
};

/* ---- changes */

static struct err *
create(struct page *p)
{
	const struct account_order order = { .name = form_text(p->form, "name"),
		.verified = form_is_on(p->form, "verified"),
		.another = form_is_on(p->form, "another") };
	struct account *made;
	struct err *err = account_create(p->c, &order, &made);

	/* The form is the first of its number, so what is there already is the name. */
	if (err != NULL && p->v->spent && err->code == ERR_CONFLICT) {
		err->message = tr(
		    "There is an account of this name already. Tick “Although there is one of this name” to create another one.");
		err->param = "name";
	}
	if (err == NULL)
		console_journal(p->c, p->v, "account create %s", made->uuid);
	return err;
}

static const struct page_act create_it = { .name = "order",
	.fields = order_fields,
	.act = create,
	.go = "/customers",
	.notice = "created" };

static struct err *
change(struct page *p, enum account_change what)
{
	struct account *a;
	int open;

	return account_change(p->c, p->v->account->uuid, what, &a, &open);
}

static struct err *
verify(struct page *p)
{
	return change(p, ACCOUNT_VERIFY);
}

static struct err *
decline(struct page *p)
{
	return change(p, ACCOUNT_DECLINE);
}

static struct err *
suspend(struct page *p)
{
	return change(p, ACCOUNT_SUSPEND);
}

static struct err *
resume(struct page *p)
{
	return change(p, ACCOUNT_RESUME);
}

#define CHANGED .go = "/customers", .notice = "changed"

static const struct page_act verify_it = { .name = "verify",
	.fields = PAGE_BUTTON("verify", tr_mark("Verify"), FIELD_SECONDARY),
	.act = verify,
	.journal = "account verify A",
	CHANGED };

static const struct page_act decline_it = { .name = "decline",
	.fields = PAGE_BUTTON("decline", tr_mark("Decline"), FIELD_SECONDARY),
	.act = decline,
	.journal = "account decline A",
	CHANGED };

static const struct page_act suspend_it = { .name = "suspend",
	.fields = PAGE_BUTTON("suspend", tr_mark("Suspend"), FIELD_DANGER),
	.act = suspend,
	.journal = "account suspend A",
	CHANGED };

static const struct page_act resume_it = { .name = "resume",
	.fields = PAGE_BUTTON("resume", tr_mark("Resume"), FIELD_SECONDARY),
	.act = resume,
	.journal = "account resume A",
	CHANGED };

/* ---- the page */

static void
write_state(struct hwrite *w, const struct account *a)
{
	if (a->suspended)
		screen_state(w, SCREEN_BAD, tr("Suspended"));
	else if (a->verified)
		screen_state(w, SCREEN_GOOD, tr("Verified"));
	else if (a->asked_at != 0)
		screen_state(w, SCREEN_WARNING, tr("Asks to be verified"));
	else
		screen_state(w, SCREEN_NOTE, tr("Not verified"));
}

/* Returns an account, counted from the oldest that is shown. */
static const struct account *
account_at(const struct customers *p, size_t i)
{
	return p->accounts[(p->passed + i) % ACCOUNTS_MAX];
}

/* Returns how many sites of the account are silent for three days. */
static size_t
behind_of(const struct customers *p, const struct account *a)
{
	size_t n = 0;

	for (size_t i = 0; i < p->behind_count; i++)
		n += p->behind[i] == a->id;
	return n;
}

/* Writes a line of what waits, if there is any. */
static void
write_count(struct screen_table *t, const struct customers *p, const char *label, int64_t n)
{
	if (n > 0)
		hwrite_element(t->w, H_DIV, arena_printf(p->c->arena, "%s: %" PRId64, label, n));
}

static void
write_account(struct screen_table *t, struct page *p, size_t i)
{
	const struct customers *all = p->data;
	const struct account *a = account_at(all, i);

	screen_row_begin(t);
	screen_cell_link(t, page_path(p, "/%s/people", a->uuid), a->name);
	screen_cell_begin(t);
	write_state(t->w, a);
	screen_cell_end(t);
	screen_cell_link(t, page_path(p, "/%s/credits", a->uuid),
	    arena_printf(p->c->arena, "%" PRId64, a->available));
	screen_cell_begin(t);
	write_count(t, all, tr("Sites behind"), (int64_t)behind_of(all, a));
	write_count(t, all, tr("Failed orders"), all->trouble[i].failed_jobs);
	write_count(t, all, tr("Ending keys"), all->trouble[i].ending_keys);
	screen_cell_end(t);
	screen_cell_time(t, a->created_at);
	screen_cell_begin(t);
	if (!a->verified)
		page_form(t->w, p, &verify_it, a->uuid);
	if (a->asked_at != 0)
		page_form(t->w, p, &decline_it, a->uuid);
	if (a->suspended)
		page_form(t->w, p, &resume_it, a->uuid);
	else
		screen_question_link(
		    t->w, page_path(p, "/customers/%s/suspend", a->uuid), tr("Suspend"));
	screen_cell_end(t);
	screen_row_end(t);
}

static void
write_list(struct hwrite *w, struct page *p, size_t count)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Account") },
		{ .label = tr_mark("State") },
		{ .label = tr_mark("Credits"), .number = true },
		{ .label = tr_mark("What waits") },
		{ .label = tr_mark("Created") },
		{ .label = tr_mark("Actions") },
		{ .label = NULL },
	};
	struct screen_table t;

	screen_table_begin(&t, w, tr("Accounts, the newest first"), columns);
	for (size_t i = count; i > 0; i--)
		write_account(&t, p, i - 1);
	screen_table_end(&t);
	hwrite_element(w, H_P,
	    tr("Sites behind asked for nothing in the last three days. Orders are those that failed in the last seven days, and keys those that end in the next 14 days and have no successor."));
}

static void
write_page(struct hwrite *w, struct page *p)
{
	const struct customers *all = p->data;

	if (all->count == 0)
		screen_empty(w, tr("There is no account yet: create one below."), NULL, NULL);
	else
		write_list(w, p, all->count);
	hwrite_element(w, H_H2, tr("New account"));
	page_form(w, p, &create_it, NULL);
}

/* Keeps the newest in a ring. */
static void
keep(void *arg, const struct account *account)
{
	struct customers *p = arg;
	struct account *kept = arena_alloc(p->c->arena, sizeof(*kept));

	*kept = *account;
	p->accounts[(p->passed + p->count) % ACCOUNTS_MAX] = kept;
	if (p->count < ACCOUNTS_MAX)
		p->count++;
	else
		p->passed++;
}

static void
keep_behind(void *arg, int64_t account_id)
{
	struct customers *p = arg;
	size_t size = sizeof(*p->behind);

	p->behind = arena_grow(
	    p->c->arena, p->behind, p->behind_count * size, (p->behind_count + 1) * size);
	p->behind[p->behind_count++] = account_id;
}

static void
look_for_trouble(struct customers *p)
{
	p->trouble = arena_array(p->c->arena, p->count + 1, sizeof(*p->trouble));
	for (size_t i = 0; i < p->count; i++)
		p->trouble[i].account_id = account_at(p, i)->id;
	account_look_for_trouble(p->c, p->trouble, p->count);
}

static struct err *
load(struct page *p)
{
	struct customers *all = p->data;

	all->c = p->c;
	if (p->acting)
		return NULL;
	account_show_all(p->c, keep, all);
	look_for_trouble(all);
	sites_list_behind(p->c, keep_behind, all);
	return NULL;
}

static const struct page_kind page = { sizeof(struct customers), load, write_page };

/* ---- the question before "Suspend", which readers notice at once */

static struct err *
load_question(struct page *p)
{
	p->title = tr("Suspend this account?");
	if (!p->acting && p->v->account->suspended)
		return refuse(p->c, ERR_CONFLICT, tr_mark("This account is suspended already."));
	return NULL;
}

static void
write_question(struct hwrite *w, struct page *p)
{
	page_ask(w, p, &suspend_it,
	    (struct console_question) { .about = p->v->account->name,
		.says = { tr("Its public pages, their frames on other websites and its links to previews open nothing any more, and its readers are not counted."),
		    tr("Its people can read and export, but not change, publish or order anything. Dates of publishing and pings wait. Orders that are open go on."),
		    tr("Its own websites still read the articles by the API. To stop that, too, revoke its keys."),
		    tr("“Resume” undoes it.") },
		.back = "/customers" });
}

static const struct page_kind question_page = { .load = load_question, .write = write_question };

#define CUSTOMERS .title = tr_mark("Customers"), .need = RIGHT_OPERATE
#define CUSTOMER CUSTOMERS, .page = &page

SCREEN(customers) = {
	{ "GET", "/customers", CUSTOMER },
	{ "POST", "/customers", CUSTOMER, .act = &create_it },
	{ "POST", "/customers/A/verify", CUSTOMER, .act = &verify_it },
	{ "POST", "/customers/A/decline", CUSTOMER, .act = &decline_it },
	{ "GET", "/customers/A/suspend", CUSTOMERS, .page = &question_page },
	{ "POST", "/customers/A/suspend", CUSTOMERS, .page = &question_page, .act = &suspend_it },
	{ "POST", "/customers/A/resume", CUSTOMER, .act = &resume_it },
	{ .method = NULL },
};
