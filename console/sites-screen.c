/* Sites (docs/console.md §4.10): who reads this workspace, what became of one request; one site:
 * what it asked for, and the articles that it has in an older revision; and "Pages": whether the
 * pages of the website say what was exported. */
#include <inttypes.h>
#include <string.h>

#include "access/pages-settings.h"
#include "action/site-actions.h"
#include "all.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "job/cron.h"
#include "screen/plot.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "task/slice.h"

#define ID_MAX 100

static const struct field explain_fields[] = {
	{ .name = "request",
	    .label = "X-Request-Id",
	    .kind = FIELD_TEXT,
	    .max = ID_MAX,
	    .dir = "ltr",
	    .autocomplete = "off",
	    .hint = tr_mark(
		"The id of an answer of the API: it is in its header field X-Request-Id, and in the text of an error.") },
	{ .name = "explain", .label = tr_mark("Explain"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

struct page {
	struct ctx *c;
	const struct visit *v;
	struct sites sites;
	bool pages; /* the workspace has a word for its pages */
	bool published; /* it has a published article */
	const char *asked; /* the id, or NULL */
	struct explain explained;
};

/* ---- sites */

static const char *
name_of(const struct apikey *key)
{
	return key->label[0] != '\0' ? key->label : key->display;
}

void
sites_write_state(struct hwrite *w, const struct site *s)
{
	if (!s->good)
		screen_state(w, SCREEN_NOTE, tr("The key ended"));
	else if (s->reader.id == 0)
		screen_state(w, SCREEN_NOTE, tr("No request yet"));
	else if (s->stale)
		screen_state(w, SCREEN_BAD, tr("Silent for three days"));
	else if (s->reader.read_at == 0)
		screen_state(w, SCREEN_NOTE, tr("It read nothing yet"));
	else
		screen_state(w, SCREEN_GOOD, tr("It reads"));
}

static void
write_refusal(struct screen_table *t, const struct page *p, const struct reader *r)
{
	screen_cell_begin(t);
	hwrite_open(t->w, H_SPAN);
	say_time(t->w, r->refused_at);
	if (r->refused_at != 0)
		screen_data(
		    t->w, arena_printf(p->c->arena, " %d %s", r->refused_status, r->refused_code));
	hwrite_close(t->w, H_SPAN);
	screen_cell_end(t);
}

static void
write_site(struct screen_table *t, const struct page *p, const struct site *s)
{
	const char *address =
	    console_path(p->c, p->v, "/%s/keys/%s", p->v->workspace->uuid, s->key->uuid);

	screen_row_begin(t);
	if ((p->v->rights & RIGHT_MANAGE) != 0)
		screen_cell_link(t, address, name_of(s->key));
	else
		screen_cell(t, name_of(s->key));
	screen_cell_begin(t);
	sites_write_state(t->w, s);
	screen_cell_end(t);
	screen_cell_time(t, s->reader.requested_at);
	screen_cell_time(t, s->reader.listed_at);
	screen_cell_begin(t);
	if (s->reader.id == 0)
		hwrite_text(t->w, "–");
	else
		screen_data(t->w, arena_printf(p->c->arena, tr("%lld of %lld"),
				      (long long)s->present, (long long)p->sites.articles));
	screen_cell_end(t);
	write_refusal(t, p, &s->reader);
	screen_row_end(t);
}

static void
write_sites(struct hwrite *w, const struct page *p)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Site") },
		{ .label = tr_mark("State") },
		{ .label = tr_mark("Last request") },
		{ .label = tr_mark("Last whole list") },
		{ .label = tr_mark("Articles as they are now") },
		{ .label = tr_mark("Last refusal") },
		{ .label = NULL },
	};
	struct screen_table t;

	screen_table_begin(&t, w, tr("The sites that read this workspace"), columns);
	for (size_t i = 0; i < p->sites.count; i++)
		write_site(&t, p, &p->sites.sites[i]);
	screen_table_end(&t);
	if (p->sites.more)
		screen_sentence(w, tr("The newest %s articles are compared."),
		    arena_printf(p->c->arena, "%d", SITES_ARTICLES));
	hwrite_element(w, H_P,
	    tr("A site has an article as it is now if it fetched this article by itself since its last change. Some minutes may pass until a request is seen here."));
}

/* Leads to the page of each site that asked for something. */
static void
write_requests(struct hwrite *w, const struct page *p)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Site") },
		{ .label = tr_mark("Requests"), .number = true },
		{ .label = NULL },
	};
	struct screen_table t;

	hwrite_element(w, H_H2, tr("Requests in 30 days"));
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "sums");
	screen_table_begin(&t, w, tr("Requests in 30 days"), columns);
	for (size_t i = 0; i < p->sites.count; i++) {
		const struct site *s = &p->sites.sites[i];
		if (s->reader.id == 0)
			continue;
		screen_row_begin(&t);
		screen_cell(&t, name_of(s->key));
		screen_cell_link(&t,
		    console_path(p->c, p->v, "/%s/sites/%s", p->v->workspace->uuid, s->key->uuid),
		    arena_printf(p->c->arena, "%" PRId64, s->requests));
		screen_row_end(&t);
	}
	screen_table_end(&t);
	hwrite_close(w, H_DIV);
}

static bool
any_asked(const struct page *p)
{
	for (size_t i = 0; i < p->sites.count; i++) {
		if (p->sites.sites[i].reader.id != 0)
			return true;
	}
	return false;
}

/* ---- how a site begins */

/* A step of a way to readers. */
struct way_step {
	const char *what;
	bool done;
	const char *path, *label; /* below the workspace: where it is done; NULL: nowhere here */
};

/* Writes the steps in their order; the first that is not done is the next. */
static void
write_steps(struct hwrite *w, const struct page *p, const char *title, const struct way_step *steps,
    size_t count)
{
	bool before = true;

	hwrite_element(w, H_H3, title);
	hwrite_open(w, H_OL);
	for (size_t i = 0; i < count; i++) {
		const bool next = before && !steps[i].done;
		hwrite_open(w, H_LI);
		if (steps[i].done)
			screen_state(w, SCREEN_GOOD, tr("Done"));
		else if (next)
			screen_state(w, SCREEN_WARNING, tr("Next"));
		hwrite_text(w, " ");
		hwrite_text(w, steps[i].what);
		if (next && steps[i].path != NULL && console_may(p->v, RIGHT_MANAGE)) {
			hwrite_text(w, " ");
			hwrite_open(w, H_A);
			hwrite_address(w, A_HREF,
			    console_path(
				p->c, p->v, "/%s/%s", p->v->workspace->uuid, steps[i].path));
			hwrite_text(w, steps[i].label);
			hwrite_close(w, H_A);
		}
		hwrite_close(w, H_LI);
		before = before && steps[i].done;
	}
	hwrite_close(w, H_OL);
}

/* Where nothing shows the articles yet, there are two ways. */
static void
write_ways(struct hwrite *w, const struct page *p)
{
	const struct way_step pages[] = {
		{ tr("The account is verified by an operator."), p->v->account->verified, NULL,
		    NULL },
		{ tr("The pages are turned on, with a word for their address."), p->pages,
		    "settings#settings-pages", tr("Settings") },
		{ tr("An article is published."), p->published, "articles", tr("Articles") },
	};
	const struct way_step website[] = {
		{ tr("The address of the website is set."),
		    p->v->workspace->settings.website != NULL, "settings#settings-website",
		    tr("Settings") },
		{ tr("The website has a key."), p->sites.count > 0, "keys", tr("Keys") },
		{ tr("It asked for articles with the key. The page of a new key shows how."),
		    any_asked(p), "keys", tr("Keys") },
		{ tr("An article is published."), p->published, "articles", tr("Articles") },
	};

	hwrite_element(w, H_H2, tr("Two ways to your readers"));
	write_steps(w, p, tr("Pages of Galley, without a website"), pages, 3);
	verification_write(w, p->c, p->v);
	write_steps(w, p, tr("Your own website"), website, 4);
	if (!console_may(p->v, RIGHT_MANAGE))
		hwrite_element(w, H_P, tr("Somebody who manages this workspace does these steps."));
}

static void
write_since(struct hwrite *w, const struct page *p)
{
	if (p->sites.since_at == 0) {
		struct cron cron;
		cron_look(p->c, &cron);
		hwrite_element(w, H_P,
		    tr("Nothing is counted yet: the task runner, which cron starts, counts the requests of the API."));
		console_runner(w, &cron, console_may(p->v, RIGHT_OPERATE));
		return;
	}
	hwrite_open(w, H_P);
	screen_sentence(w, tr("Counted from the log, which begins on %s."),
	    say_day_text(p->c, say_day_of(p->c, p->sites.since_at)));
	hwrite_close(w, H_P);
}

/* ---- one request */

static void
write_fact(struct hwrite *w, const char *name, const char *value)
{
	if (value == NULL || value[0] == '\0' || strcmp(value, "-") == 0)
		return;
	hwrite_element(w, H_DT, name);
	hwrite_open(w, H_DD);
	screen_data(w, value);
	hwrite_close(w, H_DD);
}

static void
write_cause(void *arg, const char *cause, const char *remedy)
{
	struct hwrite *w = arg;

	hwrite_open(w, H_LI);
	screen_data(w, cause);
	hwrite_text(w, " ");
	screen_data(w, remedy);
	hwrite_close(w, H_LI);
}

static void
write_explained(struct hwrite *w, const struct page *p)
{
	const struct explain *e = &p->explained;
	const struct logs_request *r = &e->request;
	int64_t at;

	if (!e->found) {
		screen_notice(w, SCREEN_NOTE, "%s",
		    tr("No request of this workspace has this id in the log."));
		if (e->unread_count > 0)
			hwrite_element(w, H_P,
			    tr("Not all older logs could be searched. The operator can search them on the host."));
		return;
	}
	hwrite_open(w, H_DL);
	write_fact(w, tr("Request"), arena_printf(p->c->arena, "%s %s", r->method, r->target));
	write_fact(w, tr("At"), clock_parse(r->at, &at) ? say_second_text(p->c, at) : r->at);
	write_fact(w, tr("Status"), arena_printf(p->c->arena, "%d", r->status));
	write_fact(w, tr("Key"),
	    e->key == NULL	       ? NULL
	    : e->key->label[0] != '\0' ? e->key->label
				       : e->key->display);
	write_fact(w, tr("It needs"), r->scope);
	write_fact(w, tr("The key lacks"), r->lacks);
	write_fact(w, tr("Requests left"), r->limit);
	write_fact(w, tr("Error"), r->error);
	write_fact(w, tr("Told"), r->sentence);
	hwrite_close(w, H_DL);
	if (r->error == NULL)
		return;
	hwrite_open(w, H_UL);
	(void)explain_code(p->c, r->error, r->sentence, write_cause, w);
	hwrite_close(w, H_UL);
}

static const char *
address_of(const struct page *p)
{
	return console_path(p->c, p->v, "/%s/sites", p->v->workspace->uuid);
}

static void
write_explain(struct hwrite *w, const struct page *p)
{
	struct form f;

	hwrite_element(w, H_H2, tr("Explain a request"));
	if (p->asked != NULL)
		write_explained(w, p);
	form_init(&f, "explain", explain_fields);
	form_fill(&f, "request", p->asked);
	form_write(w, &f, &(struct form_head) { .search = true, .action = address_of(p) });
}

static void
write_page(struct hwrite *w, const void *data)
{
	const struct page *p = data;

	write_since(w, p);
	if (p->sites.count > 0)
		write_sites(w, p);
	else
		hwrite_element(
		    w, H_P, tr("No site reads this workspace yet: each one needs a key."));
	if (!any_asked(p) && !(p->pages && p->v->account->verified && p->published) &&
	    !console_rests(p->v))
		write_ways(w, p);
	if (any_asked(p))
		write_requests(w, p);
	hwrite_element(w, H_H2, tr("Pages"));
	hwrite_open(w, H_P);
	screen_button_link(
	    w, arena_printf(p->c->arena, "%s/pages", address_of(p)), tr("Verify pages"), false);
	hwrite_close(w, H_P);
	write_explain(w, p);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));
	const char *asked = console_query(c, v, "request");
	struct article one;

	p->c = c;
	p->v = v;
	sites_read(c, v->workspace->uuid, true, &p->sites);
	db_begin_read(c, DB_CONTENT);
	p->pages = word_of(c, v->workspace->id)[0] != '\0';
	for (struct stmt *q = article_list(c, v->workspace->id, ARTICLE_PUBLISHED, 1);
	     article_next(q, &one);)
		p->published = true;
	db_rollback(c);
	if (asked != NULL && asked[strspn(asked, " ")] != '\0' && strlen(asked) <= ID_MAX) {
		p->asked = asked;
		sites_explain(c, v->workspace->uuid, asked, &p->explained);
	}
	console_page(c, v, reply, NULL, NULL, write_page, p);
	return NULL;
}

/* ---- one site */

struct site_page {
	struct ctx *c;
	const struct visit *v;
	struct asked asked;
};

static const char *
number(const struct site_page *p, int64_t value)
{
	return arena_printf(p->c->arena, "%" PRId64, value);
}

static const char *
day_text(const struct site_page *p, size_t place)
{
	return say_day_text(p->c, p->asked.today - ASKED_DAYS + 1 + (int64_t)place);
}

/* ---- requests */

static void
write_figure(struct hwrite *w, const char *label, const char *value)
{
	hwrite_open(w, H_LI);
	hwrite_element(w, H_SPAN, label);
	hwrite_text(w, " ");
	hwrite_element(w, H_STRONG, value);
	hwrite_close(w, H_LI);
}

static void
write_figures(struct hwrite *w, const struct site_page *p)
{
	const struct asked *a = &p->asked;

	hwrite_open(w, H_UL);
	hwrite_attr(w, A_CLASS, "figures");
	write_figure(w, tr("Requests in 30 days"), number(p, a->sum.requests));
	write_figure(w, tr("Not modified (304)"), number(p, a->sum.not_modified));
	write_figure(w, tr("Refused"), number(p, a->sum.refused));
	write_figure(w, tr("Articles as they are now"),
	    arena_printf(
		p->c->arena, tr("%lld of %lld"), (long long)a->present, (long long)a->articles));
	hwrite_close(w, H_UL);
}

static void
write_plot(struct hwrite *w, const struct site_page *p)
{
	int64_t *requests = arena_array(p->c->arena, ASKED_DAYS, sizeof(*requests));
	int64_t *refused = arena_array(p->c->arena, ASKED_DAYS, sizeof(*refused));
	const struct plot_line lines[] = { { tr("Requests"), requests, false },
		{ tr("Refused"), refused, true } };

	for (size_t i = 0; i < ASKED_DAYS; i++) {
		requests[i] = p->asked.days[i].requests;
		refused[i] = p->asked.days[i].refused;
	}
	plot_write_lines(w, "requests", tr("Requests by day"),
	    arena_printf(p->c->arena, tr("Each day from %s to %s. The table has the numbers."),
		day_text(p, 0), day_text(p, ASKED_DAYS - 1)),
	    day_text(p, 0), day_text(p, ASKED_DAYS - 1), lines, 2, ASKED_DAYS);
}

static void
write_days(struct hwrite *w, const struct site_page *p)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Day (UTC)") },
		{ .label = tr_mark("Requests"), .number = true },
		{ .label = tr_mark("Not modified (304)"), .number = true },
		{ .label = tr_mark("Refused"), .number = true },
		{ .label = NULL },
	};
	struct screen_table t;

	hwrite_open(w, H_DETAILS);
	hwrite_attr(w, A_CLASS, "noprint");
	hwrite_element(w, H_SUMMARY, tr("The same as a table"));
	screen_table_begin(&t, w, tr("Requests by day"), columns);
	for (size_t i = ASKED_DAYS; i-- > 0;) {
		const struct asked_day *d = &p->asked.days[i];
		screen_row_begin(&t);
		screen_cell(&t, day_text(p, i));
		screen_cell(&t, number(p, d->requests));
		screen_cell(&t, number(p, d->not_modified));
		screen_cell(&t, number(p, d->refused));
		screen_row_end(&t);
	}
	screen_table_end(&t);
	hwrite_close(w, H_DETAILS);
}

static void
write_statuses(struct hwrite *w, const struct site_page *p)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Status") },
		{ .label = tr_mark("Requests"), .number = true },
		{ .label = NULL },
	};
	struct screen_table t;

	if (p->asked.status_count == 0)
		return;
	hwrite_element(w, H_H2, tr("What was refused"));
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "sums");
	screen_table_begin(&t, w, tr("What was refused in 30 days, by status"), columns);
	for (size_t i = 0; i < p->asked.status_count; i++) {
		screen_row_begin(&t);
		screen_cell(&t, number(p, p->asked.statuses[i].status));
		screen_cell(&t, number(p, p->asked.statuses[i].requests));
		screen_row_end(&t);
	}
	screen_table_end(&t);
	hwrite_close(w, H_DIV);
}

/* ---- articles */

static void
write_article(struct screen_table *t, const struct site_page *p, const struct asked_article *a)
{
	screen_row_begin(t);
	if (a->title != NULL)
		screen_cell_link(t,
		    console_path(p->c, p->v, "/%s/articles/%s", p->v->workspace->uuid, a->id),
		    a->title);
	else
		screen_cell(t, tr("An article that is gone"));
	screen_cell_time(t, a->fetched_at);
	screen_cell(t, a->had);
	screen_cell(t, a->now);
	screen_row_end(t);
}

static void
write_older(struct hwrite *w, const struct site_page *p)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Article") },
		{ .label = tr_mark("Fetched") },
		{ .label = tr_mark("Its revision then") },
		{ .label = tr_mark("Its revision now") },
		{ .label = NULL },
	};
	struct screen_table t;

	if (p->asked.older_count == 0)
		return;
	hwrite_element(w, H_H2, tr("Articles that it has as they were"));
	screen_table_begin(&t, w, tr("Articles that changed since the site fetched them"), columns);
	for (size_t i = 0; i < p->asked.older_count; i++)
		write_article(&t, p, &p->asked.older[i]);
	screen_table_end(&t);
	if (p->asked.older_all > p->asked.older_count)
		hwrite_element(w, H_P,
		    arena_printf(p->c->arena, tr("%lld more articles are as they were."),
			(long long)(p->asked.older_all - p->asked.older_count)));
}

/* ---- the page */

static void
write_last(struct hwrite *w, const char *name, int64_t at)
{
	hwrite_element(w, H_DT, name);
	hwrite_open(w, H_DD);
	say_time(w, at);
	hwrite_close(w, H_DD);
}

static void
write_site_page(struct hwrite *w, const void *data)
{
	const struct site_page *p = data;
	const struct asked *a = &p->asked;

	write_figures(w, p);
	hwrite_open(w, H_DL);
	write_last(w, tr("Last request"), a->reader.requested_at);
	write_last(w, tr("Last whole list"), a->reader.listed_at);
	hwrite_close(w, H_DL);
	hwrite_element(w, H_H2, tr("Requests by day"));
	write_plot(w, p);
	write_days(w, p);
	write_statuses(w, p);
	write_older(w, p);
	hwrite_open(w, H_P);
	hwrite_attr(w, A_CLASS, "noprint");
	screen_button_link(w, console_path(p->c, p->v, "/%s/sites", p->v->workspace->uuid),
	    tr("Back to Sites"), false);
	hwrite_close(w, H_P);
}

static struct err *
show_site(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct site_page *p = arena_alloc(c->arena, sizeof(*p));
	const struct apikey *key;
	struct err *err;

	p->c = c;
	p->v = v;
	p->asked.workspace = v->workspace->uuid;
	p->asked.key = v->id;
	err = asked_read(c, &p->asked);
	if (err != NULL)
		return err;
	key = p->asked.apikey;
	console_page(c, v, reply, key->label[0] != '\0' ? key->label : key->display,
	    tr("What this site asked the API for"), write_site_page, p);
	return NULL;
}

/* ---- "Pages" */

#define AGAIN_S 5

static const struct field fields[] = {
	{ .name = "verify",
	    .label = tr_mark("Verify pages"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

struct pages_check_page {
	struct ctx *c;
	const struct visit *v;
	struct webpages pages;
	struct form form;
};

static const char *
path_of(struct ctx *c, const struct visit *v)
{
	return arena_printf(c->arena, "/%s/sites/pages", v->workspace->uuid);
}

static void
write_open(struct hwrite *w, const struct pages_check_page *p)
{
	const struct task *t = p->pages.task;
	struct cron cron;

	hwrite_element(w, H_P,
	    strcmp(t->state, "waiting") == 0
		? tr("It waits for the task runner, which cron starts.")
		: arena_printf(p->c->arena, tr("%lld of %lld pages were looked at."),
		      (long long)t->done, (long long)t->total));
	hwrite_element(w, H_P, tr("This page shows by itself how far it is."));
	cron_look(p->c, &cron);
	console_runner(w, &cron, console_may(p->v, RIGHT_OPERATE));
}

static void
write_end(struct hwrite *w, const struct pages_check_page *p)
{
	const struct task *t = p->pages.task;

	if (strcmp(t->state, "done") != 0)
		screen_notice(w, SCREEN_WARNING, "%s",
		    t->report[0] != '\0' ? tr(t->report) : tr("It was ended."));
	else if (p->pages.count == 0)
		screen_notice(w, SCREEN_NOTE, "%s",
		    tr("There is no published article, so there is no page."));
	else if (p->pages.wrong == 0)
		screen_notice(w, SCREEN_GOOD, "%s", tr("All pages are as exported."));
	else
		screen_notice(w, SCREEN_WARNING, "%s",
		    arena_printf(p->c->arena,
			tr_count("%lld of the pages is not as exported.",
			    "%lld of the pages are not as exported.", (int64_t)p->pages.wrong),
			(long long)p->pages.wrong));
}

/* The sentences are those of galley verify-pages, in English. */
static void
write_findings(struct hwrite *w, const struct pages_check_page *p, const char *findings)
{
	if (findings[0] == '\0') {
		screen_state(w, SCREEN_GOOD, tr("As exported"));
		return;
	}
	hwrite_open(w, H_UL);
	for (const char *line = findings; *line != '\0';) {
		size_t len = strcspn(line, "\n");
		hwrite_open(w, H_LI);
		hwrite_attr(w, A_LANG, "en");
		hwrite_attr(w, A_DIR, "ltr");
		screen_data(w, arena_text_n(p->c->arena, line, len));
		hwrite_close(w, H_LI);
		line += len + (line[len] == '\n');
	}
	hwrite_close(w, H_UL);
}

static void
write_one(struct screen_table *t, const struct pages_check_page *p, const struct webpages_page *one)
{
	screen_row_begin(t);
	if (one->title != NULL)
		screen_cell_link(t,
		    console_path(
			p->c, p->v, "/%s/articles/%s", p->v->workspace->uuid, one->found.article),
		    one->title);
	else
		screen_cell(t, tr("An article that is gone"));
	screen_cell_begin(t);
	screen_data(t->w, one->found.url);
	screen_cell_end(t);
	screen_cell_begin(t);
	write_findings(t->w, p, one->found.findings);
	screen_cell_end(t);
	screen_row_end(t);
}

static void
write_list(struct hwrite *w, const struct pages_check_page *p)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Article") },
		{ .label = tr_mark("Page") },
		{ .label = tr_mark("What was found") },
		{ .label = NULL },
	};
	struct screen_table t;

	screen_table_begin(
	    &t, w, tr("Pages that were looked at, those that are not as exported first"), columns);
	for (int wrong = 1; wrong >= 0; wrong--) {
		for (size_t i = 0; i < p->pages.count; i++) {
			if ((p->pages.list[i].found.findings[0] != '\0') == wrong)
				write_one(&t, p, &p->pages.list[i]);
		}
	}
	screen_table_end(&t);
}

static void
write_main(struct hwrite *w, const void *data)
{
	const struct pages_check_page *p = data;
	const struct task *t = p->pages.task;
	const char *website = p->v->workspace->settings.website;
	bool open = t != NULL && task_is_open(t);

	hwrite_element(w, H_P,
	    arena_printf(p->c->arena,
		tr("The pages of at most %d published articles are fetched from the website of this workspace, one a second, and compared with what was exported: title, description, address, robots, structured data, language and more."),
		VISITING_PAGES));
	if (open)
		write_open(w, p);
	else if (t != NULL)
		write_end(w, p);
	if (website == NULL)
		screen_empty(w, tr("This workspace has no website yet."),
		    console_may(p->v, RIGHT_MANAGE)
			? console_path(p->c, p->v, "/%s/settings", p->v->workspace->uuid)
			: NULL,
		    console_may(p->v, RIGHT_MANAGE) ? tr("Settings") : NULL);
	else if (!open)
		console_form(p->c, p->v, w, &p->form, path_of(p->c, p->v));
	if (p->pages.count > 0)
		write_list(w, p);
}

static struct err *
look(struct ctx *c, const struct visit *v, struct pages_check_page *p)
{
	p->c = c;
	p->v = v;
	form_init(&p->form, "pages", fields);
	return webpages_look(c, v->workspace, &p->pages);
}

static struct err *
pages_check_show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct pages_check_page *p = arena_alloc(c->arena, sizeof(*p));
	struct err *err = look(c, v, p);

	if (err != NULL)
		return err;
	if (p->pages.task != NULL && task_is_open(p->pages.task))
		v->refresh_s = AGAIN_S;
	console_page(c, v, reply, NULL, NULL, write_main, p);
	return NULL;
}

static struct err *
verify(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct task t = { .person = v->person->uuid,
		.need = console_may(v, RIGHT_PUBLISH) ? RIGHT_PUBLISH : RIGHT_MANAGE,
		.account = v->account->uuid,
		.workspace = v->workspace->uuid };
	struct err *err;

	console_will_go(v, path_of(c, v));
	err = webpages_begin(c, v->workspace, &t);
	if (err != NULL)
		return err;
	console_journal(c, v, "site verify %s", v->workspace->uuid);
	console_go(c, v, reply, path_of(c, v), NULL);
	return NULL;
}

#define PAGES                                                                                      \
	.pattern = "/W/sites/pages", .title = tr_mark("Pages"), .need = RIGHT_READ,                \
	.any = RIGHT_PUBLISH | RIGHT_MANAGE

const struct console_row sites_screens[] = {
	{ .method = "GET",
	    .pattern = "/W/sites",
	    .title = tr_mark("Sites"),
	    .need = RIGHT_READ,
	    .any = RIGHT_PUBLISH | RIGHT_MANAGE,
	    .handler = show },
	{ .method = "GET",
	    .pattern = "/W/sites/ID",
	    .title = tr_mark("Site"),
	    .need = RIGHT_READ,
	    .any = RIGHT_PUBLISH | RIGHT_MANAGE,
	    .handler = show_site },
	{ .method = "GET", PAGES, .handler = pages_check_show },
	{ .method = "POST", PAGES, .handler = verify },
	{ .method = NULL },
};
