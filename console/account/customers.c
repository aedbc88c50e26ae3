/* Customers: all accounts, for operators (docs/console.md §4.13). */
#include <inttypes.h>
#include <string.h>

#include "action/account-actions.h"
#include "action/site-actions.h"
#include "../all.h"
#include "base/arena.h"
#include "base/ctx.h"
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

/* The buttons of a row, by enum account_change. */
static const struct field press_fields[][2] = {
	[ACCOUNT_VERIFY] = { { .name = "verify",
	    .label = tr_mark("Verify"),
	    .kind = FIELD_SUBMIT } },
	[ACCOUNT_DECLINE] = { { .name = "decline",
	    .label = tr_mark("Decline"),
	    .kind = FIELD_SUBMIT } },
	[ACCOUNT_SUSPEND] = { { .name = "suspend",
	    .label = tr_mark("Suspend"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER } },
	[ACCOUNT_RESUME] = { { .name = "resume",
	    .label = tr_mark("Resume"),
	    .kind = FIELD_SUBMIT } },
};

struct customers {
	struct ctx *c;
	const struct visit *v;
	const struct account *accounts[ACCOUNTS_MAX];
	size_t count, passed;
	struct account_trouble *trouble; /* of each of these accounts, in their order */
	int64_t *behind; /* accounts of stale sites, each as often as it has one */
	size_t behind_count;
	struct form order;
};

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

/* Writes a form that is one button. */
static void
write_press(
    struct hwrite *w, const struct customers *p, const struct account *a, enum account_change which)
{
	const struct field *fields = press_fields[which];
	struct form *f = arena_alloc(p->c->arena, sizeof(*f));

	form_init(f, arena_printf(p->c->arena, "%s-%" PRId64, fields[0].name, a->id), fields);
	console_form(p->c, p->v, w, f,
	    arena_printf(p->c->arena, "/customers/%s/%s", a->uuid, fields[0].name));
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
write_account(struct screen_table *t, const struct customers *p, size_t i)
{
	const struct account *a = account_at(p, i);

	screen_row_begin(t);
	screen_cell_link(t, console_path(p->c, p->v, "/%s/people", a->uuid), a->name);
	screen_cell_begin(t);
	write_state(t->w, a);
	screen_cell_end(t);
	screen_cell_link(t, console_path(p->c, p->v, "/%s/credits", a->uuid),
	    arena_printf(p->c->arena, "%" PRId64, a->available));
	screen_cell_begin(t);
	write_count(t, p, tr("Sites behind"), (int64_t)behind_of(p, a));
	write_count(t, p, tr("Failed orders"), p->trouble[i].failed_jobs);
	write_count(t, p, tr("Ending keys"), p->trouble[i].ending_keys);
	screen_cell_end(t);
	screen_cell_time(t, a->created_at);
	screen_cell_begin(t);
	if (!a->verified)
		write_press(t->w, p, a, ACCOUNT_VERIFY);
	if (a->asked_at != 0)
		write_press(t->w, p, a, ACCOUNT_DECLINE);
	if (a->suspended)
		write_press(t->w, p, a, ACCOUNT_RESUME);
	else
		screen_question_link(t->w,
		    console_path(p->c, p->v, "/customers/%s/suspend", a->uuid), tr("Suspend"));
	screen_cell_end(t);
	screen_row_end(t);
}

static void
write_list(struct hwrite *w, const struct customers *p)
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
	for (size_t i = p->count; i > 0; i--)
		write_account(&t, p, i - 1);
	screen_table_end(&t);
	hwrite_element(w, H_P,
	    tr("Sites behind asked for nothing in the last three days. Orders are those that failed in the last seven days, and keys those that end in the next 14 days and have no successor."));
}

static void
write_page(struct hwrite *w, const void *data)
{
	const struct customers *p = data;

	if (p->count == 0)
		screen_empty(w, tr("There is no account yet: create one below."), NULL, NULL);
	else
		write_list(w, p);
	hwrite_element(w, H_H2, tr("New account"));
	console_form(p->c, p->v, w, &p->order, "/customers");
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

static struct customers *
begin(struct ctx *c, const struct visit *v)
{
	struct customers *p = arena_alloc(c->arena, sizeof(*p));

	p->c = c;
	p->v = v;
	form_init(&p->order, "order", order_fields);
	return p;
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
show(struct customers *p, struct reply *reply)
{
	account_show_all(p->c, keep, p);
	look_for_trouble(p);
	sites_list_behind(p->c, keep_behind, p);
	console_page(p->c, p->v, reply, NULL, NULL, write_page, p);
	return NULL;
}

static struct err *
customers(struct ctx *c, struct visit *v, struct reply *reply)
{
	return show(begin(c, v), reply);
}

/* ---- changes */

/* Shows the form again with the refusal of an account. */
static struct err *
wrong(struct customers *p, struct visit *v, struct reply *reply, struct err *err)
{
	/* The form is the first of its number, so what is there already is the name. */
	if (v->spent && err->code == ERR_CONFLICT) {
		err->message = tr(
		    "There is an account of this name already. Tick “Although there is one of this name” to create another one.");
		err->param = "name";
	}
	err = console_wrong(p->c, v, reply, &p->order, err);
	return err != NULL ? err : show(p, reply);
}

static struct err *
create(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct customers *p = begin(c, v);
	struct account_order order = { .name = NULL };
	struct account *made;
	struct err *err;

	if (!console_read(c, v, &p->order)) {
		console_refused(v, reply);
		return show(p, reply);
	}
	order.name = form_text(&p->order, "name");
	order.verified = form_is_on(&p->order, "verified");
	order.another = form_is_on(&p->order, "another");
	console_will_go(v, "/customers?notice=created");
	err = account_create(c, &order, &made);
	if (err != NULL)
		return wrong(p, v, reply, err);
	console_journal(c, v, "account create %s", made->uuid);
	console_go(c, v, reply, "/customers", "created");
	return NULL;
}

static struct err *
change(struct ctx *c, struct visit *v, struct reply *reply, enum account_change what)
{
	struct account *a;
	struct err *err;
	int open;

	console_will_go(v, "/customers?notice=changed");
	err = account_change(c, v->account->uuid, what, &a, &open);
	if (err != NULL)
		return err;
	console_journal(c, v, "account %s %s", press_fields[what][0].name, a->uuid);
	console_go(c, v, reply, "/customers", "changed");
	return NULL;
}

static struct err *
verify(struct ctx *c, struct visit *v, struct reply *reply)
{
	return change(c, v, reply, ACCOUNT_VERIFY);
}

static struct err *
decline(struct ctx *c, struct visit *v, struct reply *reply)
{
	return change(c, v, reply, ACCOUNT_DECLINE);
}

/* Asks before "Suspend", which readers notice at once. */
static struct err *
ask(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct form f;
	const struct console_question q = { .title = tr("Suspend this account?"),
		.about = v->account->name,
		.says = { tr("Its public pages, their frames on other websites and its links to previews open nothing any more, and its readers are not counted."),
		    tr("Its people can read and export, but not change, publish or order anything. Dates of publishing and pings wait. Orders that are open go on."),
		    tr("Its own websites still read the articles by the API. To stop that, too, revoke its keys."),
		    tr("“Resume” undoes it.") },
		.form = &f,
		.action = v->path,
		.back = "/customers" };

	if (v->account->suspended)
		return refuse(c, ERR_CONFLICT, tr_mark("This account is suspended already."));
	form_init(&f, "suspend", press_fields[ACCOUNT_SUSPEND]);
	console_ask(c, v, reply, &q);
	return NULL;
}

static struct err *
suspend(struct ctx *c, struct visit *v, struct reply *reply)
{
	return change(c, v, reply, ACCOUNT_SUSPEND);
}

static struct err *
resume(struct ctx *c, struct visit *v, struct reply *reply)
{
	return change(c, v, reply, ACCOUNT_RESUME);
}

#define CUSTOMERS .title = tr_mark("Customers"), .need = RIGHT_OPERATE

const struct console_row customers_screens[] = {
	{ .method = "GET", .pattern = "/customers", CUSTOMERS, .handler = customers },
	{ .method = "POST", .pattern = "/customers", CUSTOMERS, .handler = create },
	{ .method = "POST", .pattern = "/customers/A/verify", CUSTOMERS, .handler = verify },
	{ .method = "POST", .pattern = "/customers/A/decline", CUSTOMERS, .handler = decline },
	{ .method = "GET", .pattern = "/customers/A/suspend", CUSTOMERS, .handler = ask },
	{ .method = "POST", .pattern = "/customers/A/suspend", CUSTOMERS, .handler = suspend },
	{ .method = "POST", .pattern = "/customers/A/resume", CUSTOMERS, .handler = resume },
	{ .method = NULL },
};
