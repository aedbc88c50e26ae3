/* Home (docs/console.md §4.1): what waits, the first steps of a new workspace, what is new in the
 * one of the page, and where a person may go. */
#include <inttypes.h>
#include <string.h>

#include "access/workspace.h"
#include "action/home-lists.h"
#include "action/person/credentials.h"
#include "action/person/signing.h"
#include "action/statistics-actions.h"
#include "all.h"
#include "article/article-list.h"
#include "article/save.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "console/answer.h"
#include "console/page.h"
#include "pages/page-item.h"
#include "screen/plot.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"

#define LATELY 3 /* articles of a box */
#define MENU_WORKSPACES 8

/* An article of a box. */
struct home_article {
	const char *uuid, *title, *cover; /* as browse_shown (article-list.h) has it */
	int64_t at;
};

struct workspace_home {
	struct statistics_few views[LATELY]; /* of those published lately */
	struct home_article published[LATELY];
	struct save_draft drafts[LATELY];
	size_t published_count, draft_count;
	struct statistics readers;
	bool beside; /* there are readers or drafts */
	struct screen_link actions[3]; /* of the page's head */
};

struct home {
	struct places places;
	int64_t held; /* texts that wait to be sent again */
	struct waits waits; /* on the first page alone */
	struct steps steps; /* the same */
	bool manages_account; /* of the first steps */

	struct workspace_home one; /* of the workspace of the path, or of the only one */
};

/* ---- what waits */

/* What a line is, and the screen that it leads to. */
static const struct {
	const char *what;
	const char *segment; /* of its path */
} kinds[WAITS_KINDS] = {
	[WAITS_HANDED_IN] = { tr_mark("Handed in"), "articles" },
	[WAITS_SUSPENDED] = { tr_mark("The date does not count"), "articles" },
	[WAITS_TODO] = { tr_mark("To-dos are left"), "articles" },
	[WAITS_JOB] = { tr_mark("An order failed"), "orders" },
	[WAITS_SITE] = { tr_mark("A site is silent"), "sites" },
	[WAITS_KEY] = { tr_mark("A key ends"), "keys" },
	[WAITS_INVITATION] = { tr_mark("An invitation has ended"), "people" },
	[WAITS_CREDITS] = { tr_mark("Few credits are left"), "credits" },
	[WAITS_ASKING] = { tr_mark("Asks to be verified"), "verification" },
};

static const char *
address_of_line(const struct page *p, const struct waits_line *l)
{
	const char *segment = kinds[l->kind].segment;

	if (l->kind == WAITS_CREDITS || l->kind == WAITS_SITE || l->kind == WAITS_ASKING)
		return console_path(p->c, p->v, "/%s/%s", l->workspace, segment);
	return console_path(p->c, p->v, "/%s/%s/%s%s", l->workspace, segment, l->id,
	    l->kind == WAITS_SUSPENDED ? "/publish" : "");
}

static void
write_line(struct hwrite *w, const struct page *p, const struct waits_line *l)
{
	bool failed = l->kind == WAITS_JOB || l->kind == WAITS_SITE;

	@ <li><span class={failed ? "dot bad" : "dot warning"}></span><span class="what">
	@ <a href={address_of_line(p, l)}>{l->text[0] != '\0' ? l->text : l->id}</a>
	@ <small>{=tr(kinds[l->kind].what)}
	if (p->v->workspace == NULL)
		@ {=" · "}{l->place}
	if (l->at != 0)
		@ {=" · "}{!say_time(w, l->at)}
	if (l->kind == WAITS_CREDITS)
		@ {=" · "}{l->credits}
	else if (l->more != NULL)
		@ {=" · "}{l->more}
	@ </small></span></li>
}

static void
write_instance(struct hwrite *w, const struct page *p, const struct waits *waits)
{
	const char *instance = console_path(p->c, p->v, "/instance");

	if (waits->cron_is_silent) {
		screen_notice(w, SCREEN_WARNING, "%s",
		    tr("Cron does not start the job runner, so orders, dates of publishing and tasks rest. This is its line:"));
		screen_copy(w, tr("the line"), waits->cron.line);
	}
	if (waits->is_quiet)
		screen_notice_link(
		    w, SCREEN_WARNING, tr("This instance is quiet."), instance, tr("Instance"));
	if (waits->locked_out)
		screen_notice_link(
		    w, SCREEN_WARNING, tr("Somebody cannot sign in."), instance, tr("Instance"));
}

/* Returns how much waits. */
static int64_t
count_waits(const struct waits *waits)
{
	size_t all = 0;

	for (size_t k = 0; k < WAITS_KINDS; k++)
		all += waits->count[k];
	return (int64_t)all;
}

/* Writes what waits; nothing where nothing does. */
static void
write_waits(struct hwrite *w, const struct page *p, const struct waits *waits)
{
	int64_t all = count_waits(waits);
	bool cut = false;

	for (size_t k = 0; k < WAITS_KINDS; k++)
		cut = cut || waits->count[k] > WAITS_EACH;
	if (all == 0)
		return;
	@ <section class="box"><header><h2>Waiting for you</h2><state warning>{all}</state></header>
	@ <ul class="rows">
	for (size_t k = 0; k < WAITS_KINDS; k++) {
		for (size_t i = 0; i < waits->count[k] && i < WAITS_EACH; i++)
			write_line(w, p, &waits->lines[k][i]);
	}
	@ </ul>
	if (cut)
		@ <p class="soft small">There is more of the same kind.</p>
	@ </section>
}

/* ---- the first steps of a new workspace */

static const struct {
	const char *what, *why, *button;
	const char *path; /* below the workspace */
} steps[STEPS_KINDS] = {
	[STEPS_ARTICLE] = { tr_mark("Write the first article"),
	    tr_mark("Two paragraphs are enough. It stays a draft until you publish it."),
	    tr_mark("Write"), "articles/new" },
	[STEPS_KEY] = { tr_mark("Connect your website"),
	    tr_mark("With a key your own website reads the articles and shows them."),
	    tr_mark("Connect"), "keys" },
	[STEPS_PAGES] = { tr_mark("Turn on the pages"),
	    tr_mark("Galley shows the articles itself, also without a website of yours."),
	    tr_mark("Turn on"), "settings#settings-pages" },
	[STEPS_PEOPLE] = { tr_mark("Invite people"),
	    tr_mark("Writers write, editors publish. You decide who may do what."),
	    tr_mark("Invite"), "people" },
};

static struct err *
hide_steps(struct page *p)
{
	const struct self self = { .person = p->v->person, .session = p->v->session };

	return self_hide_steps(p->c, &self);
}

#define HIDE                                                                                       \
	.name = "steps", .fields = PAGE_BUTTON("hide", tr_mark("Hide"), FIELD_SECONDARY),          \
	.act = hide_steps
static const struct page_act hide_it = { HIDE, .go = "/" };
static const struct page_act hide_here = { HIDE, .go = "/W" };

/* Where a step is done. Pages need an account that is verified, which its managers ask for. */
static const char *
address_of_step(const struct page *p, const struct home *h, size_t i)
{
	const struct places_row *row = h->steps.row;

	if (i == STEPS_PAGES && !row->account->verified && h->manages_account)
		return console_path(p->c, p->v, "/%s/verification", row->account->uuid);
	if (i == STEPS_ARTICLE && (row->rights & RIGHT_WRITE) == 0)
		return console_path(p->c, p->v, "/%s/articles", row->uuid);
	return console_path(p->c, p->v, "/%s/%s", row->uuid, steps[i].path);
}

static void
write_step(struct hwrite *w, const struct page *p, const struct home *h, size_t i, bool first)
{
	bool done = h->steps.done[i];

	@ <li class={done ? "done" : first ? "now" : NULL}><div><h3>{=tr(steps[i].what)}
	if (done)
		@ <span class="heard">{=" "}Done</span>
	@ </h3>
	if (!done)
		@ <p>{=tr(steps[i].why)}</p>
	@ </div>
	if (!done)
		@ <a class={first ? "button primary" : "button"} href={address_of_step(p, h, i)}>
		@ {=tr(steps[i].button)}</a>
	@ </li>
}

/* Writes the first steps of a new workspace; nothing where there are none. */
static void
write_steps(struct hwrite *w, struct page *p, const struct home *h)
{
	const char *words =
	    arena_printf(p->c->arena, tr("%d of %d are done."), (int)h->steps.count, STEPS_KINDS);
	bool first = true;

	if (h->steps.row == NULL)
		return;
	@ <section class="box"><header><h2>First steps in {h->steps.row->name}</h2>
	@ <span class="soft small">{=words}</span></header>
	@ <progress max={STEPS_KINDS} value={h->steps.count} aria-label={words}></progress>
	@ <ol class="todo">
	for (size_t i = 0; i < STEPS_KINDS; i++) {
		write_step(w, p, h, i, first);
		first = first && h->steps.done[i];
	}
	@ </ol>
	page_form(w, p, p->v->workspace != NULL ? &hide_here : &hide_it, NULL);
	@ </section>
}

static void
write_moving(struct hwrite *w, const struct page *p, const struct home *h)
{
	if (h->steps.row == NULL)
		return;
	@ <section class="box"><h2>Coming from elsewhere?</h2>
	@ <p class="soft small">WordPress, Ghost and Markdown move in with pictures and addresses. A dry
	@ run shows first what would change.</p>
	@ <a class="button" href={console_path(p->c, p->v, "/%s/moving", h->steps.row->uuid)}>
	@ {!screen_icon(w, ICON_MOVING)}Moving in</a></section>
}

/* ---- what is new in a workspace: what was published lately, its readers, and the drafts that the
 * person saved last */

static void
write_lately(struct hwrite *w, const struct page *p, const struct workspace_home *h)
{
	if (h->published_count == 0)
		return;
	@ <section class="box"><header><h2>Published lately</h2>
	@ <a href="/W/articles">All articles</a></header><ul class="rows">
	for (size_t i = 0; i < h->published_count; i++) {
		const struct home_article *a = &h->published[i];
		int64_t views = h->views[i].views;
		@ <li>{!articles_write_cover(w, p, a->title, a->cover)}
		@ <span class="what"><a href="/W/articles/{a->uuid}">{a->title}</a>
		@ <small>{!say_time(w, a->at)}
		if (views > 0)
			@ {=" · "}{#views: %lld view|%lld views}
		@ </small></span></li>
	}
	@ </ul></section>
}

static void
write_drafts(struct hwrite *w, const struct page *p, const struct workspace_home *h)
{
	if (h->draft_count == 0)
		return;
	@ <section class="box"><header><h2>Go on writing</h2></header><ul class="rows">
	for (size_t i = 0; i < h->draft_count; i++) {
		const struct save_draft *d = &h->drafts[i];
		@ <li>{!articles_write_cover(w, p, d->title, d->cover)}
		@ <span class="what"><a href="/W/articles/{d->uuid}">{d->title}</a>
		@ <small>{=tr("Saved")}{=" "}{!say_time(w, d->saved_at)}</small></span></li>
	}
	@ </ul></section>
}

static int64_t
sum_of(const struct statistics *s, const struct statistics_day *days)
{
	int64_t sum = 0;

	for (size_t i = 0; i < s->day_count; i++)
		sum += days[i].visitors;
	return sum;
}

static bool
is_counted(const struct statistics *s)
{
	return s->day_count > 0 && s->first_day != INT64_MAX;
}

static void
write_bars(struct hwrite *w, struct ctx *c, const struct statistics *s)
{
	struct plot_point *points = arena_array(c->arena, s->day_count, sizeof(*points));

	for (size_t i = 0; i < s->day_count; i++)
		points[i] = (struct plot_point) { say_day_text(c, s->from + (int64_t)i),
			s->days[i].visitors };
	points[s->day_count - 1].label = tr("Today");
	plot_bars(w, tr("Readers a day"), points, s->day_count, true);
}

static void
write_readers(struct hwrite *w, const struct page *p, const struct statistics *s)
{
	int64_t now, before;

	if (!is_counted(s))
		return;
	now = sum_of(s, s->days);
	before = s->compared ? sum_of(s, s->before) : 0;
	@ <section class="box"><header><h2>Readers</h2><a href="/W/statistics">Statistics</a></header>
	@ <p class="num"><strong>{now}</strong> <span class="soft small">in {=STATISTICS_SHOWN} days
	int64_t more = before > 0 ? statistics_change(now, before) : 0;
	if (more != 0) {
		const char *said =
		    arena_printf(p->c->arena, more < 0 ? tr("%lld %% fewer") : tr("%lld %% more"),
			(long long)(more < 0 ? -more : more));
		@ {=", "}<span class={more < 0 ? "down" : "up"}>{=said}</span>
	}
	@ </span></p>
	write_bars(w, p->c, s);
	@ </section>
}

static void
write_one(struct hwrite *w, struct page *p, const struct home *h)
{
	bool beside = h->one.beside || h->steps.row != NULL;

	@ <div class={beside ? "split" : NULL}><div class="stack">
	write_waits(w, p, &h->waits);
	write_steps(w, p, h);
	write_lately(w, p, &h->one);
	@ </div>
	if (beside) {
		@ <div class="stack">
		write_readers(w, p, &h->one.readers);
		write_drafts(w, p, &h->one);
		write_moving(w, p, h);
		@ </div>
	}
	@ </div>
}

/* ---- workspaces */

static const char *
address(const struct page *p, const char *search, const char *before)
{
	struct buf out;

	buf_init(&out, p->c->arena, (size_t)16 * 1024);
	buf_add_text(&out, page_path(p, "/"));
	screen_address_add(&out, "search", search);
	screen_address_add(&out, "before", before);
	return buf_done(&out);
}

static void
write_search(struct hwrite *w, const struct page *p, const struct places *places)
{
	static const struct field fields[] = {
		{ .name = "search", .label = tr_mark("Search"), .kind = FIELD_TEXT },
		{ .name = "find", .label = tr_mark("Find"), .kind = FIELD_SUBMIT },
		{ .name = NULL },
	};
	struct form f;

	form_init(&f, "search", fields);
	form_fill(&f, "search", places->search);
	form_write(w, &f, &(struct form_head) { .search = true, .action = page_path(p, "/") });
}

static void
write_nothing(struct hwrite *w, const struct page *p, const struct places *places)
{
	if (places->search != NULL || places->before != NULL)
		screen_empty(
		    w, tr("No workspace has such a name."), page_path(p, "/"), tr("Show all"));
	else if (places->operates)
		screen_empty(w,
		    tr("There is no workspace yet. Begin with a customer: an account owns workspaces."),
		    page_path(p, "/customers"), tr("Customers"));
	else if (places->account_count == 0)
		screen_empty(w,
		    tr("You are a member of no workspace yet. The person who invited you can add you to one."),
		    NULL, NULL);
	else
		screen_empty(w, tr("There is no workspace here yet."), NULL, NULL);
}

static void
write_workspaces(struct hwrite *w, const struct page *p, const struct places *places)
{
	bool accounts = places->many || places->operates;

	@ <h2>Workspaces</h2>
	if (places->more || places->search != NULL || places->before != NULL)
		write_search(w, p, places);
	if (places->count == 0) {
		write_nothing(w, p, places);
		return;
	}
	@ <list caption={places->operates ? tr("Workspaces, the newest first") : tr("Your workspaces")}
	@     columns="Workspace|Account?{accounts}">
	for (size_t i = 0; i < places->count; i++) {
		const struct places_row *row = &places->rows[i];
		@ <row><cell>
		@ <a href={console_path(p->c, p->v, "/%s", row->uuid)}>{row->name}</a></cell>
		if (accounts)
			@ <cell>{row->account->name}</cell>
		@ </row>
	}
	@ </list>
	screen_pages(w, places->before != NULL ? address(p, places->search, NULL) : NULL,
	    places->more ? address(p, places->search, places->rows[places->count - 1].uuid) : NULL);
}

/* ---- accounts */

static void
write_account(struct hwrite *w, const struct page *p, const struct account *a)
{
	@ <row><cell><a href={console_path(p->c, p->v, "/%s/people", a->uuid)}>{a->name}</a></cell>
	@ <cell><a href={console_path(p->c, p->v, "/%s/credits", a->uuid)}>{a->available}</a></cell>
	@ <cell>
	if (a->suspended)
		@ <state bad>Suspended</state>
	else
		@ <a class="button" href={console_path(p->c, p->v, "/%s/workspaces/new", a->uuid)}>
		@ New workspace</a>
	@ </cell></row>
}

/* Of the accounts only those are named that lead somewhere. */
static void
write_accounts(struct hwrite *w, const struct page *p, const struct places *places)
{
	size_t managed = 0;

	for (size_t i = 0; i < places->account_count; i++)
		managed += (places->accounts[i].rights & RIGHT_MANAGE) != 0;
	if (managed == 0)
		return;
	@ <h2>Accounts</h2>
	@ <list caption="Accounts that you manage" columns="Account|Credits#|Actions">
	for (size_t i = 0; i < places->account_count; i++) {
		if ((places->accounts[i].rights & RIGHT_MANAGE) != 0)
			write_account(w, p, places->accounts[i].account);
	}
	@ </list>
}

static void
write_suspended(struct hwrite *w, const struct places *places)
{
	for (size_t i = 0; i < places->account_count; i++) {
		const struct account *a = places->accounts[i].account;
		if (a->suspended)
			screen_notice(w, SCREEN_WARNING,
			    tr("The account %s is suspended: it can be read and exported, and nothing can be changed. Ask the operator."),
			    a->name);
	}
}

/* ---- the page */

static void
write_home(struct hwrite *w, struct page *p)
{
	const struct home *h = p->data;

	if (h->held > 0)
		screen_notice_link(w, SCREEN_WARNING,
		    tr("A text of yours came when your session had ended, or the account was suspended. It is kept for a day."),
		    page_path(p, "/held"), tr("You sent this before"));
	write_instance(w, p, &h->waits);
	if (p->v->workspace != NULL) {
		write_one(w, p, h);
		return;
	}
	write_suspended(w, &h->places);
	@ <div class="stack">
	write_waits(w, p, &h->waits);
	write_steps(w, p, h);
	@ </div>
	write_workspaces(w, p, &h->places);
	write_accounts(w, p, &h->places);
}

/* ---- what is found */

static const char *
search_of(const struct page *p)
{
	const char *text = console_query(p->c, p->v, "search");

	return text != NULL && text[strspn(text, " ")] != '\0' && strlen(text) <= FIELD_MAX ? text
											    : NULL;
}

/* Makes the page that of the only workspace of who has no other, and manages no other account. */
static void
enter_only(struct page *p, const struct places *places)
{
	const struct places_row *row = &places->rows[0];
	struct visit *v = p->v;

	if (places->count != 1 || places->account_count > 1 ||
	    (places->account_count == 1 && places->accounts[0].account->id != row->account->id))
		return;
	db_begin_read(p->c, DB_CONTENT);
	v->workspace = workspace_of(p->c, row->id);
	v->account = row->account;
	say_begin(p->c, time_zone_of(p->c, row->id), clock_now());
	db_rollback(p->c);
	v->rights = row->rights;
	v->account_rights = places->account_count > 0 ? places->accounts[0].rights : 0;
}

/* Leaves of the places the workspace of the page and its account. */
static void
narrow(const struct visit *v, struct places *places)
{
	struct places_account account = { .account = v->account };
	struct places_row row = { .id = v->workspace->id,
		.uuid = v->workspace->uuid,
		.name = v->workspace->settings.name,
		.account = v->account,
		.rights = v->rights };

	for (size_t i = 0; i < places->account_count; i++) {
		if (places->accounts[i].account->id == v->account->id)
			account.rights = places->accounts[i].rights;
	}
	places->rows[0] = row;
	places->count = 1;
	places->account_count = account.rights != 0;
	places->accounts[0] = account;
}

static bool
add_published(void *arg, const struct article *a, const struct browse_shown *shown)
{
	struct workspace_home *h = arg;

	h->published[h->published_count++] = (struct home_article) { .uuid = a->uuid,
		.title = a->title,
		.cover = shown->cover,
		.at = a->first_published_at };
	return true;
}

static void
find_articles(struct page *p, struct workspace_home *h)
{
	const struct workspace *space = p->v->workspace;
	const struct browse of = {
		.workspace_id = space->id, .status = ARTICLE_PUBLISHED, .limit = LATELY
	};
	size_t n = 0;
	const char *pages;

	db_begin_read(p->c, DB_CONTENT);
	browse_articles(p->c, &of, add_published, h);
	if (console_may(p->v, RIGHT_WRITE))
		h->draft_count =
		    save_drafts(p->c, space->id, p->v->person->uuid, h->drafts, LATELY);
	pages = item_home(p->c, space);
	db_rollback(p->c);
	if (pages != NULL)
		h->actions[n++] = (struct screen_link) {
			.address = pages, .label = tr("Open the pages"), .icon = ICON_OPEN
		};
	if (console_may(p->v, RIGHT_WRITE))
		h->actions[n++] = (struct screen_link) { .address = page_path(p, "/W/articles/new"),
			.label = tr("New article"),
			.icon = ICON_NEW };
	p->v->actions = h->actions;
}

static struct err *
read_one(struct page *p, struct workspace_home *h)
{
	find_articles(p, h);
	h->readers.days_only = true;
	TRY(statistics_read(p->c, p->v->workspace, &h->readers));
	for (size_t i = 0; i < h->published_count; i++)
		h->views[i].article = h->published[i].uuid;
	(void)statistics_read_few(
	    p->c, p->v->workspace->uuid, h->readers.today, h->views, h->published_count);
	h->beside = h->draft_count > 0 || is_counted(&h->readers);
	return NULL;
}

static void
read_steps(struct page *p, struct home *h)
{
	const struct places *places = &h->places;

	steps_read(p->c, places, &h->steps);
	h->manages_account = places->operates;
	for (size_t i = 0; h->steps.row != NULL && i < places->account_count; i++) {
		if (places->accounts[i].account->id == h->steps.row->account->id)
			h->manages_account |= (places->accounts[i].rights & RIGHT_MANAGE) != 0;
	}
}

static struct err *
load(struct page *p)
{
	struct home *h = p->data;
	bool first;

	if (p->acting)
		return NULL;
	h->places = (struct places) { .person_id = p->v->person->id,
		.search = search_of(p),
		.before = console_query(p->c, p->v, "before") };
	first = p->v->workspace != NULL || (h->places.search == NULL && h->places.before == NULL);
	h->places.max = first ? PLACES_MAX : PLACES_PAGE;
	TRY(places_read(p->c, &h->places));
	db_begin_read(p->c, DB_CONSOLE);
	h->held = held_count(p->c, p->v->person->id);
	db_rollback(p->c);
	if (first && p->v->workspace == NULL)
		enter_only(p, &h->places);
	if (p->v->workspace != NULL) {
		narrow(p->v, &h->places);
		TRY(read_one(p, &h->one));
	}
	if (first) {
		waits_read(p->c, &h->places, &h->waits);
		read_steps(p, h);
	}
	if (h->places.count > PLACES_PAGE) {
		h->places.count = PLACES_PAGE;
		h->places.more = true;
	}
	return NULL;
}

static const struct page_kind home_page = {
	.size = sizeof(struct home), .load = load, .write = write_home
};

/* ---- what the frame of every page gets later */

static void
write_sites(struct jwrite *w, const struct places *places, struct ctx *c, const struct visit *v)
{
	jwrite_member_array(w, "sites");
	for (size_t i = 0; i < places->count && i < MENU_WORKSPACES; i++) {
		const struct places_row *row = &places->rows[i];
		jwrite_object(w);
		jwrite_member_text(w, "name", row->name);
		jwrite_member_text(w, "address", console_path(c, v, "/%s", row->uuid));
		jwrite_member_bool(
		    w, "here", v->workspace != NULL && strcmp(v->workspace->uuid, row->uuid) == 0);
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
}

/* Answers what menu.js puts into the frame, JSON: the newest workspaces of the person, and how much
 * waits at the Home of the path (null: nothing). No page pays for it. */
static struct err *
menu(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct places places = { .person_id = v->person->id,
		.max = v->workspace != NULL ? MENU_WORKSPACES : PLACES_MAX };
	struct waits waits;
	struct jwrite w;

	TRY(places_read(c, &places));
	console_json(reply);
	jwrite_init(&w, &reply->body);
	jwrite_object(&w);
	write_sites(&w, &places, c, v);
	if (v->workspace != NULL)
		narrow(v, &places);
	waits_read(c, &places, &waits);
	if (count_waits(&waits) == 0)
		jwrite_member_null(&w, "waits");
	else
		jwrite_member_text(&w, "waits", tr_number(c->arena, count_waits(&waits)));
	jwrite_member_text(&w, "heard", tr("Waiting for you"));
	jwrite_object_end(&w);
	return NULL;
}

#define HOME .title = tr_mark("Home"), .page = &home_page
#define MENU .title = tr_mark("Home"), .handler = menu
SCREEN(home) = {
	{ .method = "GET", .pattern = "/", HOME, .access = SCREEN_ANYBODY },
	{ .method = "GET", .pattern = "/W", HOME },
	{ .method = "GET", .pattern = "/menu", MENU, .access = SCREEN_ANYBODY },
	{ .method = "GET", .pattern = "/W/menu", MENU },
	{ .method = "POST", .pattern = "/W/steps", HOME, .act = &hide_here },
	{ .method = "POST",
	    .pattern = "/me/steps",
	    HOME,
	    .access = SCREEN_ANYBODY,
	    .act = &hide_it },
	{ .method = NULL },
};
