#include "console/answer.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "article/article.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "console/request.h"
#include "export/facts.h"
#include "job/cron.h"
#include "pages/page-item.h"
#include "screen/assets.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"
#include "system/instance.h"
#include "web/reply.h"

/* ---- headers of every answer */

static void
add(struct reply *reply, const char *policy, const char *resource)
{
	reply_header(reply, "Content-Security-Policy", "%s", policy);
	reply_header(reply, "X-Content-Type-Options", "nosniff");
	reply_header(reply, "Cross-Origin-Resource-Policy", "%s", resource);
	reply_header(reply, "Vary", "Cookie");
	reply_header(reply, "X-Robots-Tag", "noindex");
}

static const char page_policy[] =
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'";

#define FRAME_POLICY                                                                               \
	"default-src 'none'; img-src 'self' https: data:; style-src 'self';"                       \
	" frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox"

void
head_add(struct reply *reply, const char *cache)
{
	if (cache != NULL)
		reply_header(reply, "Cache-Control", "%s", cache);
	add(reply, page_policy, "same-origin");
	reply_header(reply, "Cross-Origin-Opener-Policy", "same-origin");
}

void
head_add_asset(struct reply *reply, bool framed)
{
	reply_header(reply, "Cache-Control", "public, max-age=31536000, immutable");
	add(reply, page_policy, framed ? "cross-origin" : "same-origin");
	reply_header(reply, "Cross-Origin-Opener-Policy", "same-origin");
}

/* Adds those of a framed preview. `scrolled`: its document has the origin of the page around it,
 * so that the editor's script can keep its place; no script runs in it either way. Browsers show
 * no sandboxed document in a window of its own if it has a policy about its opener. */
static void
head_add_frame(struct reply *reply, bool scrolled)
{
	reply_header(reply, "Cache-Control", "no-store");
	add(reply, scrolled ? FRAME_POLICY " allow-same-origin" : FRAME_POLICY, "same-origin");
}

void
head_go(struct reply *reply, int status, const char *address)
{
	reply->status = status;
	reply->type = "text/html; charset=utf-8";
	reply_header(reply, "Location", "%s", address);
	head_add(reply, "no-store");
}

/* ---- notices
 *
 * The sentences that a redirect shows on the page that it leads to, by their names: no text of an
 * address ever reaches a page. */

static const struct {
	const char *name, *sentence;
} notices[] = {
	{ "saved", tr_mark("Saved.") },
	{ "from-file", tr_mark("Saved. The text is that of the file.") },
	{ "merged", tr_mark("Saved, and merged with what somebody else had saved.") },
	{ "unchanged", tr_mark("Nothing had changed, so nothing was saved.") },
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
	{ "unshared", tr_mark("The link no longer works.") },
	{ "uploaded", tr_mark("Stored. The line below puts it into an article.") },
	{ "removed", tr_mark("Removed.") },
	{ "ordered", tr_mark("Ordered.") },
	{ "cancelled", tr_mark("Cancelled.") },
	{ "revoked", tr_mark("The key was revoked.") },
	{ "invited", tr_mark("Invited.") },
	{ "ended", tr_mark("Ended.") },
	{ "changed", tr_mark("Changed.") },
	{ "pages-on", tr_mark("The pages are on. Everybody can read what is published.") },
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

bool
console_public(struct ctx *c, const struct visit *v, const char *id, struct console_public *out)
{
	const struct export_source *source;
	const struct article *a;
	bool published;

	*out = (struct console_public) { .home = NULL };
	db_begin_read(c, DB_CONTENT);
	a = article_find(c, v->workspace->id, id);
	published = a != NULL && a->status == ARTICLE_PUBLISHED;
	if (published) {
		source = stored_source(c, v->workspace, a, false);
		out->website = export_canonical(c, source);
		out->home = item_home(c, v->workspace);
		out->cover = source->snapshot->image;
		if (out->home != NULL)
			out->page = item_address(c, v->workspace, out->home,
			    source->snapshot->language, source->snapshot->slug);
	}
	db_rollback(c);
	if (out->page != NULL && out->website != NULL && strcmp(out->page, out->website) == 0)
		out->website = NULL;
	return published;
}

/* Returns the sentence of the query's notice, translated, or NULL; console_page() writes
 * it. *address (or NULL) and *label are of the link
 * to where that can be undone. */
static const char *
notice_of(struct ctx *c, const struct visit *v, const char **address, const char **label)
{
	const char *name = console_query(c, v, "notice");

	for (size_t i = 0; name != NULL && i < sizeof(notices) / sizeof(notices[0]); i++) {
		if (strcmp(notices[i].name, name) != 0)
			continue;
		*address = where_undone(c, v, name, label);
		return tr(notices[i].sentence);
	}
	return NULL;
}

/* ---- what handlers read and write */

#define DAY_S 86400
#define THEN_MAX 2000 /* bytes of the address to which the sign-in leads back */

const char *
console_then(struct ctx *c, const struct visit *v, const char *text)
{
	size_t root = strlen(v->place.root);
	bool good = text != NULL && text[0] == '/' && strlen(text) <= THEN_MAX &&
		    strstr(text, "//") == NULL && strstr(text, "..") == NULL;

	for (const char *p = text; good && *p != '\0'; p++)
		good = *p > ' ' && *p <= '~' && *p != '\\';
	if (!good)
		return "/";
	if (strncmp(text, v->place.root, root) != 0 || strchr("/?", text[root]) == NULL)
		return text;
	return text[root] == '/' ? text + root : arena_printf(c->arena, "/%s", text + root);
}

const char *
console_path(struct ctx *c, const struct visit *v, const char *format, ...)
{
	const char *path;
	va_list args;

	va_start(args, format);
	path = arena_vprintf(c->arena, format, args);
	va_end(args);
	return arena_printf(c->arena, "%s%s", v->place.root, path);
}

bool
console_read(struct ctx *c, struct visit *v, struct form *f)
{
	bool good = form_read(c, f, v->sent.values, v->sent.count);

	if (v->row->access == SCREEN_PUBLIC || v->row->unnumbered)
		return good;
	switch (v->number_state) {
	case FORMNUMBER_GOOD:
		return good;
	case FORMNUMBER_OLD:
		form_refuse(f, NULL,
		    tr("This form is older than a day, so nothing was done. Look at it, and send it again."));
		break;
	case FORMNUMBER_FOREIGN:
		form_refuse(f, NULL,
		    tr("This form belongs to another page, so nothing was done. Look at it, and send it again."));
		break;
	}
	return false;
}

void
console_refused(const struct visit *v, struct reply *reply)
{
	bool good = v->row->access == SCREEN_PUBLIC || v->number_state == FORMNUMBER_GOOD;

	reply->status = good ? 422 : 409;
}

/* What a person can correct in the form is shown beside it. */
struct err *
console_wrong(struct ctx *c, struct visit *v, struct reply *reply, struct form *f, struct err *err)
{
	const struct field *field = f->fields;

	(void)c;
	if (v->repeated ||
	    (err->code != ERR_INVALID && err->code != ERR_CONFLICT && err->code != ERR_CREDITS &&
		err->code != ERR_UNAVAILABLE && err->code != ERR_TOO_LARGE))
		return err;
	while (field->name != NULL && (err->param == NULL || strcmp(field->name, err->param) != 0))
		field++;
	form_refuse(f, field->name, err->message);
	reply->status = err->code == ERR_CONFLICT      ? 409
			: err->code == ERR_UNAVAILABLE ? 503
			: err->code == ERR_TOO_LARGE   ? 413
						       : 422;
	if (err->code == ERR_UNAVAILABLE && err->retry_after_s > 0)
		reply_header(reply, "Retry-After", "%d", err->retry_after_s);
	return NULL;
}

/* Makes what a form sends itself with. */
static struct form_head
head_of(struct ctx *c, const struct visit *v, const char *action)
{
	struct form_head head = {
		.action = arena_printf(c->arena, "%s%s", v->place.root, action),
	};
	char *number = arena_alloc(c->arena, FORMNUMBER_TEXT);

	if (v->person != NULL && v->row->access != SCREEN_PUBLIC) {
		formnumber_draw(c, v->person->uuid, action, number);
		head.token = v->token;
		head.number = number;
	}
	return head;
}

void
console_form(struct ctx *c, const struct visit *v, struct hwrite *w, const struct form *f,
    const char *action)
{
	if (console_rests(v) && !f->closed) {
		const struct console_row *row = rows_of(c, "POST", action);
		if (row == NULL || (row->need & RIGHT_OPERATE) == 0)
			return;
	}

	const struct form_head head = head_of(c, v, action);
	form_write(w, f, &head);
}

void
console_form_begin(struct ctx *c, const struct visit *v, struct hwrite *w, const struct form *f,
    const char *action)
{
	const struct form_head head = head_of(c, v, action);

	form_write_begin(w, f, &head);
}

/* ---- the frame */

enum { PLACES_MOST = 16, MENU_MOST = 8 };

/* A table of links that grows. */
struct links {
	struct ctx *c;
	const struct visit *v;
	struct screen_link *list;
	size_t count;
	const char *group; /* of the next one */
};

static struct links
links_of(struct ctx *c, const struct visit *v, size_t most)
{
	return (struct links) {
		.c = c,
		.v = v,
		.list = arena_array(c->arena, most + 1, sizeof(struct screen_link)),
	};
}

/* Adds a link to an address below a place ("" the root's). */
static void
add_link(
    struct links *l, enum screen_icon icon, const char *label, const char *place, const char *path)
{
	l->list[l->count++] = (struct screen_link) { .address = console_path(l->c, l->v, "%s%s%s",
							 place[0] != '\0' ? "/" : "", place, path),
		.label = label,
		.icon = icon,
		.group = l->group };
	l->group = NULL;
}

/* Returns the workspace that the person may look at here, or NULL. */
static const char *
here_of(const struct visit *v)
{
	return v->workspace != NULL && (v->rights & RIGHT_READ) != 0 ? v->workspace->uuid : NULL;
}

static bool
manages_account(const struct visit *v)
{
	return v->account != NULL && (v->account_rights & RIGHT_MANAGE) != 0;
}

static void
add_home(struct links *l)
{
	const char *here = here_of(l->v);

	add_link(l, ICON_HOME, tr("Home"), here != NULL ? here : "", here != NULL ? "" : "/");
}

static const struct {
	const char *group, *path, *label;
	enum screen_icon icon;
	unsigned need, any;
} places[] = {
	{ NULL, "/articles", tr_mark("Articles"), ICON_ARTICLES, RIGHT_READ, 0 },
	{ NULL, "/pictures", tr_mark("Pictures"), ICON_PICTURES, RIGHT_READ,
	    RIGHT_WRITE | RIGHT_PUBLISH },
	{ tr_mark("Grow"), "/statistics", tr_mark("Statistics"), ICON_STATISTICS, RIGHT_READ, 0 },
	{ NULL, "/sites", tr_mark("Sites"), ICON_SITES, RIGHT_READ, RIGHT_PUBLISH | RIGHT_MANAGE },
	{ NULL, "/orders", tr_mark("Orders"), ICON_ORDERS, RIGHT_WRITE | RIGHT_PUBLISH, 0 },
	{ tr_mark("Set up"), "/moving", tr_mark("Moving in"), ICON_MOVING,
	    RIGHT_WRITE | RIGHT_PUBLISH, 0 },
	{ NULL, "/settings", tr_mark("Settings"), ICON_SETTINGS, RIGHT_MANAGE, 0 },
	{ NULL, "/keys", tr_mark("Keys"), ICON_KEYS, RIGHT_MANAGE, 0 },
	{ NULL, "/people", tr_mark("People"), ICON_PEOPLE, RIGHT_MANAGE, 0 },
};

/* Returns the places that the person may go to: a group without places has no title. */
static const struct screen_link *
places_of(struct ctx *c, const struct visit *v)
{
	struct links l = links_of(c, v, PLACES_MOST);
	const char *group = NULL;

	if (v->state != SESSION_GOOD)
		return NULL;
	l.group = here_of(v) != NULL ? tr("Write") : NULL;
	add_home(&l);
	for (size_t i = 0; v->workspace != NULL && i < sizeof(places) / sizeof(places[0]); i++) {
		if (places[i].group != NULL)
			group = tr(places[i].group);
		if ((v->rights & places[i].need) != places[i].need ||
		    (places[i].any != 0 && (v->rights & places[i].any) == 0))
			continue;
		l.group = group;
		group = NULL;
		add_link(
		    &l, places[i].icon, tr(places[i].label), v->workspace->uuid, places[i].path);
	}
	if (v->workspace == NULL && manages_account(v)) {
		l.group = tr("Set up");
		add_link(&l, ICON_PEOPLE, tr("People"), v->account->uuid, "/people");
	}
	if (console_may(v, RIGHT_OPERATE)) {
		l.group = tr("Operator");
		add_link(&l, ICON_CUSTOMERS, tr("Customers"), "", "/customers");
		add_link(&l, ICON_INSTANCE, tr("Instance"), "", "/instance");
	}
	return l.list;
}

/* Returns the first ones of a narrow window. */
static const struct screen_link *
dock_of(struct ctx *c, const struct visit *v)
{
	struct links l = links_of(c, v, MENU_MOST);
	const char *here = here_of(v);

	add_home(&l);
	if (here != NULL) {
		add_link(&l, ICON_ARTICLES, tr("Articles"), here, "/articles");
		if (console_may(v, RIGHT_WRITE))
			add_link(&l, ICON_NEW, tr("New"), here, "/articles/new");
		add_link(&l, ICON_STATISTICS, tr("Statistics"), here, "/statistics");
	} else if (console_may(v, RIGHT_OPERATE)) {
		add_link(&l, ICON_CUSTOMERS, tr("Customers"), "", "/customers");
		add_link(&l, ICON_INSTANCE, tr("Instance"), "", "/instance");
	}
	return l.list;
}

/* Returns the menu of the workspace. */
static const struct screen_link *
sites_of(struct ctx *c, const struct visit *v)
{
	struct links l = links_of(c, v, MENU_MOST);

	add_link(&l, ICON_NOTHING, tr("All workspaces"), "", "/");
	if (manages_account(v) && !console_rests(v))
		add_link(&l, ICON_NEW, tr("New workspace"), v->account->uuid, "/workspaces/new");
	return l.list;
}

/* Returns the menu of the person. */
static const struct screen_link *
mine_of(struct ctx *c, const struct visit *v)
{
	struct links l = links_of(c, v, MENU_MOST);

	add_link(&l, ICON_NOTHING, tr("Your account"), "", "/me");
	if (manages_account(v)) {
		add_link(&l, ICON_NOTHING, tr("Credits"), v->account->uuid, "/credits");
		add_link(&l, ICON_NOTHING, tr("Activity"), v->account->uuid, "/activity");
	}
	if (tr_languages()[1].tag != NULL)
		add_link(&l, ICON_NOTHING, tr("Language"), "", "/me#language");
	return l.list;
}

/* Returns the list that the page is below, or NULL. The editor's pages lead back by themselves. */
static const struct screen_link *
back_of(const char *path, const struct screen_link *links)
{
	for (; links != NULL && links->address != NULL; links++) {
		size_t len = strlen(links->address);
		if (links->icon != ICON_HOME && strncmp(path, links->address, len) == 0 &&
		    path[len] == '/')
			return links;
	}
	return NULL;
}

/* Returns the address of the page's script, or NULL. */
static const char *
script_of(struct ctx *c, const struct visit *v)
{
	switch (v->row != NULL ? v->row->script : SCREEN_PLAIN) {
	case SCREEN_EDITS:
		return asset_address(c->arena, v->place.root, ASSET_EDITOR);
	case SCREEN_SENDS:
		return asset_address(c->arena, v->place.root, ASSET_SENDING);
	case SCREEN_ZONE:
		return asset_address(c->arena, v->place.root, ASSET_ZONE);
	case SCREEN_PLAIN:
		break;
	}
	return NULL;
}

static const char *
name_of_place(const struct visit *v)
{
	if (v->workspace != NULL)
		return v->workspace->settings.name;
	return v->account != NULL ? v->account->name : NULL;
}

static void
write_frame(struct ctx *c, const struct visit *v, struct reply *reply, const char *title,
    const char *under, const char *desk, screen_main *write_main, const void *data)
{
	bool here = v->state == SESSION_GOOD;
	const char *path = arena_printf(c->arena, "%s%s", v->place.root, v->path);
	const struct screen_link *links = desk == NULL ? places_of(c, v) : NULL;

	screen_page(&reply->body,
	    &(struct screen) {
		.language = tr_tag(),
		.title = title,
		.under = under,
		.back = v->row == NULL || !v->row->editor ? back_of(path, links) : NULL,
		.actions = v->actions,
		.site = here && v->rights != 0 ? name_of_place(v) : NULL,
		.root = v->place.root,
		.path = path,
		.links = links,
		.dock = here ? dock_of(c, v) : NULL,
		.sites = here ? sites_of(c, v) : NULL,
		.mine = here ? mine_of(c, v) : NULL,
		.person = here ? v->person->name : NULL,
		.email = here ? v->person->email : NULL,
		.token = here ? v->token : NULL,
		.refresh_s = v->refresh_s,
		.script = here ? script_of(c, v) : NULL,
		.sheet = here && v->row != NULL && v->row->script == SCREEN_EDITS
			     ? asset_address(c->arena, v->place.root, ASSET_EDITOR_SHEET)
			     : NULL,
		.wrong = reply->status == 422 || reply->status == 409,
		.desk = desk,
	    },
	    write_main, data);
}

void
console_frame(struct ctx *c, const struct visit *v, struct reply *reply, const char *title,
    const char *under, screen_main *write_main, const void *data)
{
	write_frame(c, v, reply, title, under, NULL, write_main, data);
}

void
console_notices(struct hwrite *w, struct ctx *c, const struct visit *v)
{
	const char *address = NULL, *label = NULL, *notice = notice_of(c, v, &address, &label);

	if (address != NULL)
		screen_notice_link(w, SCREEN_GOOD, notice, address, label);
	else if (notice != NULL)
		screen_notice(w, SCREEN_GOOD, "%s", notice);
	if (!console_rests(v) || strncmp(v->path, "/customers/", 11) == 0)
		return; /* or the page of the customer is this one */
	if (console_may(v, RIGHT_OPERATE))
		screen_notice_link(w, SCREEN_WARNING,
		    tr("This account is suspended: it can be read and exported, and nothing can be changed."),
		    console_path(c, v, "/customers/%s", v->account->uuid), tr("Customer"));
	else
		screen_notice(w, SCREEN_WARNING, "%s", tr(console_suspended));
}

/* The notices go above the content. */
struct noticed {
	struct ctx *c;
	const struct visit *v;
	screen_main *write_main;
	const void *data;
};

static void
write_noticed(struct hwrite *w, const void *data)
{
	const struct noticed *n = data;

	console_notices(w, n->c, n->v);
	n->write_main(w, n->data);
}

static void
begin_page(const struct visit *v, struct reply *reply)
{
	reply->type = "text/html; charset=utf-8";
	head_add(reply, v->row->editor ? "private, no-cache" : "no-store");
}

void
console_page(struct ctx *c, const struct visit *v, struct reply *reply, const char *title,
    const char *under, screen_main *write_main, const void *data)
{
	const struct noticed n = { .c = c, .v = v, .write_main = write_main, .data = data };

	begin_page(v, reply);
	console_frame(
	    c, v, reply, title != NULL ? title : tr(v->row->title), under, write_noticed, &n);
}

void
console_desk(struct ctx *c, const struct visit *v, struct reply *reply, const char *title,
    const char *place, screen_main *write_main, const void *data)
{
	begin_page(v, reply);
	write_frame(c, v, reply, title, NULL, place, write_main, data);
}

void
console_runner(struct hwrite *w, const struct cron *cron, bool operates)
{
	int64_t at = cron->jobs_at < cron->tasks_at ? cron->jobs_at : cron->tasks_at;

	hwrite_open(w, H_P);
	if (at == 0) {
		hwrite_text(w, tr("The runner has never run."));
	} else {
		hwrite_text(w, tr("The runner last ran:"));
		hwrite_text(w, " ");
		say_time(w, at);
	}
	hwrite_close(w, H_P);
	if (cron->silent && operates)
		screen_notice(w, SCREEN_WARNING,
		    tr("Cron is silent: nothing happens until it runs this line, as the owner of the instance: %s"),
		    cron->line);
	else if (cron->silent)
		screen_notice(w, SCREEN_WARNING, "%s",
		    tr("Nothing is working on what waits. Tell the operator that nothing starts the job runner."));
}

void
console_framed(struct reply *reply, bool scrolled)
{
	reply->type = "text/html; charset=utf-8";
	head_add_frame(reply, scrolled);
}

void
console_will_go(struct visit *v, const char *path)
{
	v->answer = path;
}

void
console_will_tell(
    struct visit *v, const char *(*tell)(struct ctx *c, const void *arg), const void *arg)
{
	v->tell = tell;
	v->tell_arg = arg;
}

const char *
console_told(struct ctx *c, const struct visit *v, const char *number)
{
	const char *told;

	if (number == NULL || strlen(number) != FORMNUMBER_TEXT - 1 ||
	    strspn(number, "0123456789abcdef") != FORMNUMBER_TEXT - 1)
		return NULL;
	db_begin_read(c, DB_CONTENT);
	told = formnumber_told(c, number, v->person->uuid, v->path);
	db_rollback(c);
	return told;
}

void
console_go(
    struct ctx *c, const struct visit *v, struct reply *reply, const char *path, const char *notice)
{
	struct buf address;

	buf_init(&address, c->arena, (size_t)16 * 1024);
	buf_printf(&address, "%s%s", v->place.root, path);
	if (notice != NULL)
		screen_address_add(&address, "notice", notice);
	head_go(reply, 303, buf_done(&address));
}

void
console_cookie(struct ctx *c, const struct visit *v, struct reply *reply, const char *suffix,
    const char *value, int days)
{
	const char *age = "";

	if (value == NULL)
		age = "; Max-Age=0";
	else if (days > 0)
		age = arena_printf(c->arena, "; Max-Age=%d", days * DAY_S);
	reply_header(reply, "Set-Cookie", "%s%s=%s; Path=%s%s%s; HttpOnly; SameSite=Lax",
	    v->place.cookie, suffix, value != NULL ? value : "", v->place.cookie_path, age,
	    v->place.secure ? "; Secure" : "");
}

void
console_json(struct reply *reply)
{
	reply->type = "application/json";
	buf_reset(&reply->headers);
	buf_reset(&reply->body);
	head_add(reply, "no-store");
}

void
console_signed_out(struct ctx *c, const struct visit *v, struct reply *reply)
{
	console_go(c, v, reply, "/sign-in", "signed-out");
	/* Not Clear-Site-Data: it takes the cookies of all hosts of the registrable domain, and the
	 * cookie by which this browser is known. */
	console_cookie(c, v, reply, "", NULL, 0);
}

void
console_journal(struct ctx *c, const struct visit *v, const char *format, ...)
{
	const char *line;
	va_list args;

	va_start(args, format);
	line = arena_vprintf(c->arena, format, args);
	va_end(args);
	log_into(fileio_path(c->arena, c->instance->log, "operator.log"),
	    arena_printf(c->arena, "person=%s account=%s %s workspace=%s",
		v->person != NULL ? v->person->uuid : "-",
		v->account != NULL ? v->account->uuid : "-", line,
		v->workspace != NULL ? v->workspace->uuid : "-"));
}
