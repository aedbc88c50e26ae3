/* One order: how far it is, what became of it, and "Cancel" (docs/console.md §4.7). */
#include <inttypes.h>
#include <string.h>

#include "../all.h"
#include "action/order-actions.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "job/cron.h"
#include "orders.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"

#define AGAIN_S 5

static const struct field cancel_fields[] = {
	{ .name = "cancel",
	    .label = tr_mark("Cancel"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

struct page {
	struct ctx *c;
	const struct visit *v;
	struct orders_one one;
	struct cron cron;
	struct form form;
	const char *refused; /* why "Cancel" did nothing, or NULL */
};

static bool
is_open(const struct job *job)
{
	return job->settled_at == 0;
}

static const char *
path_of(const struct page *p, const char *more)
{
	return arena_printf(
	    p->c->arena, "/%s/orders/%s%s", p->v->workspace->uuid, p->one.job->uuid, more);
}

/* ---- how far it is */

/* The stages in their order, and which kind has them always. */
static const struct {
	const char *stage;
	bool article, research;
} stages[] = {
	{ "queued", true, true },
	{ "research", true, true },
	{ "outline", true, false },
	{ "writing", true, false },
	{ "image", true, false },
	{ "checks", true, false },
	{ "publishing", false, false },
	{ "done", true, true },
};

static bool
has_stage(const struct job *job, size_t i)
{
	if (strcmp(stages[i].stage, job->stage) == 0)
		return true;
	if (strcmp(stages[i].stage, "image") == 0 && !job->image)
		return false;
	return job->kind == JOB_RESEARCH ? stages[i].research : stages[i].article;
}

/* Writes how a stage is: passed, the present one, or still to come. */
static void
write_stage(struct hwrite *w, const struct job *job, const char *label, bool here, bool passed)
{
	hwrite_open(w, H_LI);
	if (!here) {
		hwrite_text(w, label);
	} else {
		hwrite_attr(w, A_ARIA_CURRENT, "step");
		hwrite_element(w, H_STRONG, label);
		hwrite_text(w, " ");
		if (job->status == JOB_FAILED)
			screen_state(w, SCREEN_BAD, tr("It ended here"));
		else
			screen_state(w, SCREEN_NOTE, tr("Now"));
	}
	if (passed) {
		hwrite_open(w, H_SPAN);
		hwrite_attr(w, A_ARIA_HIDDEN, "true");
		hwrite_text(w, " ✓");
		hwrite_close(w, H_SPAN);
	}
	hwrite_close(w, H_LI);
}

static void
write_stages(struct hwrite *w, const struct job *job)
{
	bool passed = true;

	hwrite_element(w, H_H2, tr("Stages"));
	hwrite_open(w, H_OL);
	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
		bool here = strcmp(stages[i].stage, job->stage) == 0;
		passed = passed && !here;
		if (has_stage(job, i))
			write_stage(w, job, orders_stage(stages[i].stage), here, passed);
	}
	hwrite_close(w, H_OL);
}

static void
write_open(struct hwrite *w, const struct page *p)
{
	const struct job *job = p->one.job;

	if (job->status == JOB_QUEUED)
		hwrite_element(w, H_P,
		    tr("The order waits for its turn, which comes when cron starts the job runner."));
	else if (!job->leased && job->tries > 0)
		hwrite_element(w, H_P,
		    arena_printf(p->c->arena,
			tr("A try failed. It is tried again: %d tries of %d were made."),
			(int)job->tries, JOB_TRIES));
	hwrite_element(
	    w, H_P, tr("This page shows by itself how far it is. You need not wait for it."));
	console_runner(w, &p->cron, console_may(p->v, RIGHT_OPERATE));
	write_stages(w, job);
	console_form(p->c, p->v, w, &p->form, path_of(p, "/cancel"));
}

/* ---- what became of it */

static const char *
why(const struct job *job)
{
	static const struct {
		const char *code, *sentence;
	} causes[] = {
		{ "provider_unavailable",
		    tr_mark("What writes the orders did not answer. Order again later.") },
		{ "provider_refused",
		    tr_mark(
			"What writes the orders refused this one. Say it in other words, or ask the operator.") },
		{ "provider_not_configured",
		    tr_mark("Nothing is set up yet that writes orders. Ask the operator.") },
		{ "invalid_output", tr_mark("What was delivered cannot be used. Order again.") },
		{ "timeout", tr_mark("It took too long. Order again later.") },
		{ "cancelled", tr_mark("The order was cancelled.") },
		{ "internal_error",
		    tr_mark(
			"Something failed here. Order again; if it fails again, tell the operator.") },
	};

	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		if (strcmp(causes[i].code, job->error_code) == 0)
			return tr(causes[i].sentence);
	}
	return tr("The order failed.");
}

static void
write_failed(struct hwrite *w, const struct page *p)
{
	const struct job *job = p->one.job;
	bool cancelled = strcmp(job->error_code, "cancelled") == 0;

	screen_notice(w, cancelled ? SCREEN_NOTE : SCREEN_BAD, "%s", why(job));
	hwrite_element(w, H_P,
	    arena_printf(p->c->arena,
		tr("Nothing was charged: all that was reserved, %lld credits, came back."),
		(long long)job->reserved_credits));
	if (!cancelled) {
		hwrite_open(w, H_P);
		screen_sentence(w, tr("The cause, as it was told: %s"), job->error);
		hwrite_close(w, H_P);
		write_stages(w, job);
	}
	if (console_rests(p->v))
		return;
	hwrite_open(w, H_P);
	screen_button_link(w,
	    console_path(p->c, p->v, "/%s/orders/new?as=%s", p->v->workspace->uuid, job->uuid),
	    tr("Order again"), true);
	hwrite_close(w, H_P);
}

static void
write_article(struct hwrite *w, const struct page *p)
{
	const struct job *job = p->one.job;

	if (!p->one.article) {
		screen_notice(w, SCREEN_NOTE, "%s", tr("Its article was deleted since."));
		return;
	}
	if (job->auto_publish)
		screen_notice(w, SCREEN_GOOD,
		    tr("The article “%s” is written. It was ordered to be published at once."),
		    p->one.title);
	else
		screen_notice(w, SCREEN_GOOD,
		    tr("The article “%s” is written. It landed as a draft: read it, and publish it when it is good."),
		    p->one.title);
	hwrite_open(w, H_P);
	screen_button_link(w,
	    console_path(p->c, p->v, "/%s/articles/%s", p->v->workspace->uuid, job->article_uuid),
	    tr("Open the article"), true);
	hwrite_close(w, H_P);
}

static void
write_brief(struct hwrite *w, const struct page *p)
{
	const struct job *job = p->one.job;

	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "buttons");
	if (!console_rests(p->v))
		screen_button_link(w,
		    console_path(
			p->c, p->v, "/%s/orders/new?brief=%s", p->v->workspace->uuid, job->uuid),
		    tr("Order an article by this brief"), true);
	screen_button_link(
	    w, console_path(p->c, p->v, "%s", path_of(p, "/brief")), tr("Download as text"), false);
	hwrite_close(w, H_DIV);
	if (!orders_write_brief(w, p->c, p->v, job))
		screen_notice(
		    w, SCREEN_BAD, "%s", tr("The brief cannot be read. Tell the operator."));
}

/* ---- what was ordered */

static void
write_term(struct hwrite *w, const char *term)
{
	hwrite_element(w, H_DT, term);
	hwrite_open(w, H_DD);
}

static void
write_time(struct hwrite *w, const char *term, int64_t at)
{
	if (at == 0)
		return;
	write_term(w, term);
	say_time(w, at);
	hwrite_close(w, H_DD);
}

static const char *
price_of(struct ctx *c, const struct job *job)
{
	if (is_open(job))
		return arena_printf(c->arena, tr("at most %lld credits, which are reserved"),
		    (long long)job->reserved_credits);
	return arena_printf(c->arena, tr("%lld credits, of %lld that were reserved"),
	    (long long)job->cost, (long long)job->reserved_credits);
}

static void
write_ordered(struct hwrite *w, const struct page *p)
{
	const struct job *job = p->one.job;

	hwrite_element(w, H_H2, tr("What was ordered"));
	hwrite_open(w, H_DL);
	write_term(w, tr("Kind"));
	hwrite_text(w, orders_kind(job));
	hwrite_close(w, H_DD);
	write_term(w, tr("Topic"));
	/* In the lines in which it was typed. */
	hwrite_attr(w, A_CLASS, "said");
	hwrite_attr(w, A_DIR, "auto");
	hwrite_text(w, job->topic[0] != '\0' ? job->topic : tr("No topic was given"));
	hwrite_close(w, H_DD);
	if (job->research_uuid != NULL) {
		write_term(w, tr("Brief"));
		hwrite_open(w, H_A);
		hwrite_address(w, A_HREF,
		    console_path(
			p->c, p->v, "/%s/orders/%s", p->v->workspace->uuid, job->research_uuid));
		screen_data(w, p->one.brief[0] != '\0' ? p->one.brief : job->research_uuid);
		hwrite_close(w, H_A);
		hwrite_close(w, H_DD);
	}
	write_term(w, tr("Price"));
	hwrite_text(w, price_of(p->c, job));
	hwrite_close(w, H_DD);
	write_term(w, tr("Ordered by"));
	orders_write_orderer(w, &p->one.by);
	hwrite_close(w, H_DD);
	write_time(w, tr("Ordered"), job->created_at);
	write_time(w, tr("Begun"), job->claimed_at);
	write_time(w, tr("Ended"), job->settled_at);
	hwrite_close(w, H_DL);
}

/* ---- the page */

static void
write_main(struct hwrite *w, const void *data)
{
	const struct page *p = data;
	const struct job *job = p->one.job;

	if (p->refused != NULL)
		screen_notice(w, SCREEN_WARNING, "%s", p->refused);
	hwrite_open(w, H_P);
	orders_write_state(w, job);
	hwrite_close(w, H_P);
	if (is_open(job))
		write_open(w, p);
	else if (job->status == JOB_FAILED)
		write_failed(w, p);
	else if (job->kind == JOB_ARTICLE)
		write_article(w, p);
	else
		write_brief(w, p);
	write_ordered(w, p);
}

static struct err *
read_page(struct ctx *c, struct visit *v, struct page **out)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));

	*p = (struct page) { .c = c, .v = v };
	*out = p;
	return orders_read(c, v->workspace, v->id, &p->one);
}

static void
write_page(struct page *p, struct visit *v, struct reply *reply)
{
	cron_look(p->c, &p->cron);
	form_init(&p->form, "cancel", cancel_fields);
	if (is_open(p->one.job))
		v->refresh_s = AGAIN_S;
	console_page(p->c, v, reply, NULL, orders_topic(p->c, p->one.job), write_main, p);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p;
	struct err *err = read_page(c, v, &p);

	if (err == NULL)
		write_page(p, v, reply);
	return err;
}

static struct err *
cancel(struct ctx *c, struct visit *v, struct reply *reply)
{
	const char *path = arena_printf(c->arena, "/%s/orders/%s", v->workspace->uuid, v->id);
	struct job *job;
	struct page *p;
	struct err *err;

	console_will_go(v, path);
	err = order_cancel(c, v->workspace->uuid, v->id, &job);
	if (err == NULL) {
		console_journal(c, v, "job cancel %s", job->uuid);
		console_go(c, v, reply, path, "cancelled");
		return NULL;
	}
	if (err->code != ERR_CONFLICT || v->repeated)
		return err;
	/* It ended meanwhile: the page says what became of it. */
	reply->status = err_status(err->code);
	if (read_page(c, v, &p) != NULL)
		return err;
	p->refused = err->message;
	write_page(p, v, reply);
	return NULL;
}

#define ORDER .title = tr_mark("Order"), .need = ORDERS_NEED

const struct console_row order_screens[] = {
	{ .method = "GET", .pattern = "/W/orders/ID", ORDER, .handler = show },
	{ .method = "POST", .pattern = "/W/orders/ID/cancel", ORDER, .handler = cancel },
	{ .method = NULL },
};
