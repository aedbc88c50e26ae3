/* The list of a workspace's orders, and "New order": the form that spends credits
 * (docs/console.md §4.7). */
#include "orders.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "action/order-actions.h"
#include "all.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "job/job.h"
#include "screen/say.h"
#include "screen/tr.h"

#define PAGE 20
#define TOPIC_CHARS 80

struct list {
	struct ctx *c;
	const struct visit *v;
	struct orders_list orders;
};

static const char *const states[JOB_BROWSE_STATES] = { [JOB_BROWSE_ALL] = "all",
	[JOB_BROWSE_OPEN] = "open",
	[JOB_BROWSE_COMPLETED] = "done",
	[JOB_BROWSE_FAILED] = "failed" };
static const char *const labels[JOB_BROWSE_STATES] = { [JOB_BROWSE_ALL] = tr_mark("All"),
	[JOB_BROWSE_OPEN] = tr_mark("Open"),
	[JOB_BROWSE_COMPLETED] = tr_mark("Done"),
	[JOB_BROWSE_FAILED] = tr_mark("Failed") };

/* ---- words */

const char *
orders_kind(const struct job *job)
{
	if (job->kind == JOB_RESEARCH)
		return tr("Research brief");
	return job->image ? tr("Article with image") : tr("Article");
}

const char *
orders_topic(struct ctx *c, const struct job *job)
{
	return job->topic[strspn(job->topic, " \n\t\r")] != '\0'
		   ? job_topic_line(c, job, TOPIC_CHARS)
		   : tr("No topic was given");
}

const char *
orders_stage(const char *stage)
{
	static const struct {
		const char *stage, *label;
	} stages[] = {
		{ "queued", tr_mark("Waiting") },
		{ "research", tr_mark("Research") },
		{ "outline", tr_mark("Outline") },
		{ "writing", tr_mark("Writing") },
		{ "image", tr_mark("Image") },
		{ "checks", tr_mark("Checks") },
		{ "publishing", tr_mark("Storing") },
		{ "done", tr_mark("Done") },
	};

	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
		if (strcmp(stages[i].stage, stage) == 0)
			return tr(stages[i].label);
	}
	return stage;
}

void
orders_write_state(struct hwrite *w, const struct job *job)
{
	if (job->status == JOB_COMPLETED)
		screen_state(w, SCREEN_GOOD, tr("Done"));
	else if (job->status != JOB_FAILED)
		screen_state(w, SCREEN_NOTE, orders_stage(job->stage));
	else if (strcmp(job->error_code, "cancelled") == 0)
		screen_state(w, SCREEN_NOTE, tr("Cancelled"));
	else
		screen_state(w, SCREEN_BAD, tr("Failed"));
}

void
orders_write_orderer(struct hwrite *w, const struct orders_orderer *by)
{
	if (by->by == ORDERS_BY_OPERATOR)
		hwrite_text(w, tr("the operator"));
	else if (by->by == ORDERS_BY_KEY)
		screen_sentence(w, tr("the key “%s”"), by->label[0] != '\0' ? by->label : by->name);
	else if (by->name != NULL)
		screen_data(w, by->name);
	else
		hwrite_text(w, tr("somebody who was removed"));
}

/* ---- the page */

static const char *
address(const struct list *l, enum job_browse_state state, const struct job_browse_end *before)
{
	struct buf out;

	buf_init(&out, l->c->arena, (size_t)4096);
	buf_add_text(&out, console_path(l->c, l->v, "/%s/orders", l->v->workspace->uuid));
	if (state != JOB_BROWSE_ALL)
		screen_address_add(&out, "state", states[state]);
	if (before != NULL)
		screen_address_add(&out, "before",
		    arena_printf(l->c->arena, "%" PRId64 "-%" PRId64, before->at, before->id));
	return buf_done(&out);
}

static void
write_filters(struct hwrite *w, const struct list *l)
{
	@ <nav class="filters" aria-label="State"><ul>
	for (unsigned i = 0; i < JOB_BROWSE_STATES; i++)
		@ <li><a href={address(l, i, NULL)}
		@ aria-current={l->orders.browse.state == i ? "true" : NULL}>{=tr(labels[i])}</a></li>
	@ </ul></nav>
}

static void
write_table(struct hwrite *w, const struct list *l)
{
	const char *here = console_path(l->c, l->v, "/%s/orders", l->v->workspace->uuid);

	@ <list caption="Orders, the newest first"
	@ columns="Topic|Kind|State|Credits#|Ordered by|Date#">
	for (size_t i = 0; i < l->orders.browse.count; i++) {
		const struct job *job = l->orders.browse.found[i];
		@ <row><cell><a href={arena_printf(l->c->arena, "%s/%s", here, job->uuid)}>
		@ {orders_topic(l->c, job)}</a></cell>
		@ <cell>{=orders_kind(job)}</cell><cell>{!orders_write_state(w, job)}</cell>
		@ <cell>{job->cost}</cell>
		@ <cell>{!orders_write_orderer(w, &l->orders.by[i])}</cell>
		@ <cell>{!say_time(w, job->created_at)}</cell></row>
	}
	@ </list>
}

static void
write_unverified(struct hwrite *w, struct ctx *c, const struct visit *v)
{
	@ <notice warning><p>This account is not verified yet, so nothing can be ordered.</p>
	@ </notice>
	verification_write(w, c, v);
}

static void
write_nothing(struct hwrite *w, const struct list *l, const char *new)
{
	const struct job_browse *b = &l->orders.browse;

	if (b->cut)
		screen_empty(w, tr("Nothing was found yet. Not all orders were looked at."),
		    address(l, b->state, &b->next), tr("Look further"));
	else if (b->state != JOB_BROWSE_ALL || b->before.id != 0)
		screen_empty(
		    w, tr("No order is here."), address(l, JOB_BROWSE_ALL, NULL), tr("Show all"));
	else
		screen_empty(w,
		    tr("Nothing was ordered yet. What is ordered is written for you, and lands as a draft."),
		    new, tr("New order"));
}

static void
write_list(struct hwrite *w, const void *data)
{
	const struct list *l = data;
	const struct job_browse *b = &l->orders.browse;
	const char *new = console_rests(l->v) || !l->v->account->verified
			      ? NULL
			      : console_path(l->c, l->v, "/%s/orders/new", l->v->workspace->uuid);

	if (!console_rests(l->v) && new == NULL)
		write_unverified(w, l->c, l->v);
	else if (new != NULL && b->count > 0)
		@ <p><a class="button primary" href={new}>New order</a></p>
	write_filters(w, l);
	if (b->count == 0)
		write_nothing(w, l, new);
	else
		write_table(w, l);
	if (b->cut && b->count > 0)
		@ <p>Not all orders were looked at: the next page looks further.</p>
	if (b->count > 0 || b->before.id != 0)
		screen_pages(w, b->before.id != 0 ? address(l, b->state, NULL) : NULL,
		    b->next.id != 0 ? address(l, b->state, &b->next) : NULL);
}

/* Reads the end of the page before: "TIME-ID". */
static struct job_browse_end
read_end(struct ctx *c, const struct visit *v)
{
	const char *text = console_query(c, v, "before");
	struct job_browse_end end = { .id = 0 };
	char *rest;

	if (text == NULL || text[0] < '0' || text[0] > '9')
		return end;
	end.at = strtoll(text, &rest, 10);
	if (rest[0] == '-' && rest[1] >= '0' && rest[1] <= '9')
		end.id = strtoll(rest + 1, NULL, 10);
	return end;
}

static struct err *
list(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct list *l = arena_alloc(c->arena, sizeof(*l));
	const char *state = console_query(c, v, "state");
	struct job_browse *b = &l->orders.browse;

	*l = (struct list) { .c = c, .v = v };
	b->workspace = v->workspace;
	b->limit = PAGE;
	b->before = read_end(c, v);
	for (unsigned i = 0; state != NULL && i < JOB_BROWSE_STATES; i++) {
		if (strcmp(states[i], state) == 0)
			b->state = i;
	}
	orders_list(c, &l->orders);
	console_page(c, v, reply, NULL, NULL, write_list, l);
	return NULL;
}

/* ---- "New order" */

#define CREDITS_MAX 1000000
#define TOPIC_BYTES ((size_t)4 * JOB_TOPIC_MAX)
#define BRIEF_CHARS 80

/* What can be ordered, each with its price. */
enum priced { ARTICLE, WITH_IMAGE, BRIEF, PRICED };

static const char *
check_topic(struct ctx *c, const char *value)
{
	if (utf8_length(value) <= JOB_TOPIC_MAX)
		return NULL;
	return arena_printf(c->arena, tr("The topic may have %d characters."), JOB_TOPIC_MAX);
}

static const struct field_choice kinds[] = {
	{ "article", tr_mark("Article") },
	{ "research", tr_mark("Research brief") },
	{ NULL, NULL },
};

static const struct field fields[] = {
	{ .name = "kind",
	    .label = tr_mark("Kind"),
	    .kind = FIELD_RADIO,
	    .required = true,
	    .choices = kinds },
	{ .name = "topic",
	    .label = tr_mark("Topic"),
	    .kind = FIELD_AREA,
	    .rows = 4,
	    .max = TOPIC_BYTES,
	    .check = check_topic,
	    .hint = tr_mark(
		"What it is about, and all that must be in it: up to 1,500 characters. Without a topic that of the brief is taken; else the writer chooses one that fits this workspace.") },
	{ .name = "image",
	    .label = tr_mark("With image"),
	    .kind = FIELD_CHECKBOX,
	    .hint = tr_mark("A cover for an article. A research brief has none.") },
	{ .name = "brief",
	    .label = tr_mark("Brief"),
	    .kind = FIELD_SELECT,
	    .hint = tr_mark("A finished research brief, which the article follows.") },
	{ .name = "most",
	    .label = tr_mark("At most"),
	    .kind = FIELD_NUMBER,
	    .least = 1,
	    .most = CREDITS_MAX,
	    .required = true,
	    .missing = tr_mark("Enter how many credits this order may cost."),
	    .hint = tr_mark(
		"Credits. If the price is lower, the lower price counts; if it is higher, nothing is ordered.") },
	{ .name = "prices", .kind = FIELD_HIDDEN },
	{ .name = "order", .label = tr_mark("Order"), .kind = FIELD_SUBMIT, .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

struct page {
	struct ctx *c;
	const struct visit *v;
	struct form form;
	struct orders_list briefs;
	int64_t prices[PRICED];
};

static const char *
path_of(struct ctx *c, const struct visit *v)
{
	return arena_printf(c->arena, "/%s/orders/new", v->workspace->uuid);
}

/* ---- the page */

static void
write_kinds(struct hwrite *w, const struct page *p)
{
	const char *kind = form_text(&p->form, "kind");
	const char *error = p->form.entry[0].error;
	bool brief = kind != NULL && strcmp(kind, job_kind_name(JOB_RESEARCH)) == 0;

	if (error != NULL)
		@ <p class="error" id="order-kind-error">{=error}</p>
	@ <fieldset class="choice" aria-label="Kind"
	@ aria-describedby={error != NULL ? "order-kind-error" : NULL}><label>
	@ <input type="radio" name="kind" id="order-kind-0" value="article"
	@ checked={error == NULL && !brief} required><b>Article</b>
	@ <span class="num">{p->prices[ARTICLE]}</span>
	@ <small>A draft that is ready to edit.</small></label><label>
	@ <input type="radio" name="kind" value="research" checked={brief} required>
	@ <b>Research brief</b><span class="num">{p->prices[BRIEF]}</span>
	@ <small>What is to be said, with sources. An article can follow it.</small></label>
	@ </fieldset>
}

/* The price beside the button is that of what is chosen, where a browser knows :has(). */
static void
write_form(struct hwrite *w, const struct page *p)
{
	const struct form *f = &p->form;
	const char *brief = form_text(f, "brief");

	form_write_summary(w, f);
	console_form_begin(p->c, p->v, w, f, path_of(p->c, p->v));
	write_kinds(w, p);
	form_write_field(w, f, "topic");
	@ <div class="of-article">
	form_write_field(w, f, "image");
	@ </div><details open={f->errors > 0 || (brief != NULL && brief[0] != '\0')}>
	@ <summary>More choices</summary>
	form_write_field(w, f, "brief");
	form_write_field(w, f, "most");
	@ </details>
	form_write_field(w, f, "prices");
	@ <div class="bar-of">
	form_write_field(w, f, "order");
	@ <span class="price without">{#p->prices[ARTICLE]: %s credit|%s credits}</span>
	@ <span class="price with">{#p->prices[WITH_IMAGE]: %s credit|%s credits}</span>
	@ <span class="price brief">{#p->prices[BRIEF]: %s credit|%s credits}</span></div>
	form_write_end(w);
}

static void
write_cost(struct hwrite *w, const struct page *p)
{
	const struct workspace *workspace = p->v->workspace;
	int64_t minutes, took = orders_took(p->c, workspace, JOB_ARTICLE, true);

	if (took == 0)
		took = orders_took(p->c, workspace, JOB_ARTICLE, false);
	minutes = (took + 60 * CLOCK_SECOND - 1) / (60 * CLOCK_SECOND);

	@ <section class="box"><header><h2>Cost</h2></header><dl>
	@ <dt>Article</dt><dd>{p->prices[ARTICLE]}</dd>
	@ <dt>Article with image</dt><dd>{p->prices[WITH_IMAGE]}</dd>
	@ <dt>Research brief</dt><dd>{p->prices[BRIEF]}</dd>
	@ <dt>Available</dt><dd>{p->v->account->available}</dd></dl>
	@ <p class="soft small">Credits that are not used come back. All of them come back if the
	@ order fails or you cancel it.</p><hr>
	if (minutes > 0)
		@ <p class="soft small">
		@ {#minutes: An article takes about %s minute.|An article takes about %s minutes.}
		@ </p>
	@ <p class="soft small">You may leave this page while it is written.</p></section>
}

static void
write_main(struct hwrite *w, const void *data)
{
	const struct page *p = data;

	if (console_rests(p->v))
		return;
	if (!p->v->account->verified) {
		write_unverified(w, p->c, p->v);
		return;
	}
	@ <div class="split"><div class="box">
	write_form(w, p);
	@ </div>
	write_cost(w, p);
	@ </div>
}

/* The briefs that can be chosen: the newest, and the one that the form names already. */
static const struct field_choice *
brief_choices(struct ctx *c, const struct page *p, const struct job *named)
{
	const struct job_browse *b = &p->briefs.browse;
	struct field_choice *all = arena_array(c->arena, b->count + 3, sizeof(*all));
	size_t n = 0;

	all[n++] = (struct field_choice) { "", tr("None") };
	for (size_t i = 0; i < b->count; i++) {
		all[n++] =
		    (struct field_choice) { b->found[i]->uuid, orders_topic(c, b->found[i]) };
		if (named != NULL && named->id == b->found[i]->id)
			named = NULL;
	}
	if (named != NULL)
		all[n++] = (struct field_choice) { named->uuid, orders_topic(c, named) };
	all[n] = (struct field_choice) { NULL, NULL };
	return all;
}

/* Reads a job of the workspace that a link or a form names, or NULL. */
static const struct job *
named_job(struct ctx *c, const struct visit *v, const char *id)
{
	struct orders_one one;

	if (id == NULL || id[0] == '\0' || orders_read(c, v->workspace, id, &one) != NULL)
		return NULL;
	return one.job;
}

static struct page *
begin(struct ctx *c, const struct visit *v, const char *brief)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));
	const struct job *named = named_job(c, v, brief);

	*p = (struct page) { .c = c,
		.v = v,
		.briefs.browse = { .workspace = v->workspace,
		    .state = JOB_BROWSE_COMPLETED,
		    .briefs = true,
		    .limit = JOB_BROWSE_MAX } };
	orders_list(c, &p->briefs);
	if (named != NULL && named->kind != JOB_RESEARCH)
		named = NULL;
	p->prices[ARTICLE] = price_reservation(c->conf, JOB_ARTICLE, false);
	p->prices[WITH_IMAGE] = price_reservation(c->conf, JOB_ARTICLE, true);
	p->prices[BRIEF] = price_reservation(c->conf, JOB_RESEARCH, false);
	form_init(&p->form, "order", fields);
	form_choices(&p->form, "brief", brief_choices(c, p, named));
	return p;
}

/* Notes in the form which prices its page shows. */
static void
note_prices(struct page *p)
{
	form_fill(&p->form, "prices",
	    arena_printf(p->c->arena, "%" PRId64 " %" PRId64 " %" PRId64, p->prices[ARTICLE],
		p->prices[WITH_IMAGE], p->prices[BRIEF]));
}

static enum priced
priced(enum job_kind kind, bool image)
{
	return kind == JOB_RESEARCH ? BRIEF : image ? WITH_IMAGE : ARTICLE;
}

static void
show(struct page *p, struct reply *reply)
{
	note_prices(p);
	console_page(p->c, p->v, reply, NULL,
	    tr("An article lands as a draft. Nothing is published by itself."), write_main, p);
}

/* An order is filled in as another one was ("Order again"), or by a brief. */
static struct err *
new_order(struct ctx *c, struct visit *v, struct reply *reply)
{
	const char *brief = console_query(c, v, "brief");
	const struct job *as = named_job(c, v, console_query(c, v, "as"));
	enum job_kind kind = as != NULL ? as->kind : JOB_ARTICLE;
	bool image = as == NULL || as->image;
	struct page *p = begin(c, v, as != NULL ? as->research_uuid : brief);
	const struct job *named = named_job(c, v, as != NULL ? as->research_uuid : brief);

	form_fill(&p->form, "kind", job_kind_name(kind));
	form_tick(&p->form, "image", image);
	form_fill(&p->form, "topic", as != NULL ? as->topic : NULL);
	form_fill(
	    &p->form, "brief", named != NULL && named->kind == JOB_RESEARCH ? named->uuid : "");
	form_fill(
	    &p->form, "most", arena_printf(c->arena, "%" PRId64, p->prices[priced(kind, image)]));
	show(p, reply);
	return NULL;
}

/* ---- an order */

/* Returns the price that the page showed for this order; 0: it says none. */
static int64_t
shown_price(const struct form *f, enum priced which)
{
	const char *text = form_text(f, "prices");
	int64_t price = 0;
	char *end;

	for (unsigned i = 0; text != NULL && i <= which; i++) {
		price = strtoll(text, &end, 10);
		text = end;
	}
	return price > 0 ? price : 0;
}

static void
read_order(const struct form *f, struct order *order)
{
	const char *topic = form_text(f, "topic"), *brief = form_text(f, "brief");

	order->what.kind = strcmp(form_text(f, "kind"), job_kind_name(JOB_RESEARCH)) == 0
			       ? JOB_RESEARCH
			       : JOB_ARTICLE;
	order->what.image = form_is_on(f, "image");
	order->what.topic = topic != NULL ? topic : "";
	order->what.research_uuid = brief;
	order->what.max_credits = form_number(f, "most");
	order->shown = shown_price(f, priced(order->what.kind, order->what.image));
	/* Nothing costs more than the page showed, though "At most" may be filled for more. */
	if (order->shown > 0 && order->what.max_credits > order->shown)
		order->what.max_credits = order->shown;
}

/* The hour is full: the page says when to send it again. */
static struct err *
refused(struct ctx *c, struct visit *v, struct reply *reply, struct page *p, struct err *err)
{
	if (v->repeated || err->code != ERR_RATE_LIMITED)
		return console_wrong(c, v, reply, &p->form, err);
	form_refuse(&p->form, NULL, err->message);
	reply->status = err_status(err->code);
	reply_header(reply, "Retry-After", "%d", err->retry_after_s);
	return NULL;
}

static struct err *
make(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = begin(c, v, console_sent(v, "brief"));
	struct order order = { .workspace = v->workspace->uuid,
		.person = v->person->uuid,
		.number = v->number.number };
	char uuid[UUID_TEXT];
	struct job *job;
	const char *path;
	struct err *err;

	if (!console_read(c, v, &p->form)) {
		console_refused(v, reply);
		show(p, reply);
		return NULL;
	}
	read_order(&p->form, &order);
	order_id(c, &order, uuid);
	path = arena_printf(c->arena, "/%s/orders/%s", v->workspace->uuid, uuid);
	console_will_go(v, path);
	err = order_make(c, &order, &job);
	if (err != NULL) {
		err = refused(c, v, reply, p, err);
		if (err == NULL)
			show(p, reply);
		return err;
	}
	console_journal(c, v, "job create %s", job->uuid);
	console_go(c, v, reply, path, "ordered");
	return NULL;
}

#define NEW .pattern = "/W/orders/new", .title = tr_mark("New order"), .need = ORDERS_NEED

SCREEN(orders) = {
	{ "GET", "/W/orders", .title = tr_mark("Orders"), .need = ORDERS_NEED, .handler = list },
	{ .method = "GET", NEW, .handler = new_order },
	{ .method = "POST", NEW, .holds = true, .handler = make },
	{ .method = NULL },
};
