/* Sites (docs/console.md §4.10): the two ways to readers, who reads this workspace, what became of
 * one request; one site:
 * what it asked for, and the articles that it has in an older revision; and "Pages": whether the
 * pages of the website say what was exported. */
#include <inttypes.h>
#include <string.h>

#include "access/pages-settings.h"
#include "action/site-actions.h"
#include "action/workspace-actions.h"
#include "all.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "console/page.h"
#include "content/slug.h"
#include "job/cron.h"
#include "screen/plot.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "system/conf.h"
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
	const char *word; /* of the pages; "": they are off */
	struct pages_look look;
	bool published; /* it has a published article */
	bool asked_with; /* a site asked with a key */
	const char *asked; /* the id, or NULL */
	struct explain explained;
};

/* ---- sites */

static const char *
name_of(const struct apikey *key)
{
	return key->label[0] != '\0' ? key->label : key->display;
}

static const char *
state_of(const struct site *s, enum screen_tone *tone)
{
	*tone = SCREEN_NOTE;
	if (!s->good)
		return tr("The key ended");
	if (s->reader.id == 0)
		return tr("No request yet");
	if (s->stale) {
		*tone = SCREEN_BAD;
		return tr("Silent for three days");
	}
	if (s->reader.read_at == 0)
		return tr("It read nothing yet");
	*tone = SCREEN_GOOD;
	return tr("It reads");
}

void
sites_write_state(struct hwrite *w, const struct site *s)
{
	enum screen_tone tone;
	const char *words = state_of(s, &tone);

	@ <state {tone}>{=words}</state>
}

static void
write_refusal(struct hwrite *w, const struct reader *r)
{
	@ {!say_time(w, r->refused_at)}{=" "}{r->refused_status} {r->refused_code}
}

static void
write_site(struct hwrite *w, const struct page *p, const struct site *s, int64_t articles)
{
	static const char *const dots[] = { [SCREEN_GOOD] = "good", [SCREEN_BAD] = "bad" };
	const struct reader *r = &s->reader;
	enum screen_tone tone;
	const char *words = state_of(s, &tone);

	@ <li><span class="dot {=dots[tone]}"></span><span class="what">
	@ <a href="/W/sites/{s->key->uuid}">{name_of(s->key)}</a><small>{=words}
	if (r->id != 0)
		@ {!hwrite_text(w, " · ")}{s->present} of {articles} articles as they are now
	if (r->requested_at != 0)
		@ {=" · "}{=tr("Last request")}{=" "}{!say_time(w, r->requested_at)}
	if (r->refused_at != 0)
		@ {=" · "}{=tr("Last refusal")}{=" "}{!write_refusal(w, r)}
	@ </small></span>
	if (r->id != 0)
		@ <span class="soft small wide">{#s->requests: %lld request in 30 days|
		@     %lld requests in 30 days}</span>
	@ </li>
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
	@ <p class="soft small">Counted from the log, which begins on
	@ {say_day_text(p->c, say_day_of(p->c, since_at))}. A site has an article as it is now if it
	@ fetched this article by itself since its last change. Some minutes may pass until a
	@ request
	@ is seen here.</p>
}

/* Leads to the page of each site. */
static void
write_sites(struct hwrite *w, const struct page *p)
{
	const struct sites *sites = &((const struct sites_page *)p->data)->sites;

	@ <section class="box"><header><h2>Websites that read from here</h2></header>
	if (sites->count == 0)
		@ <p>No site reads this workspace yet: each one needs a key.</p>
	@ <ul class="rows">
	for (size_t i = 0; i < sites->count; i++)
		write_site(w, p, &sites->sites[i], sites->articles);
	@ </ul>
	if (sites->more)
		@ <p class="soft small">The newest {SITES_ARTICLES} articles are compared.</p>
	write_since(w, p, sites->since_at);
	@ </section>
}

/* ---- the pages are turned on here */

static const struct field turn_on_fields[] = {
	{ .name = "pages",
	    .label = tr_mark("Word of the pages"),
	    .kind = FIELD_TEXT,
	    .max = 200,
	    .required = true,
	    .dir = "ltr",
	    .autocomplete = "off",
	    .hint = tr_mark(
		"It ends their address: a to z, 0 to 9 and hyphens. Nobody else can have a word that you had.") },
	{ .name = "was-pages", .kind = FIELD_HIDDEN, .max = 200 },
	{ .name = "turn-on",
	    .label = tr_mark("Turn on"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

/* Offers the name of the workspace, where it can be a word. */
static void
fill_word(struct page *p, struct form *f)
{
	const char *word = slug_make(p->c->arena, p->v->workspace->settings.name);

	form_fill(f, "pages", word_check(p->c, word) == NULL ? word : NULL);
	form_fill(f, "was-pages", ((const struct sites_page *)p->data)->word);
}

static struct err *
turn_on(struct page *p)
{
	const struct find_place place = { .name = p->v->workspace->uuid };
	const char *was = form_text(p->form, "was-pages");
	struct settings_change change;

	TRY(settings_read(p->c, &place, &change));
	if (was == NULL)
		was = "";
	TRY(settings_field_seen(p->c, &change, SETTINGS_PAGES, was, form_text(p->form, "pages")));
	return settings_write(p->c, &change);
}

static const struct page_act turn_on_it = { .name = "turn-on",
	.fields = turn_on_fields,
	.fill = fill_word,
	.act = turn_on,
	.go = "/W/sites",
	.notice = "pages-on",
	.journal = "workspace set W" };

/* ---- how a site begins: the two ways, each with its steps */

struct way_step {
	const char *title, *says;
	const char *data; /* what was set, in place of `says`; or NULL */
	bool done;
	const char *address, *label; /* where it is done */
};

struct way {
	const char *id, *title;
	size_t needed; /* of the steps; the others may be left out */
	size_t count;
	struct way_step steps[4];
};

/* Returns whether a word that was typed comes back: its form is there though somebody else turned
 * the pages on meanwhile. */
static bool
is_refused(const struct page *p)
{
	return p->form != NULL && p->v->row->act == &turn_on_it;
}

/* The second step of the pages: an account that is not verified asks for that first. */
static void
write_turn_on(struct hwrite *w, struct page *p)
{
	if (!p->v->account->verified) {
		@ <p>Only a verified account has pages.</p>
		verification_write(w, p->c, p->v);
	}
	if (is_refused(p) || (p->v->account->verified && console_may(p->v, RIGHT_MANAGE)))
		page_form(w, p, &turn_on_it, NULL);
}

static void
write_step(struct hwrite *w, struct page *p, const struct way_step *s, bool next)
{
	const char *state = s->done ? "done" : next ? "now" : NULL;

	@ <li class={state} aria-current={next ? "step" : NULL}><div><h3>{=s->title}
	if (s->done)
		@ <span class="heard">{=" "}Done</span>
	@ </h3>
	if (s->done && s->data != NULL)
		@ <p>{s->data}</p>
	else if (!s->done && s->says != NULL)
		@ <p>{=s->says}</p>
	if (s->address == NULL)
		write_turn_on(w, p);
	@ </div>
	if (s->address != NULL && (!s->done || s->data != NULL) && console_may(p->v, RIGHT_MANAGE))
		@ <a class={next ? "button primary" : "button slim"} href={s->address}>
		@ {=s->done ? tr("Change") : s->label}</a>
	@ </li>
}

/* Writes the steps of a way in their order; the first that is not done is the next. */
static void
write_steps(struct hwrite *w, struct page *p, const struct way *way)
{
	bool before = true;

	@ <ol class="todo">
	for (size_t i = 0; i < way->count; i++) {
		write_step(w, p, &way->steps[i], before && !way->steps[i].done);
		before = before && way->steps[i].done;
	}
	@ </ol>
}

/* Those of a way that leads to readers already are folded. */
static void
write_way(struct hwrite *w, struct page *p, const struct way *way)
{
	size_t done = 0, needed = 0;

	for (size_t i = 0; i < way->count; i++) {
		done += way->steps[i].done;
		needed += i < way->needed && way->steps[i].done;
	}
	const char *words =
	    arena_printf(p->c->arena, tr("%d of %d are done."), (int)done, (int)way->count);
	@ <section class="box of-{=way->id}"><header><h2>{=way->title}</h2>
	@ <span class="soft small">{=words}</span></header>
	@ <progress max={way->count} value={done} aria-label={words}></progress>
	if (needed < way->needed)
		write_steps(w, p, way);
	else
		@ <details><summary>Steps</summary>{!write_steps(w, p, way)}</details>
	if (needed < way->needed && !console_may(p->v, RIGHT_MANAGE))
		@ <p>Somebody who manages this workspace does these steps.</p>
	@ </section>
}

static void
write_pages_way(struct hwrite *w, struct page *p)
{
	const struct sites_page *s = p->data;
	const struct workspace *space = p->v->workspace;
	bool on = s->word[0] != '\0' && p->v->account->verified && !is_refused(p);
	const char *address = on ? pages_address_of(p->c, s->word) : NULL;
	const struct way pages = { "pages", tr("Set up the pages"), 3, 4,
		{ { .title = tr("Name and look"),
		      .data = s->look.title[0] != '\0' ? s->look.title : space->settings.name,
		      .done = true,
		      .address = page_path(p, "/W/settings#settings-pages-title") },
		    { .title = tr("Turn them on"),
			.says = on ? NULL : tr("Everybody can read then what is published."),
			.data = address != NULL ? address : s->word,
			.done = on,
			.address = on ? page_path(p, "/W/settings#settings-pages") : NULL },
		    { .title = tr("Publish an article"),
			.done = s->published,
			.address = page_path(p, "/W/articles"),
			.label = tr("Articles") },
		    { .title = tr("Show them in your website"),
			.says = tr("One line puts them into a page of yours. You may skip it."),
			.data = space->embed_origins,
			.done = space->embed_origins[0] != '\0',
			.address = page_path(p, "/W/settings#settings-embed-origins"),
			.label = tr("Settings") } } };

	write_way(w, p, &pages);
}

static void
write_website_way(struct hwrite *w, struct page *p)
{
	const struct sites_page *s = p->data;
	const struct workspace *space = p->v->workspace;
	const struct way website = { "website", tr("Set up your website"), 4, 4,
		{ { .title = tr("Tell its address"),
		      .says = tr("Articles are below it, as you set it."),
		      .data = space->settings.website,
		      .done = space->settings.website != NULL,
		      .address = page_path(p, "/W/settings#settings-website"),
		      .label = tr("Settings") },
		    { .title = tr("Make a key for it"),
			.says = tr("With it your website reads the articles."),
			.done = s->sites.count > 0,
			.address = page_path(p, "/W/keys/new"),
			.label = tr("New key") },
		    { .title = tr("Let it ask for the articles"),
			.says = tr("The page of a new key shows how."),
			.done = s->asked_with,
			.address = page_path(p, "/W/keys"),
			.label = tr("Keys") },
		    { .title = tr("Publish an article"),
			.done = s->published,
			.address = page_path(p, "/W/articles"),
			.label = tr("Articles") } } };

	write_way(w, p, &website);
}

/* The choice shows the steps of one way, where a browser knows :has(); else both are there. */
static void
write_ways(struct hwrite *w, struct page *p)
{
	const struct sites_page *s = p->data;
	bool verified = p->v->account->verified, on = s->word[0] != '\0' && verified;
	bool website = !on && p->form == NULL &&
		       (p->v->workspace->settings.website != NULL || s->sites.count > 0);

	@ <fieldset class="choice" aria-label="Where readers find you"><label>
	@ <input type="radio" name="way" id="way-pages" checked={!website}><b>Pages of Galley</b>
	if (on)
		@ <state good>On</state>
	else if (verified)
		@ <state note>Off</state>
	else
		@ <state warning>Not verified</state>
	@ <small>A blog at once, with a feed, for readers and search engines. Nothing to
	@ install.</small>
	@ </label><label>
	@ <input type="radio" name="way" id="way-website" checked={website}><b>Your own website</b>
	if (s->asked_with)
		@ <state good>Connected</state>
	else
		@ <span></span>
	@ <small>Articles below your address, by a key.</small></label></fieldset>
	write_pages_way(w, p);
	write_website_way(w, p);
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
	write_fact(w, tr("What it was told"), r->sentence);
	@ </dl>
	if (r->error == NULL)
		return;
	@ <ul>{!(void)explain_code(p->c, r->error, r->sentence, write_cause, w)}</ul>
}

static void
write_sites_page(struct hwrite *w, struct page *p)
{
	const struct sites_page *s = p->data;
	struct form f;

	if (!console_rests(p->v))
		write_ways(w, p);
	write_sites(w, p);
	@ <section class="box"><header><h2>When something does not arrive</h2></header>
	@ <ul class="rows"><li><span class="what"><a href="/W/sites/pages">Verify pages</a>
	@ <small>Whether the pages of the website say what was exported</small></span></li></ul>
	@ <details open={s->asked != NULL}><summary>Explain a request</summary>
	if (s->asked != NULL)
		write_explained(w, p);
	form_init(&f, "explain", explain_fields);
	form_fill(&f, "request", s->asked);
	form_write(
	    w, &f, &(struct form_head) { .search = true, .action = page_path(p, "/W/sites") });
	@ </details></section>
}

static struct err *
load_sites(struct page *p)
{
	struct sites_page *s = p->data;
	const struct workspace *space = p->v->workspace;
	const char *asked = console_query(p->c, p->v, "request");
	struct article one;

	p->under = tr("Where readers find you. Both ways can be on at the same time.");
	if (p->acting)
		return NULL;
	sites_read(p->c, space->uuid, true, &s->sites);
	for (size_t i = 0; i < s->sites.count; i++)
		s->asked_with = s->asked_with || s->sites.sites[i].reader.id != 0;
	db_begin_read(p->c, DB_CONTENT);
	s->word = word_of(p->c, space->id);
	pages_look_of(p->c, space->id, &s->look);
	for (struct stmt *q = article_list(p->c, space->id, ARTICLE_PUBLISHED, 1);
	     article_next(q, &one);)
		s->published = true;
	db_rollback(p->c);
	if (asked != NULL && asked[strspn(asked, " ")] != '\0' && strlen(asked) <= ID_MAX) {
		s->asked = asked;
		sites_explain(p->c, space->uuid, asked, &s->explained);
	}
	return NULL;
}

static const struct page_kind sites_page = { sizeof(struct sites_page), load_sites,
	write_sites_page };

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
	@ <section class="box"><header><h2>Requests by day</h2></header>
	write_plot(w, p);
	write_days(w, p);
	@ </section><div class="box">
	@ <dl><dt>Last request</dt><dd>{!say_time(w, a->reader.requested_at)}</dd>
	@ <dt>Last complete list</dt><dd>{!say_time(w, a->reader.listed_at)}</dd>
	if (a->reader.refused_at != 0)
		@ <dt>Last refusal</dt><dd>{!write_refusal(w, &a->reader)}</dd>
	@ </dl>
	if (console_may(p->v, RIGHT_MANAGE))
		@ <a class="button slim" href="/W/keys/{a->key}">Key</a>
	@ </div>
	write_statuses(w, a);
	write_older(w, p);
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
	@ <ul lang="en" dir="ltr">
	for (const char *line = findings; *line != '\0';) {
		size_t len = strcspn(line, "\n");
		@ <li>{arena_text_n(w->out->arena, line, len)}</li>
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

	@ <p>At most {VISITING_PAGES} pages of your website are compared with what was exported, one
	@ a
	@ second.</p>
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

	form_init(&s->form, "pages", fields);
	TRY(webpages_look(c, v->workspace, &s->pages));
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

	console_will_go(v, path);
	TRY(webpages_begin(c, v->workspace, &t));
	console_journal(c, v, "site verify %s", v->workspace->uuid);
	console_go(c, v, reply, path, NULL);
	return NULL;
}

#define PAGES                                                                                      \
	.pattern = "/W/sites/pages", .title = tr_mark("Pages"), .need = RIGHT_READ,                \
	.any = RIGHT_PUBLISH | RIGHT_MANAGE

#define SITES .title = tr_mark("Sites"), .page = &sites_page

SCREEN(sites) = {
	{ "GET", "/W/sites", SITES, .need = RIGHT_READ, .any = RIGHT_PUBLISH | RIGHT_MANAGE },
	{ "POST", "/W/sites", SITES, .need = RIGHT_READ | RIGHT_MANAGE, .act = &turn_on_it },
	{ "GET", "/W/sites/ID", .title = tr_mark("Site"), .need = RIGHT_READ,
	    .any = RIGHT_PUBLISH | RIGHT_MANAGE, .handler = show_site },
	{ .method = "GET", PAGES, .handler = pages_check_show },
	{ .method = "POST", PAGES, .handler = verify },
	{ .method = NULL },
};
