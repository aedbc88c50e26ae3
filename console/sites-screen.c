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
#include "console/page.h"
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

struct sites_page {
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
		@ <state note>The key ended</state>
	else if (s->reader.id == 0)
		@ <state note>No request yet</state>
	else if (s->stale)
		@ <state bad>Silent for three days</state>
	else if (s->reader.read_at == 0)
		@ <state note>It read nothing yet</state>
	else
		@ <state good>It reads</state>
}

static void
write_site(struct hwrite *w, const struct page *p, const struct site *s, int64_t articles)
{
	const struct reader *r = &s->reader;

	@ <row>
	@ <cell>
	if ((p->v->rights & RIGHT_MANAGE) != 0)
		@ <a href="/W/keys/{s->key->uuid}">{name_of(s->key)}</a>
	else
		@ {name_of(s->key)}
	@ </cell>
	@ <cell>{!sites_write_state(w, s)}</cell>
	@ <cell>{!say_time(w, r->requested_at)}</cell>
	@ <cell>{!say_time(w, r->listed_at)}</cell>
	@ <cell>
	if (r->id == 0)
		@ –
	else
		@ {s->present} of {articles}
	@ </cell>
	@ <cell><span>{!say_time(w, r->refused_at)}
	if (r->refused_at != 0)
		@ {=" "}{r->refused_status} {r->refused_code}
	@ </span></cell>
	@ </row>
}

static void
write_sites(struct hwrite *w, const struct page *p, const struct sites *sites)
{
	@ <list caption="The sites that read this workspace" columns="Site|State|Last request|
	@     Last whole list|Articles as they are now|Last refusal">
	for (size_t i = 0; i < sites->count; i++)
		write_site(w, p, &sites->sites[i], sites->articles);
	@ </list>
	if (sites->more)
		@ The newest {SITES_ARTICLES} articles are compared.
	@ <p>A site has an article as it is now if it fetched this article by itself since its last
	@ change. Some minutes may pass until a request is seen here.</p>
}

/* Leads to the page of each site that asked for something. */
static void
write_requests(struct hwrite *w, const struct page *p, const struct sites *sites)
{
	@ <h2>Requests in 30 days</h2>
	@ <div class="sums">
	@ <list caption="Requests in 30 days" columns="Site|Requests#">
	for (size_t i = 0; i < sites->count; i++) {
		const struct site *s = &sites->sites[i];
		if (s->reader.id == 0)
			continue;
		@ <row><cell>{name_of(s->key)}</cell>
		@ <cell><a href="/W/sites/{s->key->uuid}">{s->requests}</a></cell></row>
	}
	@ </list>
	@ </div>
}

static bool
any_asked(const struct sites *sites)
{
	for (size_t i = 0; i < sites->count; i++) {
		if (sites->sites[i].reader.id != 0)
			return true;
	}
	return false;
}

/* ---- how a site begins */

/* A step of a way to readers. */
struct way_step {
	const char *what;
	bool done;
	const char *address, *label; /* where it is done; NULL: nowhere here */
};

/* Writes the steps in their order; the first that is not done is the next. */
static void
write_steps(struct hwrite *w, const struct page *p, const char *title, const struct way_step *steps,
    size_t count)
{
	bool before = true;

	@ <h3>{=title}</h3>
	@ <ol>
	for (size_t i = 0; i < count; i++) {
		const bool next = before && !steps[i].done;
		@ <li>
		if (steps[i].done)
			@ <state good>Done</state>
		else if (next)
			@ <state warning>Next</state>
		@ {=" "}{=steps[i].what}
		if (next && steps[i].address != NULL && console_may(p->v, RIGHT_MANAGE))
			@ {=" "}<a href={steps[i].address}>{=steps[i].label}</a>
		@ </li>
		before = before && steps[i].done;
	}
	@ </ol>
}

/* Where nothing shows the articles yet, there are two ways. */
static void
write_ways(struct hwrite *w, const struct page *p)
{
	const struct sites_page *s = p->data;
	const struct way_step pages[] = {
		{ tr("The account is verified by an operator."), p->v->account->verified, NULL,
		    NULL },
		{ tr("The pages are turned on, with a word for their address."), s->pages,
		    page_path(p, "/W/settings#settings-pages"), tr("Settings") },
		{ tr("An article is published."), s->published, page_path(p, "/W/articles"),
		    tr("Articles") },
	};
	const struct way_step website[] = {
		{ tr("The address of the website is set."),
		    p->v->workspace->settings.website != NULL,
		    page_path(p, "/W/settings#settings-website"), tr("Settings") },
		{ tr("The website has a key."), s->sites.count > 0, page_path(p, "/W/keys"),
		    tr("Keys") },
		{ tr("It asked for articles with the key. The page of a new key shows how."),
		    any_asked(&s->sites), page_path(p, "/W/keys"), tr("Keys") },
		{ tr("An article is published."), s->published, page_path(p, "/W/articles"),
		    tr("Articles") },
	};

	@ <h2>Two ways to your readers</h2>
	write_steps(w, p, tr("Pages of Galley, without a website"), pages, 3);
	verification_write(w, p->c, p->v);
	write_steps(w, p, tr("Your own website"), website, 4);
	if (!console_may(p->v, RIGHT_MANAGE))
		@ <p>Somebody who manages this workspace does these steps.</p>
}

static void
write_since(struct hwrite *w, const struct page *p, int64_t since_at)
{
	if (since_at == 0) {
		struct cron cron;
		cron_look(p->c, &cron);
		@ <p>Nothing is counted yet: the task runner counts the requests of the API.</p>
		console_runner(w, &cron, console_may(p->v, RIGHT_OPERATE));
		return;
	}
	@ <p>Counted from the log, which begins on
	@ {say_day_text(p->c, say_day_of(p->c, since_at))}.</p>
}

/* ---- one request */

static void
write_fact(struct hwrite *w, const char *name, const char *value)
{
	if (value != NULL && strcmp(value, "-") != 0)
		screen_fact(w, name, value);
}

static void
write_cause(void *arg, const char *cause, const char *remedy)
{
	struct hwrite *w = arg;

	@ <li>{cause} {remedy}</li>
}

static void
write_explained(struct hwrite *w, const struct page *p)
{
	const struct explain *e = &((const struct sites_page *)p->data)->explained;
	const struct logs_request *r = &e->request;
	int64_t at;

	if (!e->found) {
		@ <notice note><p>No request of this workspace has this id in the log.</p></notice>
		if (e->unread_count > 0)
			@ <p>Not all older logs could be searched. The operator can search them on
			@ the host.</p>
		return;
	}
	@ <dl>
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
	@ </dl>
	if (r->error == NULL)
		return;
	@ <ul>{!(void)explain_code(p->c, r->error, r->sentence, write_cause, w)}</ul>
}

static void
write_page(struct hwrite *w, const void *data)
{
	const struct page *p = data;
	const struct sites_page *s = p->data;
	const bool asked = any_asked(&s->sites);
	struct form f;

	write_since(w, p, s->sites.since_at);
	if (s->sites.count > 0)
		write_sites(w, p, &s->sites);
	else
		@ <p>No site reads this workspace yet: each one needs a key.</p>
	if (!asked && !(s->pages && p->v->account->verified && s->published) &&
	    !console_rests(p->v))
		write_ways(w, p);
	if (asked)
		write_requests(w, p, &s->sites);
	@ <h2>Pages</h2>
	@ <p><a class="button" href="/W/sites/pages">Verify pages</a></p>
	@ <h2>Explain a request</h2>
	if (s->asked != NULL)
		write_explained(w, p);
	form_init(&f, "explain", explain_fields);
	form_fill(&f, "request", s->asked);
	form_write(
	    w, &f, &(struct form_head) { .search = true, .action = page_path(p, "/W/sites") });
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct sites_page *s = arena_alloc(c->arena, sizeof(*s));
	const char *asked = console_query(c, v, "request");
	struct article one;

	sites_read(c, v->workspace->uuid, true, &s->sites);
	db_begin_read(c, DB_CONTENT);
	s->pages = word_of(c, v->workspace->id)[0] != '\0';
	for (struct stmt *q = article_list(c, v->workspace->id, ARTICLE_PUBLISHED, 1);
	     article_next(q, &one);)
		s->published = true;
	db_rollback(c);
	if (asked != NULL && asked[strspn(asked, " ")] != '\0' && strlen(asked) <= ID_MAX) {
		s->asked = asked;
		sites_explain(c, v->workspace->uuid, asked, &s->explained);
	}
	console_page(c, v, reply, NULL, NULL, write_page,
	    &(const struct page) { .c = c, .v = v, .data = s });
	return NULL;
}

/* ---- one site */

static const char *
day_text(const struct page *p, size_t place)
{
	const struct asked *a = p->data;

	return say_day_text(p->c, a->today - ASKED_DAYS + 1 + (int64_t)place);
}

/* ---- requests */

static void
write_figures(struct hwrite *w, const struct asked *a)
{
	@ <ul class="figures">
	@ <li><span>Requests in 30 days</span> <strong>{a->sum.requests}</strong></li>
	@ <li><span>Not modified (304)</span> <strong>{a->sum.not_modified}</strong></li>
	@ <li><span>Refused</span> <strong>{a->sum.refused}</strong></li>
	@ <li><span>Articles as they are now</span>
	@     {=" "}<strong>{a->present} of {a->articles}</strong></li>
	@ </ul>
}

static void
write_plot(struct hwrite *w, const struct page *p)
{
	const struct asked *a = p->data;
	struct plot_point points[ASKED_DAYS];

	for (size_t i = 0; i < ASKED_DAYS; i++)
		points[i] = (struct plot_point) { day_text(p, i), a->days[i].requests };
	plot_bars(w, tr("Requests a day"), points, ASKED_DAYS, true);
}

static void
write_days(struct hwrite *w, const struct page *p)
{
	const struct asked *a = p->data;

	@ <details class="noprint"><summary>The same as a table</summary>
	@ <list caption="Requests by day" columns="Day (UTC)|Requests#|Not modified (304)#|Refused#">
	for (size_t i = ASKED_DAYS; i-- > 0;) {
		const struct asked_day *d = &a->days[i];
		@ <row><cell>{day_text(p, i)}</cell><cell>{d->requests}</cell>
		@ <cell>{d->not_modified}</cell><cell>{d->refused}</cell></row>
	}
	@ </list>
	@ </details>
}

static void
write_statuses(struct hwrite *w, const struct asked *a)
{
	if (a->status_count == 0)
		return;
	@ <h2>What was refused</h2>
	@ <div class="sums">
	@ <list caption="What was refused in 30 days, by status" columns="Status|Requests#">
	for (size_t i = 0; i < a->status_count; i++)
		@ <row><cell>{a->statuses[i].status}</cell>
		@ <cell>{a->statuses[i].requests}</cell></row>
	@ </list>
	@ </div>
}

/* ---- articles */

static void
write_article(struct hwrite *w, const struct page *p, const struct asked_article *a)
{
	@ <row><cell>
	if (a->title != NULL)
		@ <a href="/W/articles/{a->id}">{a->title}</a>
	else
		@ {tr("An article that is gone")}
	@ </cell>
	@ <cell>{!say_time(w, a->fetched_at)}</cell><cell>{a->had}</cell><cell>{a->now}</cell></row>
}

static void
write_older(struct hwrite *w, const struct page *p)
{
	const struct asked *a = p->data;

	if (a->older_count == 0)
		return;
	@ <h2>Articles that it has as they were</h2>
	@ <list caption="Articles that changed since the site fetched them"
	@     columns="Article|Fetched|Its revision then|Its revision now">
	for (size_t i = 0; i < a->older_count; i++)
		write_article(w, p, &a->older[i]);
	@ </list>
	if (a->older_all > a->older_count)
		@ <p>{a->older_all - a->older_count} more articles are as they were.</p>
}

/* ---- the page */

static void
write_site_page(struct hwrite *w, const void *data)
{
	const struct page *p = data;
	const struct asked *a = p->data;

	write_figures(w, a);
	@ <dl><dt>Last request</dt><dd>{!say_time(w, a->reader.requested_at)}</dd>
	@ <dt>Last whole list</dt><dd>{!say_time(w, a->reader.listed_at)}</dd></dl>
	@ <h2>Requests by day</h2>
	write_plot(w, p);
	write_days(w, p);
	write_statuses(w, a);
	write_older(w, p);
	@ <p class="noprint"><a class="button" href="/W/sites">Back to Sites</a></p>
}

static struct err *
show_site(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct asked *a = arena_alloc(c->arena, sizeof(*a));
	struct err *err;

	a->workspace = v->workspace->uuid;
	a->key = v->id;
	err = asked_read(c, a);
	if (err == NULL)
		console_page(c, v, reply, name_of(a->apikey),
		    tr("What this site asked the API for"), write_site_page,
		    &(const struct page) { .c = c, .v = v, .data = a });
	return err;
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
	struct webpages pages;
	struct form form;
};

static void
write_open(struct hwrite *w, const struct page *p, const struct task *t)
{
	struct cron cron;

	if (strcmp(t->state, "waiting") == 0)
		@ <p>It waits for the task runner.</p>
	else
		@ <p>{t->done} of {t->total} pages were looked at.</p>
	@ <p>This page shows by itself how far it is.</p>
	cron_look(p->c, &cron);
	console_runner(w, &cron, console_may(p->v, RIGHT_OPERATE));
}

static void
write_end(struct hwrite *w, const struct webpages *pages)
{
	const struct task *t = pages->task;

	if (strcmp(t->state, "done") != 0)
		screen_notice(w, SCREEN_WARNING, "%s",
		    t->report[0] != '\0' ? tr(t->report) : tr("It was ended."));
	else if (pages->count == 0)
		@ <notice note><p>There is no published article, so there is no page.</p></notice>
	else if (pages->wrong == 0)
		@ <notice good><p>All pages are as exported.</p></notice>
	else
		@ <notice warning><p>{#pages->wrong: %lld of the pages is not as exported.|
		@     %lld of the pages are not as exported.}</p></notice>
}

/* The sentences are those of galley verify-pages, in English. */
static void
write_findings(struct hwrite *w, const char *findings)
{
	if (findings[0] == '\0') {
		@ <state good>As exported</state>
		return;
	}
	@ <ul>
	for (const char *line = findings; *line != '\0';) {
		size_t len = strcspn(line, "\n");
		@ <li lang="en" dir="ltr">{arena_text_n(w->out->arena, line, len)}</li>
		line += len + (line[len] == '\n');
	}
	@ </ul>
}

static void
write_one(struct hwrite *w, const struct page *p, const struct webpages_page *one)
{
	@ <row><cell>
	if (one->title != NULL)
		@ <a href="/W/articles/{one->found.article}">{one->title}</a>
	else
		@ {tr("An article that is gone")}
	@ </cell>
	@ <cell>{one->found.url}</cell><cell>{!write_findings(w, one->found.findings)}</cell></row>
}

static void
write_list(struct hwrite *w, const struct page *p, const struct webpages *pages)
{
	@ <list caption="Pages that were looked at, those that are not as exported first"
	@     columns="Article|Page|What was found">
	for (int wrong = 1; wrong >= 0; wrong--) {
		for (size_t i = 0; i < pages->count; i++) {
			if ((pages->list[i].found.findings[0] != '\0') == wrong)
				write_one(w, p, &pages->list[i]);
		}
	}
	@ </list>
}

static void
write_main(struct hwrite *w, const void *data)
{
	const struct page *p = data;
	const struct pages_check_page *s = p->data;
	const struct task *t = s->pages.task;
	bool open = t != NULL && task_is_open(t), manages = console_may(p->v, RIGHT_MANAGE);

	@ <p>The pages of at most {VISITING_PAGES} published articles are fetched from the website
	@ of this workspace, one a second, and compared with what was exported: title, description,
	@ address, robots, structured data, language and more.</p>
	if (open)
		write_open(w, p, t);
	else if (t != NULL)
		write_end(w, &s->pages);
	if (p->v->workspace->settings.website == NULL)
		screen_empty(w, tr("This workspace has no website yet."),
		    manages ? page_path(p, "/W/settings") : NULL, tr("Settings"));
	else if (!open)
		console_form(p->c, p->v, w, &s->form,
		    arena_printf(p->c->arena, "/%s/sites/pages", p->v->workspace->uuid));
	if (s->pages.count > 0)
		write_list(w, p, &s->pages);
}

static struct err *
pages_check_show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct pages_check_page *s = arena_alloc(c->arena, sizeof(*s));
	struct err *err;

	form_init(&s->form, "pages", fields);
	err = webpages_look(c, v->workspace, &s->pages);
	if (err != NULL)
		return err;
	if (s->pages.task != NULL && task_is_open(s->pages.task))
		v->refresh_s = AGAIN_S;
	console_page(c, v, reply, NULL, NULL, write_main,
	    &(const struct page) { .c = c, .v = v, .data = s });
	return NULL;
}

static struct err *
verify(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct task t = { .person = v->person->uuid,
		.need = console_may(v, RIGHT_PUBLISH) ? RIGHT_PUBLISH : RIGHT_MANAGE,
		.account = v->account->uuid,
		.workspace = v->workspace->uuid };
	const char *path = arena_printf(c->arena, "/%s/sites/pages", v->workspace->uuid);
	struct err *err;

	console_will_go(v, path);
	err = webpages_begin(c, v->workspace, &t);
	if (err != NULL)
		return err;
	console_journal(c, v, "site verify %s", v->workspace->uuid);
	console_go(c, v, reply, path, NULL);
	return NULL;
}

#define PAGES                                                                                      \
	.pattern = "/W/sites/pages", .title = tr_mark("Pages"), .need = RIGHT_READ,                \
	.any = RIGHT_PUBLISH | RIGHT_MANAGE

SCREEN(sites) = {
	{ "GET", "/W/sites", .title = tr_mark("Sites"), .need = RIGHT_READ,
	    .any = RIGHT_PUBLISH | RIGHT_MANAGE, .handler = show },
	{ "GET", "/W/sites/ID", .title = tr_mark("Site"), .need = RIGHT_READ,
	    .any = RIGHT_PUBLISH | RIGHT_MANAGE, .handler = show_site },
	{ .method = "GET", PAGES, .handler = pages_check_show },
	{ .method = "POST", PAGES, .handler = verify },
	{ .method = NULL },
};
