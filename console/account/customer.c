/* The page of a customer, for operators: what there is, what waits, and what an operator changes of
 * the account (docs/console.md §4.13). */
#include <stdlib.h>

#include "../all.h"
#include "access/apikey.h"
#include "access/workspace.h"
#include "action/account-actions.h"
#include "action/site-actions.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "console/page.h"
#include "job/job.h"
#include "people/membership.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"

#define WORKSPACES_MAX 100 /* that are named: the newest */

/* ---- changes */

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

#define CHANGED .go = "/customers/A", .notice = "changed"

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

/* ---- what waits at customers, for the list, too */

struct looking {
	struct ctx *c;
	struct customer *list;
	size_t count;
};

static int
compare_ids(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return (a > b) - (a < b);
}

/* Returns what is filled of the account, or a place for what nobody asked about. */
static struct customer *
one_of(const struct looking *l, int64_t id)
{
	struct customer *t = bsearch(&id, l->list, l->count, sizeof(*l->list), compare_ids);

	return t != NULL ? t : arena_alloc(l->c->arena, sizeof(*t));
}

static void
count_key(void *arg, const struct apikey *key)
{
	struct looking *l = arg;

	if (!apikey_is_replaced(key))
		one_of(l, workspace_of(l->c, key->workspace_id)->account_id)->ending_keys++;
}

static bool
count_workspace(void *arg, const struct workspace_brief *w)
{
	one_of(arg, w->account_id)->workspaces++;
	return true;
}

static void
count_behind(void *arg, int64_t account_id)
{
	one_of(arg, account_id)->behind++;
}

void
customers_look(struct ctx *c, struct customer *list, size_t count)
{
	struct looking looking = { c, list, count };

	db_begin_read(c, DB_CONTENT);
	for (size_t i = 0; i < count; i++) {
		list[i].id = list[i].account->id;
		job_count_lately(
		    c, list[i].id, c->now - 7 * CLOCK_DAY, &list[i].jobs, &list[i].failed_jobs);
	}
	workspace_walk(c, 0, count_workspace, &looking);
	apikey_list_ending(c, c->now, c->now + 14 * CLOCK_DAY, count_key, &looking);
	db_rollback(c);
	db_begin_read(c, DB_CONSOLE);
	for (size_t i = 0; i < count; i++)
		list[i].seen_at = membership_seen_at(c, list[i].account->uuid);
	db_rollback(c);
	sites_list_behind(c, count_behind, &looking);
}

static void
write_state(struct hwrite *w, const struct account *a)
{
	if (a->suspended)
		screen_state(w, SCREEN_BAD, tr("Suspended"));
	else if (a->verified)
		screen_state(w, SCREEN_GOOD, tr("Verified"));
	else
		screen_state(w, SCREEN_WARNING, tr("Not verified"));
}

static void
write_trouble(struct hwrite *w, const struct customer *t)
{
	if (t->failed_jobs > 0)
		@ <state bad>{#t->failed_jobs: %lld order failed|%lld orders failed}</state>{=" "}
	if (t->behind > 0)
		@ <state warning>{#t->behind: %lld website is silent|%lld websites are silent}
		@ </state>{=" "}
	if (t->ending_keys > 0)
		@ <state warning>{#t->ending_keys: %lld key ends soon|%lld keys end soon}
		@ </state>{=" "}
	if (t->account->asked_at != 0)
		@ <state warning>Asks to be verified</state>
}

int
customer_rank(const struct customer *t)
{
	const struct account *a = t->account;

	if (a->suspended)
		return 0;
	if (t->failed_jobs > 0)
		return 4;
	if (t->behind > 0)
		return 3;
	return t->ending_keys > 0 || a->asked_at != 0 ? 2 : 1;
}

void
customer_write_row(struct hwrite *w, struct page *p, const struct customer *t)
{
	const struct account *a = t->account;
	const char *initial = arena_text_n(p->c->arena, a->name, utf8_prefix(a->name, 1));

	@ <tr><th scope="row"><span><span class="mark person-of" aria-hidden="true">{initial}</span>
	@ <span><a href="/customers/{a->uuid}">{a->name}</a>
	@ <small>{#t->workspaces: %lld workspace|%lld workspaces}</small></span></span></th>
	@ <td class="sub">{!write_state(w, a)}</td>
	@ <td class="number" data-label={tr("Credits")}>{a->available}</td>
	@ <td class="number" data-label={tr("Orders")}>{t->jobs}</td>
	@ <td>{!write_trouble(w, t)}</td>
	@ <td class="number">{!say_time(w, t->seen_at)}</td></tr>
}

/* ---- the page */

struct shown {
	struct customer customer;
	int64_t ids[WORKSPACES_MAX];
	const struct workspace *workspaces[WORKSPACES_MAX];
	size_t count;
};

static void
write_acts(struct hwrite *w, struct page *p, const struct account *a)
{
	@ <section class="box"><h2>Account</h2>
	if (a->asked_at != 0)
		@ <p>An owner asked to have this account verified: {!say_time(w, a->asked_at)}</p>
	@ <p class="soft">A verified account may order articles. Its workspaces may show their
	@ articles as pages, and tell websites of changes.</p><div class="buttons">
	if (!a->verified)
		page_form(w, p, &verify_it, NULL);
	if (a->asked_at != 0)
		page_form(w, p, &decline_it, NULL);
	if (a->suspended)
		page_form(w, p, &resume_it, NULL);
	else
		screen_question_link(w, page_path(p, "/customers/A/suspend"), tr("Suspend…"));
	@ </div></section>
}

static void
write_customer(struct hwrite *w, struct page *p)
{
	const struct shown *one = p->data;
	const struct customer *t = &one->customer;
	const struct account *a = t->account;

	@ <p>{!write_state(w, a)} {!write_trouble(w, t)}</p>
	@ <ul class="nums"><li><strong>{a->available}</strong>
	@ {#a->available: credit left|credits left}</li>
	@ <li><strong>{t->jobs}</strong>{#t->jobs: order in 7 days|orders in 7 days}</li>
	@ <li><strong>{t->workspaces}</strong>{#t->workspaces: workspace|workspaces}</li></ul>
	@ <p class="buttons"><a class="button" href="/A/people">People</a>
	@ <a class="button" href="/A/credits">Credits</a>
	@ <a class="button" href="/A/activity">Activity</a></p>
	@ <section class="box"><h2>Workspaces</h2>
	if (one->count == 0)
		@ <p>There is no workspace here yet.</p>
	@ <ul>
	for (size_t i = 0; i < one->count; i++)
		@ <li><a href="/{one->workspaces[i]->uuid}">{one->workspaces[i]->settings.name}</a></li>
	@ </ul>
	if (t->workspaces > WORKSPACES_MAX)
		@ <p class="soft small">Only the 100 newest are named.</p>
	if (!a->suspended)
		@ <a class="button" href="/A/workspaces/new">New workspace</a>
	@ </section>
	write_acts(w, p, a);
}

static bool
name_workspace(void *arg, const struct workspace_brief *w)
{
	struct shown *one = arg;

	if (w->account_id == one->customer.account->id)
		one->ids[one->count++] = w->id;
	return one->count < WORKSPACES_MAX;
}

static struct err *
load(struct page *p)
{
	struct shown *one = p->data;

	p->title = p->v->account->name;
	one->customer.account = p->v->account;
	if (p->acting)
		return NULL;
	customers_look(p->c, &one->customer, 1);
	db_begin_read(p->c, DB_CONTENT);
	workspace_walk(p->c, 0, name_workspace, one);
	for (size_t i = 0; i < one->count; i++)
		one->workspaces[i] = workspace_of(p->c, one->ids[i]);
	db_rollback(p->c);
	return NULL;
}

static const struct page_kind page = { sizeof(struct shown), load, write_customer };

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
	    (struct page_question) { .about = p->v->account->name,
		.says = { tr("Its public pages, their frames on other websites and its links to previews open nothing any more, and its readers are not counted."),
		    tr("Its people can read and export, but not change, publish or order anything. Dates of publishing and pings wait. Orders that are open go on."),
		    tr("Its own websites still read the articles by the API. To stop that, too, revoke its keys."),
		    tr("“Resume” undoes it.") },
		.back = arena_printf(p->c->arena, "/customers/%s", p->v->account->uuid) });
}

static const struct page_kind question_page = { .load = load_question, .write = write_question };

#define CUSTOMER .title = tr_mark("Customer"), .need = RIGHT_OPERATE, .page = &page
#define QUESTION                                                                                   \
	.pattern = "/customers/A/suspend", .title = tr_mark("Customer"), .need = RIGHT_OPERATE,    \
	.page = &question_page

SCREEN(customer) = {
	{ "GET", "/customers/A", CUSTOMER },
	{ "POST", "/customers/A/verify", CUSTOMER, .act = &verify_it },
	{ "POST", "/customers/A/decline", CUSTOMER, .act = &decline_it },
	{ "POST", "/customers/A/resume", CUSTOMER, .act = &resume_it },
	{ "GET", QUESTION },
	{ "POST", QUESTION, .act = &suspend_it },
	{ .method = NULL },
};
