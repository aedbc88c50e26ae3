/* The sentences that a redirect shows on the page that it leads to, by their names: no
 * text of an address ever reaches a page. */
#include <stddef.h>
#include <string.h>

#include "access/pages-settings.h"
#include "article/article.h"
#include "article/stored.h"
#include "base/ctx.h"
#include "console/page.h"
#include "export/facts.h"
#include "pages/page-item.h"
#include "screen/tr.h"
#include "store/db.h"
#include "system/conf/pages-address.h"

static const struct {
	const char *name, *sentence;
} notices[] = {
	{ "saved", tr_mark("Saved.") },
	{ "from-file", tr_mark("Saved. The text is that of the file.") },
	{ "merged", tr_mark("Saved, and merged with what somebody else had saved.") },
	{ "unchanged", tr_mark("Nothing had changed, so nothing was saved.") },
	{ "published", tr_mark("Published.") },
	{ "dated", tr_mark("The date is set.") },
	{ "undated", tr_mark("The date was cancelled.") },
	{ "unpublished", tr_mark("Unpublished.") },
	{ "trashed", tr_mark("Moved to the trash.") },
	{ "handed-in", tr_mark("Handed in for review.") },
	{ "handed-back", tr_mark("Handed back.") },
	{ "taken-back", tr_mark("Taken back.") },
	{ "commented", tr_mark("Your comment was added.") },
	{ "restored", tr_mark("Restored from the trash.") },
	{ "back", tr_mark("Brought back as the working copy.") },
	{ "part-removed", tr_mark("It is out of the text. History keeps the text as it was.") },
	{ "no-piece", tr_mark("That is not in the article any more.") },
	{ "deleted", tr_mark("Deleted for good.") },
	{ "unshared", tr_mark("The link opens nothing any more.") },
	{ "uploaded", tr_mark("Stored. The line below puts it into an article.") },
	{ "removed", tr_mark("Removed.") },
	{ "ordered", tr_mark("Ordered.") },
	{ "cancelled", tr_mark("Cancelled.") },
	{ "revoked", tr_mark("The key was revoked.") },
	{ "invited", tr_mark("Invited.") },
	{ "ended", tr_mark("Ended.") },
	{ "changed", tr_mark("Changed.") },
	{ "created", tr_mark("Created.") },
	{ "asked", tr_mark("Asked. The operators see it on their Home.") },
	{ "workspace-made",
	    tr_mark(
		"The workspace is made. Write the first article here. In Settings you turn on its pages, or set its website.") },
	{ "granted", tr_mark("Granted.") },
	{ "taken-credits", tr_mark("The credits were taken back.") },
	{ "moved-before",
	    tr_mark(
		"Nothing was done: the account has these credits under this reference already.") },
	{ "recovered", tr_mark("You signed in with a recovery code, which is used up now.") },
	{ "wrong-codes",
	    tr_mark(
		"Wrong codes were typed for you before this one. If that was not you, somebody knows your password: change it.") },
	{ "code-made", tr_mark("A code was made.") },
	{ "told",
	    tr_mark(
		"The operators of this console are told. One of them will send you a new link.") },
	{ "joined", tr_mark("Welcome. You are a member now.") },
	{ "password-changed", tr_mark("Your password was changed. All other sessions ended.") },
	{ "factor-removed", tr_mark("The authenticator was removed. All other sessions ended.") },
	{ "upgraded", tr_mark("The database is of the new release now.") },
	{ "started", tr_mark("You are the operator, and signed in.") },
	{ "held",
	    tr_mark(
		"Your session had ended. What you sent is kept for a day: sign in to send it again.") },
	{ "discarded", tr_mark("Discarded.") },
	{ "live", tr_mark("This instance is live.") },
	{ "signed-out", tr_mark("You are signed out.") },
};

/* Returns the address where what a notice says can be undone, or NULL. */
static const char *
where_undone(struct ctx *c, const struct visit *v, const char *name, const char **label)
{
	if (v->workspace == NULL)
		return NULL;
	if (strcmp(name, "trashed") == 0) {
		*label = tr("Open the trash");
		return console_path(c, v, "/%s/articles?status=trash", v->workspace->uuid);
	}
	if (strcmp(name, "workspace-made") == 0 && console_may(v, RIGHT_MANAGE)) {
		*label = tr("Settings");
		return console_path(c, v, "/%s/settings", v->workspace->uuid);
	}
	if (strcmp(name, "unpublished") == 0 && v->id != NULL && console_may(v, RIGHT_PUBLISH)) {
		*label = tr("Publish again");
		return console_path(c, v, "/%s/articles/%s/publish", v->workspace->uuid, v->id);
	}
	return NULL;
}

void
console_public(
    struct ctx *c, const struct visit *v, const struct article *a, struct console_public *out)
{
	const struct export_source *source = stored_source(c, v->workspace, a, false);

	*out = (struct console_public) { .website = export_canonical(c, source) };
	out->home = item_home(c, v->workspace);
	if (out->home != NULL)
		out->page = item_address(
		    c, v->workspace, out->home, source->snapshot->language, source->snapshot->slug);
	if (out->page != NULL && out->website != NULL && strcmp(out->page, out->website) == 0)
		out->website = NULL;
}

/* Returns where readers open the article of the path: its page here, else that of the website;
 * NULL: nowhere. *published: it is. */
static const char *
where_read(struct ctx *c, const struct visit *v, bool *published)
{
	struct console_public public = { .home = NULL };
	const struct article *a;

	db_begin_read(c, DB_CONTENT);
	a = article_find(c, v->workspace->id, v->id);
	*published = a != NULL && a->status == ARTICLE_PUBLISHED;
	if (*published)
		console_public(c, v, a, &public);
	db_rollback(c);
	return public.page != NULL ? public.page : public.website;
}

/* "Published." leads to what is public; where nothing is, it says what is missing and who can
 * change that. */
static const char *
published(struct ctx *c, const struct visit *v, const char *sentence, const char **address,
    const char **label)
{
	bool manages = console_may(v, RIGHT_MANAGE), is;

	*address = where_read(c, v, &is);
	*label = tr("Open it");
	if (*address != NULL || !is)
		return sentence;
	if (manages) {
		*address = console_path(c, v, "/%s/settings#settings-%s", v->workspace->uuid,
		    v->account->verified ? "pages" : "website");
		*label = v->account->verified ? tr("Turn on the pages") : tr("Settings");
	}
	if (v->account->verified)
		return manages
			   ? tr("Published. It has no address yet where readers open it: the pages are off, and no website is set.")
			   : tr("Published. It has no address yet where readers open it: the pages are off, and no website is set. Ask somebody who manages this workspace to turn on the pages.");
	return tr(
	    "Published. It has no address yet where readers open it: no website is set, and only a verified account has pages. “Where it is” says how it is verified.");
}

const char *
console_notice(struct ctx *c, const struct visit *v, const char **address, const char **label)
{
	const char *name = console_query(c, v, "notice");

	for (size_t i = 0; name != NULL && i < sizeof(notices) / sizeof(notices[0]); i++) {
		if (strcmp(notices[i].name, name) != 0)
			continue;
		*address = where_undone(c, v, name, label);
		if (strcmp(name, "published") == 0 && v->workspace != NULL && v->id != NULL)
			return published(c, v, tr(notices[i].sentence), address, label);
		return tr(notices[i].sentence);
	}
	return NULL;
}
