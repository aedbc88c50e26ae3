/* Customers: all accounts, for operators, and the form of a new one (docs/console.md §4.13). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "action/account-actions.h"
#include "action/instance-actions.h"
#include "../all.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "console/page.h"
#include "content/lang.h"
#include "job/cron.h"
#include "screen/tr.h"
#include "task/errand-kinds.h"
#include "task/errand.h"

#define ACCOUNTS_MAX 2000 /* the newest; nobody reads more in one page */
#define FEW 10 /* are found without a search */
#define NEW (7 * CLOCK_DAY)

/* ---- a new account */

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

static void
write_new(struct hwrite *w, struct page *p)
{
	page_form(w, p, &create_it, NULL);
}

static const struct page_kind new_page = { .write = write_new };

/* ---- the list */

/* What it shows, by the word of an address. */
enum shown { SHOWN_ALL, SHOWN_LOOK, SHOWN_SUSPENDED, SHOWN_COUNT };

static const struct {
	const char *word, *label;
} tabs[SHOWN_COUNT] = {
	[SHOWN_ALL] = { NULL, tr_mark("All") },
	[SHOWN_LOOK] = { "look", tr_mark("Needs a look") },
	[SHOWN_SUSPENDED] = { "suspended", tr_mark("Suspended") },
};

struct customers {
	struct customer list[ACCOUNTS_MAX];
	size_t count; /* all that were passed, while the list is read */
	bool more; /* there are older ones */
	size_t of[SHOWN_COUNT];
	enum shown shown;
	const char *search; /* folded, or NULL */
	struct report doctor;
	struct cron cron;
	bool quiet;
};

static bool
is_of(const struct customer *t, enum shown shown)
{
	switch (shown) {
	case SHOWN_LOOK:
		return customer_rank(t) >= 2;
	case SHOWN_SUSPENDED:
		return t->account->suspended;
	default:
		return true;
	}
}

static int
oldest_first(const void *a, const void *b)
{
	int64_t x = ((const struct customer *)a)->account->id;
	int64_t y = ((const struct customer *)b)->account->id;

	return (x > y) - (x < y);
}

static int
worst_first(const void *a, const void *b)
{
	int x = customer_rank(a), y = customer_rank(b);

	return x != y ? y - x : oldest_first(b, a);
}

/* ---- the page */

/* What operators of an instance are told wherever they look. */
static void
write_needs(struct hwrite *w, const struct page *p, const struct customers *all)
{
	const char *instance = page_path(p, "/instance");
	int64_t n = 0;

	for (size_t i = 0; i < all->doctor.count; i++)
		n += all->doctor.list[i].level >= REPORT_WARN;
	if (all->cron.silent)
		screen_notice_link(w, SCREEN_BAD,
		    tr("Nothing starts the runners: orders, dates of publishing and tasks rest."),
		    instance, tr("Instance"));
	if (all->quiet)
		screen_notice_link(
		    w, SCREEN_WARNING, tr("This instance is quiet."), instance, tr("Instance"));
	if (n > 0)
		screen_notice_link(w, SCREEN_WARNING,
		    arena_printf(p->c->arena,
			tr_count("The last check of the installation found %d thing to do.",
			    "The last check of the installation found %d things to do.", n),
			(int)n),
		    instance, tr("Instance"));
}

static void
write_sums(struct hwrite *w, const struct page *p, const struct customers *all)
{
	struct customer sum = { .account = NULL };
	int64_t credits = 0, fresh = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct customer *t = &all->list[i];
		credits += t->account->available;
		fresh += t->account->created_at > p->c->now - NEW;
		sum.jobs += t->jobs;
		sum.failed_jobs += t->failed_jobs;
		sum.behind += t->behind;
	}
	@ <ul class="nums"><li><strong>{all->count}</strong>
	@ {#all->count: customer|customers}
	if (fresh > 0)
		@ {=tr(", ")}{#fresh: %lld new|%lld new}
	@ </li>
	@ <li><strong>{credits}</strong>{#credits: credit left in all|credits left in all}</li>
	@ <li><strong>{sum.jobs}</strong>{#sum.jobs: order in 7 days|orders in 7 days}</li>
	@ <li><strong class={sum.failed_jobs > 0 ? "down" : NULL}>{sum.failed_jobs}</strong>
	@ failed in 7 days</li>
	@ <li><strong>{sum.behind}</strong>{#sum.behind: website is silent|websites are silent}</li>
	@ </ul>
}

static const char *
address_of(const struct page *p, enum shown shown)
{
	struct buf out;

	buf_init(&out, p->c->arena, 4096);
	buf_add_text(&out, page_path(p, "/customers"));
	screen_address_add(&out, "show", tabs[shown].word);
	return buf_done(&out);
}

static void
write_bar(struct hwrite *w, const struct page *p, const struct customers *all)
{
	@ <div class="bar-of"><nav aria-label="State"><ul class="tabs">
	for (enum shown s = SHOWN_ALL; s < SHOWN_COUNT; s++)
		@ <li><a href={address_of(p, s)} aria-current={s == all->shown ? "page" : NULL}>
		@ {=tr(tabs[s].label)} <small>{all->of[s]}</small></a></li>
	@ </ul></nav>
	if (all->count >= FEW || all->search != NULL) {
		@ <form id="search" class="seek" role="search" method="get" action="/customers"
		@     novalidate>{!screen_icon(w, ICON_FIND)}
		@ <input type="search" name="search" dir="auto" aria-label="Find a customer"
		@     placeholder="Find a customer" value={console_query(p->c, p->v, "search")}>
		if (tabs[all->shown].word != NULL)
			hwrite_hidden(w, "show", tabs[all->shown].word);
		@ </form>
	}
	@ </div>
}

static bool
is_found(const struct page *p, const struct customers *all, const struct customer *t)
{
	return is_of(t, all->shown) &&
	       (all->search == NULL ||
		   strstr(lang_fold(p->c->arena, t->account->name), all->search) != NULL);
}

static void
write_list(struct hwrite *w, struct page *p, const struct customers *all)
{
	size_t found = 0;

	for (size_t i = 0; i < all->count; i++)
		found += is_found(p, all, &all->list[i]);
	if (found == 0) {
		screen_empty(w, tr("There is no such customer."), page_path(p, "/customers"),
		    tr("Show all"));
		return;
	}
	@ <table class="list"><caption>Customers, those that need a look first</caption><thead><tr>
	@ <th scope="col">Customer</th><th scope="col">State</th>
	@ <th scope="col" class="number">Credits</th>
	@ <th scope="col" class="number">Orders, 7 days</th><th scope="col">What waits</th>
	@ <th scope="col" class="number">Last sign-in</th></tr></thead><tbody>
	for (size_t i = 0; i < all->count; i++) {
		if (is_found(p, all, &all->list[i]))
			customer_write_row(w, p, &all->list[i]);
	}
	@ </tbody></table>
}

static void
write_page(struct hwrite *w, struct page *p)
{
	const struct customers *all = p->data;

	write_needs(w, p, all);
	if (all->count == 0) {
		@ <section class="empty">{!screen_icon(w, ICON_CUSTOMERS)}<h2>No customer yet</h2>
		@ <p>A customer is a company or a person who writes here. Their account has the
		@ credits, and owns workspaces.</p></section>
		return;
	}
	write_sums(w, p, all);
	write_bar(w, p, all);
	write_list(w, p, all);
	if (all->more)
		@ <p class="soft small">Only the 2,000 newest customers are counted and found here.</p>
}

/* Keeps the newest. */
static void
keep(void *arg, const struct account *account)
{
	struct customers *all = arg;

	all->list[all->count++ % ACCOUNTS_MAX].account = account;
}

/* ---- what is found */

static struct err *
load(struct page *p)
{
	struct screen_link *actions = arena_array(p->c->arena, 2, sizeof(*actions));
	const char *show = console_query(p->c, p->v, "show");
	const char *search = console_query(p->c, p->v, "search");
	struct customers *all = p->data;

	account_show_all(p->c, keep, all);
	all->more = all->count > ACCOUNTS_MAX;
	all->count = all->count < ACCOUNTS_MAX ? all->count : ACCOUNTS_MAX;
	qsort(all->list, all->count, sizeof(all->list[0]), oldest_first);
	customers_look(p->c, all->list, all->count);
	qsort(all->list, all->count, sizeof(all->list[0]), worst_first);
	for (enum shown s = SHOWN_ALL; s < SHOWN_COUNT; s++) {
		if (show != NULL && tabs[s].word != NULL && strcmp(show, tabs[s].word) == 0)
			all->shown = s;
		for (size_t i = 0; i < all->count; i++)
			all->of[s] += is_of(&all->list[i], s);
	}
	if (search != NULL && search[0] != '\0')
		all->search = lang_fold(p->c->arena, search);
	(void)report_read(p->c, ASKING_DOCTOR, &all->doctor);
	cron_look(p->c, &all->cron);
	all->quiet = live_action_since(p->c) != 0;
	actions[0] = (struct screen_link) { .address = page_path(p, "/customers/new"),
		.label = tr("New customer"),
		.icon = ICON_NEW };
	p->v->actions = actions;
	return NULL;
}

static const struct page_kind page = { sizeof(struct customers), load, write_page };

#define NEW_CUSTOMER                                                                               \
	.pattern = "/customers/new", .title = tr_mark("New customer"), .need = RIGHT_OPERATE,      \
	.page = &new_page

SCREEN(customers) = {
	{ "GET", "/customers", .title = tr_mark("Customers"), .need = RIGHT_OPERATE,
	    .page = &page },
	{ "GET", NEW_CUSTOMER },
	{ "POST", NEW_CUSTOMER, .act = &create_it },
	{ .method = NULL },
};
