/* One order (docs/console.md §4.7): how far it is, what became of it, and "Cancel"; the result of
 * a research order as a part of its page, and as a file. */
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "action/article/publish-check.h"
#include "action/order-actions.h"
#include "all.h"
#include "article/article.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/jread.h"
#include "console/page.h"
#include "content/inline.h"
#include "content/snapshot.h"
#include "job/cron.h"
#include "orders.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"

/* ---- the result of a research order */

/* The members that are a line or lines each. */
static const struct {
	const char *name, *label;
} lines[] = {
	{ "summary", tr_mark("Summary") },
	{ "angle", tr_mark("Angle") },
	{ "audience", tr_mark("Readers") },
};
static const struct {
	const char *name, *label;
} lists[] = {
	{ "questions", tr_mark("Questions to answer") },
	{ "keywords", tr_mark("Keywords") },
};

#define LINES (sizeof(lines) / sizeof(lines[0]))
#define LISTS (sizeof(lists) / sizeof(lists[0]))

/* Reads the brief, which the job runner checked (job/result.h). NULL: it is damaged. */
static json_t *
parse(struct ctx *c, const struct job *job)
{
	json_t *brief;

	if (job->brief == NULL ||
	    jread_parse(c, "brief", job->brief, strlen(job->brief), &brief) != NULL)
		return NULL;
	return json_is_object(brief) ? brief : NULL;
}

/* Returns a text of an object, or NULL where it is empty. */
static const char *
text_of(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text != NULL && text[0] != '\0' ? text : NULL;
}

/* ---- the result as a part of the page */

static void
write_items(struct hwrite *w, const json_t *array)
{
	if (json_array_size(array) == 0)
		return;
	@ <ul>
	for (size_t i = 0; i < json_array_size(array); i++)
		@ <li>{json_string_value(json_array_get(array, i))}</li>
	@ </ul>
}

static void
write_outline(struct hwrite *w, const json_t *outline)
{
	if (json_array_size(outline) > 0)
		@ <h3>Outline</h3>
	for (size_t i = 0; i < json_array_size(outline); i++) {
		const json_t *part = json_array_get(outline, i);
		const char *heading = text_of(part, "heading");
		@ <h4>{heading != NULL ? heading : "–"}</h4>
		write_items(w, json_object_get(part, "points"));
	}
}

static void
write_source(struct ctx *c, struct hwrite *w, const json_t *source)
{
	static const char *const more[] = { "publisher", "published" };
	const char *title = text_of(source, "title"), *url = text_of(source, "url");
	int64_t day;

	@ <li>
	if (url != NULL && (strncmp(url, "https://", 8) == 0 || strncmp(url, "http://", 7) == 0))
		@ <a href={url}>{title != NULL ? title : url}</a>
	else
		@ {title != NULL ? title : "–"}
	for (size_t i = 0; i < 2; i++) {
		const char *text = text_of(source, more[i]);
		if (text == NULL)
			continue;
		if (clock_parse_date(text, &day))
			text = say_day_text(c, day / CLOCK_DAY);
		@ {=tr(", ")}{text}
	}
	@ </li>
}

static void
write_sources(struct ctx *c, struct hwrite *w, const json_t *sources)
{
	if (json_array_size(sources) == 0)
		return;
	@ <h3>Sources</h3><ul>
	for (size_t i = 0; i < json_array_size(sources); i++)
		write_source(c, w, json_array_get(sources, i));
	@ </ul>
}

/* Articles of the workspace that it names. One that was deleted since is left out. */
static void
write_related(struct hwrite *w, const struct page *p, const json_t *ids)
{
	bool begun = false;

	db_begin_read(p->c, DB_CONTENT);
	for (size_t i = 0; i < json_array_size(ids); i++) {
		const char *id = json_string_value(json_array_get(ids, i));
		const struct article *a =
		    id == NULL ? NULL : article_find(p->c, p->v->workspace->id, id);
		if (a == NULL)
			continue;
		if (!begun)
			@ <h3>Related articles</h3>
		begun = true;
		@ <p><a href="/W/articles/{a->uuid}">{a->title}</a></p>
	}
	db_rollback(p->c);
}

/* Writes what the brief of a completed research job has below its topic. */
static void
write_parts(struct hwrite *w, const struct page *p, const json_t *brief)
{
	for (size_t i = 0; i < LINES; i++) {
		const char *text = text_of(brief, lines[i].name);
		if (text != NULL)
			@ <h3>{=tr(lines[i].label)}</h3><p dir="auto">{=text}</p>
	}
	write_outline(w, json_object_get(brief, "outline"));
	for (size_t i = 0; i < LISTS; i++) {
		const json_t *list = json_object_get(brief, lists[i].name);
		if (json_array_size(list) > 0)
			@ <h3>{=tr(lists[i].label)}</h3>
		write_items(w, list);
	}
	write_sources(p->c, w, json_object_get(brief, "sources"));
	write_related(w, p, json_object_get(brief, "related"));
}

/* ---- the result as a file */

static void
add_items(struct buf *out, const json_t *array)
{
	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *text = json_string_value(json_array_get(array, i));
		buf_printf(out, "- %s\n", text != NULL ? text : "");
	}
}

static void
add_sources(struct buf *out, const json_t *sources)
{
	static const char *const members[] = { "title", "publisher", "published", "url" };

	for (size_t i = 0; i < json_array_size(sources); i++) {
		bool more = false;
		buf_add_text(out, "- ");
		for (size_t m = 0; m < 4; m++) {
			const char *text = text_of(json_array_get(sources, i), members[m]);
			if (text != NULL)
				buf_printf(out, "%s%s", more ? ", " : "", text);
			more |= text != NULL;
		}
		buf_add_char(out, '\n');
	}
}

static void
add_brief(struct buf *out, const json_t *brief)
{
	const json_t *outline = json_object_get(brief, "outline");
	const json_t *sources = json_object_get(brief, "sources");
	const char *topic = text_of(brief, "topic");

	buf_printf(out, "%s\n", topic != NULL ? topic : "");
	for (size_t i = 0; i < LINES; i++) {
		const char *text = text_of(brief, lines[i].name);
		if (text != NULL)
			buf_printf(out, "\n%s\n\n%s\n", tr(lines[i].label), text);
	}
	for (size_t i = 0; i < json_array_size(outline); i++) {
		const json_t *part = json_array_get(outline, i);
		const char *heading = text_of(part, "heading");
		buf_printf(out, "%s\n%zu. %s\n",
		    i == 0 ? arena_printf(out->arena, "\n%s\n", tr("Outline")) : "", i + 1,
		    heading != NULL ? heading : "");
		add_items(out, json_object_get(part, "points"));
	}
	for (size_t i = 0; i < LISTS; i++) {
		const json_t *list = json_object_get(brief, lists[i].name);
		if (json_array_size(list) > 0)
			buf_printf(out, "\n%s\n\n", tr(lists[i].label));
		add_items(out, list);
	}
	if (json_array_size(sources) > 0)
		buf_printf(out, "\n%s\n\n", tr("Sources"));
	add_sources(out, sources);
}

static struct err *
download(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct orders_one one;
	const json_t *brief;
	struct err *err = orders_read(c, v->workspace, v->id, &one);

	if (err != NULL)
		return err;
	brief = parse(c, one.job);
	if (brief == NULL)
		return refuse(c, ERR_NOT_FOUND, tr_mark("This order has no brief."));
	reply->type = "text/plain; charset=utf-8";
	head_add(reply, "no-store");
	reply_header(
	    reply, "Content-Disposition", "attachment; filename=\"brief-%.8s.txt\"", one.job->uuid);
	add_brief(&reply->body, brief);
	return NULL;
}

/* ---- the page of an order */

#define AGAIN_S 5
#define CHECKS_SHOWN 3
#define MINUTE (60 * CLOCK_SECOND)

struct followed {
	struct orders_one one;
	struct cron cron;
	const json_t *steps; /* of an open order: what is stored; or NULL */
	int64_t minutes; /* that are left, as the last orders of its kind took; 0: not known */
	/* Of the article that was written. */
	struct ready ready;
	const char *first, *cover; /* its first lines, as a text; NULL: it has none */
	int64_t words;
};

static bool
is_open(const struct job *job)
{
	return job->settled_at == 0;
}

/* Finds how long it still takes. */
static int64_t
minutes_left(struct ctx *c, const struct workspace *workspace, const struct job *job)
{
	int64_t took = orders_took(c, workspace, job->kind, job->image),
		gone = job->claimed_at != 0 ? clock_now() - job->claimed_at : 0;

	return took > gone ? (took - gone + MINUTE - 1) / MINUTE : 0;
}

static struct err *
load_article(struct page *p, struct followed *f)
{
	const struct export_source *source;
	const struct snapshot *s;
	struct err *err = ready_look(p->c, p->v->workspace, f->one.job->article_uuid, &f->ready);
	int64_t minutes;

	if (err != NULL)
		return err;
	db_begin_read(p->c, DB_CONTENT);
	source = stored_source(p->c, p->v->workspace, f->ready.article, true);
	db_rollback(p->c);
	s = source->snapshot;
	f->cover = s->image;
	f->first = s->content.summary[0] != '\0' ? inline_plain(p->c->arena, s->content.summary)
						 : s->meta_description;
	f->words = (int64_t)export_words(p->c, source, &minutes);
	return NULL;
}

static struct err *
load(struct page *p)
{
	struct followed *f = p->data;
	struct err *err = orders_read(p->c, p->v->workspace, p->v->id, &f->one);
	const struct job *job = f->one.job;
	json_t *steps;

	if (err != NULL || p->acting)
		return err;
	p->title = orders_topic(p->c, job);
	p->under =
	    arena_printf(p->c->arena, is_open(job) ? tr("Ordered %s") : tr("Ordered %s, ended %s"),
		say_time_text(p->c, job->created_at), say_time_text(p->c, job->settled_at));
	if (f->one.article)
		return load_article(p, f);
	if (!is_open(job))
		return NULL;
	p->v->refresh_s = AGAIN_S;
	cron_look(p->c, &f->cron);
	if (jread_parse(p->c, "steps", job->steps, strlen(job->steps), &steps) == NULL)
		f->steps = steps;
	f->minutes = minutes_left(p->c, p->v->workspace, job);
	return NULL;
}

static struct err *
cancel(struct page *p)
{
	struct job *job;

	return order_cancel(p->c, p->v->workspace->uuid, p->v->id, &job);
}

static const struct page_act cancel_it = { .name = "cancel",
	.fields = PAGE_BUTTON("cancel", tr_mark("Cancel"), FIELD_DANGER),
	.act = cancel,
	.go = "/W/orders/ID",
	.notice = "cancelled",
	.journal = "job cancel ID" };

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
};

#define STAGES (sizeof(stages) / sizeof(stages[0]))

static bool
is_at(const struct job *job, size_t i)
{
	return strcmp(stages[i].stage, job->stage) == 0;
}

static bool
has_stage(const struct job *job, size_t i)
{
	if (is_at(job, i))
		return true;
	if (strcmp(stages[i].stage, "image") == 0 && !job->image)
		return false;
	return job->kind == JOB_RESEARCH ? stages[i].research : stages[i].article;
}

/* Returns what a stage has found, as the steps of the model's provider tell it; NULL: nothing. */
static const char *
found(struct ctx *c, const struct followed *f, const char *stage)
{
	const json_t *answer = json_object_get(json_object_get(f->steps, "outline"), "answer");
	int64_t sections = (int64_t)json_array_size(json_object_get(answer, "sections")), done = 0;

	if (strcmp(stage, "queued") == 0 && f->one.job->claimed_at != 0)
		return arena_printf(
		    c->arena, tr("Begun %s"), say_time_text(c, f->one.job->claimed_at));
	if (sections == 0)
		return NULL;
	while (json_object_get(
		   f->steps, arena_printf(c->arena, "section-%lld", (long long)done + 1)) != NULL)
		done++;
	if (strcmp(stage, "outline") == 0)
		return arena_printf(c->arena, tr_count("%lld section", "%lld sections", sections),
		    (long long)sections);
	if (strcmp(stage, "writing") == 0)
		return arena_printf(c->arena, tr("%d of %d are done."), (int)done, (int)sections);
	return NULL;
}

static void
write_stage(struct hwrite *w, const struct page *p, size_t i, bool passed)
{
	const struct followed *f = p->data;
	const char *what = found(p->c, f, stages[i].stage);
	bool here = is_at(f->one.job, i);

	@ <li class={passed ? "done" : here ? "now" : NULL} aria-current={here ? "step" : NULL}>
	@ <div><h3>{=orders_stage(stages[i].stage)}
	if (passed)
		@ <span class="heard">{=" "}(done)</span>
	@ </h3>
	if (what != NULL)
		@ <p>{=what}</p>
	@ </div>
	if (here && f->one.job->status == JOB_FAILED)
		@ <state bad>It ended here</state>
	else if (here)
		@ <span class="state live">Now</span>
	@ </li>
}

/* Writes the stages, and for an open order how many are passed. */
static void
write_stages(struct hwrite *w, const struct page *p)
{
	const struct job *job = ((const struct followed *)p->data)->one.job;
	size_t here = 0, passed = 0, all = 0;

	while (here < STAGES - 1 && !is_at(job, here))
		here++;
	for (size_t i = 0; i < STAGES; i++) {
		all += has_stage(job, i);
		passed += i < here && has_stage(job, i);
	}
	if (is_open(job))
		@ <progress max={all} value={passed} aria-label="Stages"></progress>
	@ <ol class="todo">
	for (size_t i = 0; i < STAGES; i++) {
		if (has_stage(job, i))
			write_stage(w, p, i, i < here);
	}
	@ </ol>
}

static void
write_open(struct hwrite *w, const struct page *p)
{
	const struct followed *f = p->data;
	const struct job *job = f->one.job;

	@ <header><h2>{=orders_stage(job->stage)}</h2>
	if (f->minutes > 0)
		@ <span class="soft small">{#f->minutes: about %lld minute left|about %lld minutes left}
		@ </span>
	@ </header>
	if (job->status == JOB_QUEUED)
		@ <p>The order waits for its turn, which comes when the job runner starts.</p>
	else if (!job->leased && job->tries > 0)
		@ <p>{=arena_printf(p->c->arena, tr("A try failed. It is tried again: %d tries of %d were made."), (int)job->tries, JOB_TRIES)}</p>
	write_stages(w, p);
	if (f->cron.silent || job->status == JOB_QUEUED)
		console_runner(w, &f->cron, console_may(p->v, RIGHT_OPERATE));
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
	const struct job *job = ((const struct followed *)p->data)->one.job;
	bool cancelled = strcmp(job->error_code, "cancelled") == 0;

	@ <header><h2>{=why(job)}</h2>{!orders_write_state(w, job)}</header>
	@ <p>Nothing was charged: all that was reserved, {job->reserved_credits} credits, came
	@ back.</p>
	if (!cancelled)
		@ <p class="soft small">The cause, as it was told: {job->error}</p>
	if (!console_rests(p->v))
		@ <p><a class="button primary" href="/W/orders/new?as={job->uuid}">Order again</a></p>
	if (!cancelled)
		write_stages(w, p);
}

static void
write_article(struct hwrite *w, const struct page *p)
{
	const struct followed *f = p->data;
	const struct article *a = f->ready.article;
	bool draft = f->one.article && a->status == ARTICLE_DRAFT;

	if (!f->one.article) {
		@ <h2>Its article was deleted since.</h2>
		return;
	}
	@ <header><span class="big">{!screen_icon(w, ICON_DONE)}</span><div>
	@ <h2>{=draft ? tr("The draft is ready")
	@     : a->status == ARTICLE_DELETED ? tr("Its article is in the trash")
	@     : tr("The article is written")}</h2>
	@ <span class="soft small">{#f->words: %s word|%s words}</span></div>
	articles_write_cover(w, p, a->title, f->cover);
	@ </header><h3>{a->title}</h3>
	if (f->first != NULL)
		@ <p dir="auto">{=f->first}</p>
	if (f->one.job->auto_publish)
		@ <p class="soft small">It was ordered to be published at once.</p>
	@ <div class="bar-of"><a class="button primary" href="/W/articles/{a->uuid}">
	@ {=draft ? tr("Edit the draft") : tr("Open the article")}</a>
	@ <a class="button" href="/W/articles/{a->uuid}/preview">Preview</a></div>
}

/* What publishing would show: here the first of it. */
static void
write_checks(struct hwrite *w, const struct page *p)
{
	const struct ready *r = &((const struct followed *)p->data)->ready;
	const size_t left = r->todo_count;
	int passed = EXPORT_CHECKS - (int)r->failing_count;

	@ <section class="box"><header><h2>Before you publish</h2></header><ul class="rows">
	@ <li><span class="dot good"></span><span class="what">
	@ {passed} of {EXPORT_CHECKS} checks pass</span></li>
	for (size_t i = 0; i < r->failing_count && i < CHECKS_SHOWN; i++)
		@ <li><span class="dot warning"></span><span class="what">
		@ <a href="/W/articles/{r->article->uuid}?check=1">{=tr(r->failing[i].label)}</a></span></li>
	if (left > 0)
		@ <li><span class="dot warning"></span><span class="what">
		@ <a href="/W/articles/{r->article->uuid}?check=1">
		@ {#left: %zu place is left to write|%zu places are left to write}</a></span></li>
	@ </ul></section>
}

static void
write_brief(struct hwrite *w, const struct page *p)
{
	const struct job *job = ((const struct followed *)p->data)->one.job;
	const json_t *brief = parse(p->c, job);
	const char *topic = text_of(brief, "topic");

	@ <header><h2>{topic != NULL ? topic : tr("The brief")}</h2>{!orders_write_state(w, job)}</header>
	@ <div class="bar-of">
	if (!console_rests(p->v))
		@ <a class="button primary" href="/W/orders/new?brief={job->uuid}">
		@ Order an article by this brief</a>
	@ <a class="button" href="/W/orders/ID/brief">Download as text</a></div>
	if (brief != NULL)
		write_parts(w, p, brief);
	else
		@ <notice bad>The brief cannot be read. Tell the operator.</notice>
}

/* ---- what was ordered, and what it costs */

static void
write_ordered(struct hwrite *w, struct page *p)
{
	const struct followed *f = p->data;
	const struct job *job = f->one.job;

	@ <section class="box"><header><h2>This order</h2></header><dl>
	@ <dt>Kind</dt><dd>{=orders_kind(job)}</dd>
	/* In the lines in which it was typed. */
	@ <dt>Topic</dt><dd class="said" dir="auto">
	@ {=job->topic[0] != '\0' ? job->topic : tr("No topic was given")}</dd>
	if (job->research_uuid != NULL)
		@ <dt>Brief</dt><dd><a href="/W/orders/{job->research_uuid}">
		@ {f->one.brief[0] != '\0' ? f->one.brief : job->research_uuid}</a></dd>
	@ <dt>Ordered by</dt><dd>{!orders_write_orderer(w, &f->one.by)}</dd>
	@ <dt>Cost</dt><dd>
	if (is_open(job))
		@ at most {job->reserved_credits} credits, which are reserved
	else
		@ {job->cost} of {job->reserved_credits} credits,
		@ {job->reserved_credits - job->cost} came back
	@ </dd></dl>
	if (is_open(job)) {
		page_form(w, p, &cancel_it, NULL);
		@ <hr><p class="soft small">This page is kept up to date. You may leave it.</p>
	} else if (job->status == JOB_COMPLETED && !console_rests(p->v)) {
		@ <a href="/W/orders/new">Order another</a>
	}
	@ </section>
}

static void
write_order(struct hwrite *w, struct page *p)
{
	const struct followed *f = p->data;
	const struct job *job = f->one.job;

	@ <div class="split"><section class="box">
	if (is_open(job))
		write_open(w, p);
	else if (job->status == JOB_FAILED)
		write_failed(w, p);
	else if (job->kind == JOB_ARTICLE)
		write_article(w, p);
	else
		write_brief(w, p);
	@ </section><div class="stack">
	if (f->one.article && f->ready.article->status == ARTICLE_DRAFT)
		write_checks(w, p);
	write_ordered(w, p);
	@ </div></div>
}

static const struct page_kind order_page = { sizeof(struct followed), load, write_order };

#define ORDER .title = tr_mark("Order"), .need = ORDERS_NEED

SCREEN(order) = {
	{ "GET", "/W/orders/ID", ORDER, .page = &order_page },
	{ "POST", "/W/orders/ID/cancel", ORDER, .page = &order_page, .act = &cancel_it },
	{ "GET", "/W/orders/ID/brief", ORDER, .handler = download },
	{ .method = NULL },
};
