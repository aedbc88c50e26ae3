/* The page after "Publish" (docs/console.md §5.2): the article's address, the way back, where it is,
 * and what comes next. */
#include "../all.h"
#include "action/article/article-search.h"
#include "action/article/publish-check.h"
#include "action/site-actions.h"
#include "article/article-row.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "console/page.h"
#include "editor-screen.h"
#include "screen/tr.h"
#include "store/db.h"

#define UNDONE_FOR (10 * 60 * CLOCK_SECOND) /* so long it is offered there */

struct published {
	struct ready ready;
	struct console_public at;
	struct sites sites;
	struct browsing drafts; /* the newest one, and how many there are */
	bool fresh; /* it was published just now, for the first time */
};

static struct err *
load_published(struct page *page)
{
	struct published *p = page->data;
	struct ctx *c = page->c;
	struct visit *v = page->v;
	struct err *err = ready_look(c, v->workspace, v->id, &p->ready);
	const struct article *a = p->ready.article;
	struct edition last;

	if (err != NULL)
		return err;
	if (!console_public(c, v, v->id, &p->at)) {
		console_go(c, v, page->reply, editor_address(c, v, v->id), NULL);
		page->answered = true;
		return NULL;
	}
	/* Who reads with which key is told to those who may see Sites. */
	if (console_may(v, RIGHT_PUBLISH) || console_may(v, RIGHT_MANAGE))
		sites_read(c, v->workspace->uuid, false, &p->sites);
	p->drafts = (struct browsing) {
		.workspace_id = v->workspace->id, .status = BROWSING_DRAFT, .limit = 1
	};
	browsing_read(c, &p->drafts);
	db_begin_read(c, DB_CONTENT);
	p->fresh = a->version == 1 && edition_find(c, a, 1, &last) &&
		   clock_now() - last.published_at < UNDONE_FOR;
	db_rollback(c);
	return NULL;
}

/* Writes the address with what is done with it. The mail has no recipient. */
static void
write_address(struct hwrite *w, const struct published *p, const char *address)
{
	const char *title = p->ready.article->title;
	struct buf mail;

	buf_init(&mail, w->out->arena, (size_t)64 * 1024);
	buf_add_text(&mail, "mailto:");
	screen_address_add(&mail, "subject", title);
	screen_address_add(&mail, "body", address);
	@ <p>Readers can open it now.
	if (p->at.website != NULL)
		@ {=" "}Your website copies it when it asks next.
	@ </p>
	@ <label for="address">Address</label>
	@ <div class="copy"><input id="address" type="text" dir="ltr" readonly value={address}>
	screen_copy_button(w, tr("the address"));
	@ <a class="button primary" href={address}>Open it
	@ {!screen_icon(w, ICON_OPEN)}</a></div>
	@ <div class="bar-of"><a class="button slim" href={buf_done(&mail)}>Mail it</a>
	@ <button class="button slim" type="button" hidden data-share={address}>Share</button></div>
}

/* Where neither pages nor a website are, says so with the way to turn on what is missing. */
static void
write_nowhere(struct hwrite *w, const struct page *page)
{
	const struct visit *v = page->v;
	const struct page *p = page;
	bool manages = console_may(v, RIGHT_MANAGE);

	if (console_rests(v))
		@ <p>Its pages rest while the account is suspended.</p>
	else if (!v->account->verified)
		@ <p>It has no address yet where readers open it: no website is set, and only a
		@ verified account has pages.</p>
	else if (manages)
		@ <p>It has no address yet where readers open it: the pages are off, and no website
		@ is set.</p>
	else
		@ <p>It has no address yet where readers open it: the pages are off, and no website
		@ is set. Ask somebody who manages this workspace to turn on the pages.</p>
	if (manages && v->account->verified && !console_rests(v))
		@ <p><a class="button primary" href="/W/settings#settings-pages">Turn on the
		@ pages</a></p>
	else if (manages && !console_rests(v))
		@ <p><a class="button primary" href="/W/settings#settings-website">Settings</a></p>
	verification_write(w, page->c, v);
}

/* A first publication is taken back. Later ones are not: readers would lose what they had. */
static void
write_undo(struct hwrite *w, const struct page *p)
{
	const struct published *d = p->data;

	if (!console_may(p->v, RIGHT_PUBLISH) || console_rests(p->v))
		return;
	@ <hr><div class="bar-of"><p class="soft small">
	if (d->ready.article->version > 1)
		@ Readers had an older edition before. It can be brought back.
		@ <a href="/W/articles/ID/history">History</a>
	else if (!d->fresh)
		@ Something wrong? <a href="/W/articles/ID">Open the article</a>
	else
		@ Something wrong? It becomes a draft again, with nothing lost.
	@ </p>
	if (d->fresh)
		publish_write_undo(w, p->c, p->v, d->ready.article, "undo");
	@ </div>
}

static void
write_where(struct hwrite *w, const struct page *p)
{
	const struct published *d = p->data;
	const char *frames = p->v->workspace->embed_origins;

	@ <section class="box"><header><h2>Where it is</h2></header><ul class="rows">
	if (d->at.page != NULL)
		@ <li><span class="dot good"></span><span class="what">
		@ <a href={d->at.page}>Your pages</a><small>Live</small></span></li>
	else
		@ <li><span class="dot"></span><span class="what">Your pages<small>Off</small></span></li>
	if (d->at.website != NULL)
		@ <li><span class="dot"></span><span class="what">
		@ <a href={d->at.website}>Your website</a>
		@ <small>Once the website has fetched it</small></span></li>
	for (size_t i = 0; i < d->sites.count; i++) {
		const struct site *s = &d->sites.sites[i];
		@ <li><span class="dot {=s->stale ? "bad" : s->reader.read_at != 0 ? "good" : ""}"></span>
		@ <span class="what">
		@ {s->key->label[0] != '\0' ? s->key->label : s->key->display}
		@ <small>{!sites_write_state(w, s)}</small></span></li>
	}
	if (d->at.page != NULL)
		@ <li><span class="dot good"></span><span class="what">
		@ <a href={arena_printf(p->c->arena, "%sfeed.atom", d->at.home)}>Feed</a>
		@ <small>The newest come first</small></span></li>
	if (d->at.page != NULL && frames[0] != '\0')
		@ <li><span class="dot good"></span><span class="what">In frames<small>{frames}</small>
		@ </span></li>
	@ </ul>
	if (d->at.page == NULL && d->at.website != NULL)
		verification_write(w, p->c, p->v);
	@ </section>
}

static void
write_next(struct hwrite *w, const struct page *p)
{
	const struct published *d = p->data;
	const struct browsing *drafts = &d->drafts;
	bool writes = console_may(p->v, RIGHT_WRITE);

	@ <section class="box"><header><h2>What next</h2></header><ul class="rows">
	if (writes)
		@ <li><span class="what"><a href="/W/articles/new">Write the next article</a></span></li>
	if (writes && drafts->count > 0)
		@ <li><span class="what">
		@ <a href="/W/articles/{drafts->found[0].article.uuid}">Go on with a draft</a>
		@ <small>{drafts->found[0].article.title}</small></span></li>
	@ <li><span class="what"><a href="/W/statistics/articles/ID">See how it is read</a>
	@ <small>The first numbers come within minutes</small></span></li>
	if (writes && d->ready.failing_count > 0)
		@ <li><span class="what"><a href="/W/articles/ID?check=1">
		@ {#d->ready.failing_count: Fix %d check|Fix %d checks}</a>
		@ <small>Readers and search engines find it easier with them</small></span></li>
	if (d->sites.count > 0)
		@ <li><span class="what"><a href="/W/sites">See which websites have it</a></span></li>
	@ </ul></section>
}

static void
write_published(struct hwrite *w, struct page *p)
{
	const struct published *d = p->data;
	const char *address = d->at.page != NULL ? d->at.page : d->at.website;

	@ <div class="split"><section class="box">
	@ <header><span class="big">{!screen_icon(w, ICON_DONE)}</span>
	@ <h2>{d->ready.article->title}</h2></header>
	if (address != NULL)
		write_address(w, d, address);
	else
		write_nowhere(w, p);
	write_undo(w, p);
	@ </section><div class="stack">
	write_where(w, p);
	write_next(w, p);
	@ </div></div>
}

static const struct page_kind published_kind = { sizeof(struct published), load_published,
	write_published };

SCREEN(published) = {
	{ "GET", "/W/articles/ID/published", .title = tr_mark("Published"),
	    .page = &published_kind },
	{ .method = NULL },
};
