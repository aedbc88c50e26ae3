/* The list of a workspace's orders (docs/console.md §4.7). */
#include "orders.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../all.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
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
	hwrite_open(w, H_NAV);
	hwrite_attr(w, A_CLASS, "filters");
	hwrite_attr(w, A_ARIA_LABEL, tr("State"));
	hwrite_open(w, H_UL);
	for (unsigned i = 0; i < JOB_BROWSE_STATES; i++) {
		hwrite_open(w, H_LI);
		hwrite_open(w, H_A);
		hwrite_address(w, A_HREF, address(l, i, NULL));
		if (l->orders.browse.state == i)
			hwrite_attr(w, A_ARIA_CURRENT, "true");
		hwrite_text(w, tr(labels[i]));
		hwrite_close(w, H_A);
		hwrite_close(w, H_LI);
	}
	hwrite_close(w, H_UL);
	hwrite_close(w, H_NAV);
}

static void
write_order(struct screen_table *t, const struct list *l, size_t i)
{
	const struct job *job = l->orders.browse.found[i];

	screen_row_begin(t);
	screen_cell_link(t,
	    console_path(l->c, l->v, "/%s/orders/%s", l->v->workspace->uuid, job->uuid),
	    orders_topic(l->c, job));
	screen_cell(t, orders_kind(job));
	screen_cell_begin(t);
	orders_write_state(t->w, job);
	screen_cell_end(t);
	screen_cell(t, arena_printf(l->c->arena, "%" PRId64, job->cost));
	screen_cell_begin(t);
	orders_write_orderer(t->w, &l->orders.by[i]);
	screen_cell_end(t);
	screen_cell_time(t, job->created_at);
	screen_row_end(t);
}

static void
write_table(struct hwrite *w, const struct list *l)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Topic") },
		{ .label = tr_mark("Kind") },
		{ .label = tr_mark("State") },
		{ .label = tr_mark("Credits"), .number = true },
		{ .label = tr_mark("Ordered by") },
		{ .label = tr_mark("Date") },
		{ .label = NULL },
	};
	struct screen_table t;

	screen_table_begin(&t, w, tr("Orders, the newest first"), columns);
	for (size_t i = 0; i < l->orders.browse.count; i++)
		write_order(&t, l, i);
	screen_table_end(&t);
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
	const char *new = console_rests(l->v)
			      ? NULL
			      : console_path(l->c, l->v, "/%s/orders/new", l->v->workspace->uuid);

	if (new != NULL && b->count > 0) {
		hwrite_open(w, H_P);
		screen_button_link(w, new, tr("New order"), true);
		hwrite_close(w, H_P);
	}
	write_filters(w, l);
	if (b->count == 0)
		write_nothing(w, l, new);
	else
		write_table(w, l);
	if (b->cut && b->count > 0)
		hwrite_element(
		    w, H_P, tr("Not all orders were looked at: the next page looks further."));
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

const struct console_row orders_screens[] = {
	{ .method = "GET",
	    .pattern = "/W/orders",
	    .title = tr_mark("Orders"),
	    .need = ORDERS_NEED,
	    .handler = list },
	{ .method = NULL },
};
