/* One order (docs/console.md §4.7): how far it is, what became of it, and "Cancel"; the result of
 * a research order as a part of its page, and as a file. */
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "action/order-actions.h"
#include "all.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/jread.h"
#include "console/answer.h"
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
write_text(struct hwrite *w, const char *label, const char *text)
{
	if (text == NULL)
		return;
	hwrite_element(w, H_H3, label);
	hwrite_open(w, H_P);
	hwrite_attr(w, A_DIR, "auto");
	hwrite_text(w, text);
	hwrite_close(w, H_P);
}

static void
write_items(struct hwrite *w, const json_t *array)
{
	if (json_array_size(array) == 0)
		return;
	hwrite_open(w, H_UL);
	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *text = json_string_value(json_array_get(array, i));
		hwrite_open(w, H_LI);
		screen_data(w, text != NULL ? text : "");
		hwrite_close(w, H_LI);
	}
	hwrite_close(w, H_UL);
}

static void
write_outline(struct hwrite *w, const json_t *outline)
{
	if (json_array_size(outline) == 0)
		return;
	hwrite_element(w, H_H3, tr("Outline"));
	for (size_t i = 0; i < json_array_size(outline); i++) {
		const json_t *part = json_array_get(outline, i);
		const char *heading = text_of(part, "heading");
		hwrite_open(w, H_H4);
		screen_data(w, heading != NULL ? heading : "–");
		hwrite_close(w, H_H4);
		write_items(w, json_object_get(part, "points"));
	}
}

static void
write_source(struct ctx *c, struct hwrite *w, const json_t *source)
{
	static const char *const more[] = { "publisher", "published" };
	const char *title = text_of(source, "title"), *url = text_of(source, "url");
	int64_t day;

	hwrite_open(w, H_LI);
	if (url != NULL && (strncmp(url, "https://", 8) == 0 || strncmp(url, "http://", 7) == 0)) {
		hwrite_open(w, H_A);
		hwrite_address(w, A_HREF, url);
		screen_data(w, title != NULL ? title : url);
		hwrite_close(w, H_A);
	} else {
		screen_data(w, title != NULL ? title : "–");
	}
	for (size_t i = 0; i < 2; i++) {
		const char *text = text_of(source, more[i]);
		if (text == NULL)
			continue;
		hwrite_text(w, ", ");
		screen_data(
		    w, clock_parse_date(text, &day) ? say_day_text(c, day / CLOCK_DAY) : text);
	}
	hwrite_close(w, H_LI);
}

static void
write_sources(struct ctx *c, struct hwrite *w, const json_t *sources)
{
	if (json_array_size(sources) == 0)
		return;
	hwrite_element(w, H_H3, tr("Sources"));
	hwrite_open(w, H_UL);
	for (size_t i = 0; i < json_array_size(sources); i++)
		write_source(c, w, json_array_get(sources, i));
	hwrite_close(w, H_UL);
}

/* Articles of the workspace that it names. One that was deleted since is left out. */
static void
write_related(struct hwrite *w, struct ctx *c, const struct visit *v, const json_t *ids)
{
	bool begun = false;

	db_begin_read(c, DB_CONTENT);
	for (size_t i = 0; i < json_array_size(ids); i++) {
		const char *id = json_string_value(json_array_get(ids, i));
		const struct article *a = id == NULL ? NULL : article_find(c, v->workspace->id, id);
		if (a == NULL)
			continue;
		if (!begun) {
			hwrite_element(w, H_H3, tr("Related articles"));
			hwrite_open(w, H_UL);
		}
		begun = true;
		hwrite_open(w, H_LI);
		hwrite_open(w, H_A);
		hwrite_address(
		    w, A_HREF, console_path(c, v, "/%s/articles/%s", v->workspace->uuid, a->uuid));
		screen_data(w, a->title);
		hwrite_close(w, H_A);
		hwrite_close(w, H_LI);
	}
	db_rollback(c);
	if (begun)
		hwrite_close(w, H_UL);
}

/* Writes the brief of a completed research job. Returns false, and writes nothing, if it cannot
 * be read. */
static bool
orders_write_brief(struct hwrite *w, struct ctx *c, const struct visit *v, const struct job *job)
{
	const json_t *brief = parse(c, job);
	const char *topic;

	if (brief == NULL)
		return false;
	topic = text_of(brief, "topic");
	hwrite_open(w, H_H2);
	screen_data(w, topic != NULL ? topic : tr("The brief"));
	hwrite_close(w, H_H2);
	for (size_t i = 0; i < LINES; i++)
		write_text(w, tr(lines[i].label), text_of(brief, lines[i].name));
	write_outline(w, json_object_get(brief, "outline"));
	for (size_t i = 0; i < LISTS; i++) {
		const json_t *list = json_object_get(brief, lists[i].name);
		if (json_array_size(list) == 0)
			continue;
		hwrite_element(w, H_H3, tr(lists[i].label));
		write_items(w, list);
	}
	write_sources(c, w, json_object_get(brief, "sources"));
	write_related(w, c, v, json_object_get(brief, "related"));
	return true;
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
		    tr("The order waits for its turn, which comes when the job runner starts."));
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

SCREEN(order) = {
	{ "GET", "/W/orders/ID", ORDER, .handler = show },
	{ "POST", "/W/orders/ID/cancel", ORDER, .handler = cancel },
	{ "GET", "/W/orders/ID/brief", .title = tr_mark("Order"), .need = ORDERS_NEED,
	    .handler = download },
	{ .method = NULL },
};
