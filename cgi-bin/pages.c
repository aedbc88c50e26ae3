/* What people without an account read: today the working copy that somebody shared with them
 * (docs/console.md §4.5). */
#include "access/account.h"
#include "access/workspace.h"
#include "article/desk.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "export/export.h"
#include "pages/pages-service.h"
#include "pages/public-pages.h"
#include "screen/assets.h"
#include "store/db.h"

static struct err *
gone(struct ctx *c, struct reply *reply)
{
	pages_say(c, reply, 410, "This preview is over",
	    "The link was open for some days only, or was revoked. Ask for another one.");
	return NULL;
}

/* Writes the working copy as it is now. */
static void
write_article(struct ctx *c, const struct workspace *w, const struct article *a,
    const struct share *s, struct reply *reply)
{
	const struct export_source *source = stored_source(c, w, a, true);
	char until[CLOCK_TEXT];
	struct buf html;

	clock_format_date(until, s->expires_at);
	buf_init(&html, c->arena, EXPORT_BYTES_MAX);
	export_html(c, source, &html);
	pages_begin(c, reply, 200);
	article_page_write(
	    &reply->body, &(struct article_page) {
			      .language = source->snapshot->language,
			      .title = source->snapshot->title,
			      .root = root_path(c),
			      .said = arena_printf(c->arena, "A preview, shared until %s", until),
			      .html = buf_done(&html),
			      .html_len = html.len,
			  });
}

static struct err *
share(struct ctx *c, const char *rest, struct reply *reply)
{
	const struct account *account;
	const struct workspace *w;
	const struct article *a;
	struct share s;

	if (!share_find(c, rest, &s))
		return refuse(c, ERR_NOT_FOUND,
		    "This link is not known here. Look whether it was copied whole.");
	w = workspace_of(c, s.workspace_id);
	account = account_of(c, w->account_id);
	if (account->suspended)
		return refuse(c, ERR_NOT_FOUND, "There is nothing here now.");
	if (!share_is_alive(c, &s))
		return gone(c, reply);
	a = article_find(c, s.workspace_id, s.article);
	if (a == NULL || a->status == ARTICLE_DELETED)
		return gone(c, reply);
	write_article(c, w, a, &s, reply);
	return NULL;
}

static const struct pages_row rows[] = {
	{ "/share/", share },
	{ NULL, NULL },
};

int
main(int argc, char **argv)
{
	return pages_main(argc, argv, rows);
}
