/* galley workspace: what an operator does with one, and which one commands take. */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "access/account.h"
#include "access/pages-settings.h"
#include "access/workspace.h"
#include "action/action.h"
#include "action/site-actions.h"
#include "action/workspace-actions.h"
#include "article/article.h"
#include "article/content-state.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "content/lang.h"
#include "notify/notify-url.h"
#include "system/conf.h"
#include "terminal/terminal.h"

/* ---- a workspace, as people see it */

static void
line(struct call *call, const char *name, const char *value)
{
	bool empty = value == NULL || value[0] == '\0';

	call_say(call, "%-20s %s", name, empty ? "-" : value);
}

static void
say_blanks(struct call *call, const struct workspace *w)
{
	const struct workspace_blank *empty;
	bool first = true;
	size_t i = 0;

	while ((empty = workspace_state_blank(w, &i)) != NULL) {
		if (first)
			call_say(call, "\nBlank, and what that costs:");
		first = false;
		call_say(call, "  %-18s %s", empty->field, empty->cost);
	}
}

static void
say_pages(struct ctx *c, struct call *call, const struct workspace *w)
{
	const char *word = word_of(c, w->id);
	const char *address = pages_address_of(c, word);
	struct pages_look look;

	pages_look_of(c, w->id, &look);
	line(call, SETTINGS_PAGES, word);
	for (size_t i = 0; pages_look_fields[i] != NULL; i++)
		line(call, pages_look_fields[i], pages_look_value(c, &look, pages_look_fields[i]));
	if (address != NULL)
		line(call, "pages are at", address);
}

/* Prints a workspace for people: its settings, then which of them are empty and what
 * that costs. Call it inside a transaction. */
static void
say_workspace(struct ctx *c, struct call *call, const struct workspace *w)
{
	const struct settings *s = &w->settings;
	const struct account *a = account_of(c, w->account_id);
	char created[CLOCK_TEXT];

	clock_format(created, w->created_at);
	line(call, "id", w->uuid);
	line(call, "account", arena_printf(c->arena, "%s (%s)", a->name, a->uuid));
	line(call, "name", s->name);
	line(call, "language", s->language);
	line(call, "time_zone", time_zone_of(c, w->id));
	line(call, SETTINGS_NOTIFY_URL, notify_url_of(c, w->id));
	line(call, "website", s->website);
	line(call, "address_pattern", s->address_pattern);
	line(call, "publisher_name", s->publisher_name);
	line(call, "publisher_logo_url", s->publisher_logo_url);
	line(call, "author_name", s->author_name);
	line(call, "author_url", s->author_url);
	line(call, "public_url", s->public_url);
	line(call, "analytics_enabled", w->analytics_enabled ? "true" : "false");
	line(call, "analytics_site_id", w->analytics_site_id);
	line(call, "analytics_origins", w->analytics_origins);
	line(call, "embed_origins", w->embed_origins);
	say_pages(c, call, w);
	line(call, "created_at", created);
	line(call, "an article is at", workspace_state_sample(c, w));
	say_blanks(call, w);
}

/* ---- galley workspace create | show | list | set */

/* Writes the members of workspace_more, inside a transaction. */
static void
more_members(struct ctx *c, struct jwrite *j, const struct workspace *w)
{
	const char *url = notify_url_of(c, w->id);

	jwrite_member_text(j, SETTINGS_TIME_ZONE, time_zone_of(c, w->id));
	jwrite_member_text(j, SETTINGS_NOTIFY_URL, url[0] != '\0' ? url : NULL);
	workspace_state_pages(c, j, w);
}

static void
to_json(struct ctx *c, struct call *call, const struct workspace *w)
{
	jwrite_object(&call->json);
	workspace_state_members(c, &call->json, w);
	more_members(c, &call->json, w);
	jwrite_object_end(&call->json);
}

/* Notes if the language that was set now is rarely the one that people mean. */
static void
doubt_language(struct ctx *c, const char *old, const struct workspace *w)
{
	const char *language = w->settings.language;
	const char *doubt = subtag_doubt(c->arena, language);

	if (doubt != NULL && (old == NULL || strcmp(old, language) != 0))
		note_say("%s", doubt);
}

static struct err *
create(struct ctx *c, struct call *call)
{
	struct workspace_order order = { .account = call_option(call, "account"),
		.name = call->operands[0],
		.language = call_option(call, "language"),
		.another = call_has(call, "another") };
	struct workspace *w;

	TRY(workspace_create(c, &order, &w));
	call_changed(call, w->uuid);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "id", w->uuid);
		jwrite_object_end(&call->json);
	}
	doubt_language(c, NULL, w);
	call_say(call, "Workspace %s (%s) was created: %s.", w->settings.name, w->settings.language,
	    w->uuid);
	return NULL;
}

static void
show_one(void *arg, const struct workspace *w)
{
	struct call_list *l = arg;

	if (l->call->as_json)
		to_json(l->c, l->call, w);
	else
		say_workspace(l->c, l->call, w);
}

static struct err *
show(struct ctx *c, struct call *call)
{
	const char *name = call->operand_count > 0 ? call->operands[0] : NULL;
	struct find_place place = pick_place(c, call, name);
	struct call_list l = { .c = c, .call = call };

	return workspace_show(c, &place, show_one, &l);
}

static void
list_one(void *arg, const struct workspace *w)
{
	struct call_list *l = arg;

	if (l->call->as_json)
		to_json(l->c, l->call, w);
	else
		grid_row(
		    &l->grid, (const char *[]) { w->uuid, w->settings.name, w->settings.language,
				  account_of(l->c, w->account_id)->name, w->settings.website });
}

static struct err *
list(struct ctx *c, struct call *call)
{
	struct call_list l;

	call_list_begin(
	    &l, c, call, (const char *[]) { "ID", "NAME", "LANGUAGE", "ACCOUNT", "WEBSITE", NULL });
	workspace_show_all(c, list_one, &l);
	call_list_end(&l, "There is no workspace yet.");
	return NULL;
}

static bool
same(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return strcmp(a, b) == 0;
}

/* Tells what a change of settings does for those who follow the workspace:
 * `articles` are published, and the newest of them was at `old` before. */
static void
say_announced(struct call *call, int64_t articles, const char *old, const char *new)
{
	if (articles == 0) {
		call_say(call,
		    "\n"
		    "This reaches the exports. No article is published: nothing is announced again.");
		return;
	}
	call_say(call,
	    "\nThis reaches the exports: %" PRId64 " published"
	    " article%s announced again, and every\nintegration copies %s at"
	    " its next synchronization.",
	    articles, articles == 1 ? " is" : "s are", articles == 1 ? "it" : "them");
	if (old != NULL && !same(old, new))
		call_say(call,
		    "Articles move, such as\n"
		    "  %s\n"
		    "to\n"
		    "  %s\n"
		    "The site must lead the old addresses to the new ones.",
		    old, new != NULL ? new : "no address");
}

/* A change of settings that must be told. */
struct telling {
	struct ctx *c;
	struct call *call;
	const struct settings_change *change;
};

static void
tell_set(void *arg, const struct workspace *w)
{
	const struct telling *t = arg;
	bool announced = t->change->announced;
	int64_t articles = announced ? article_count(t->c, w->id, ARTICLE_PUBLISHED) : 0;

	if (t->call->as_json) {
		jwrite_object(&t->call->json);
		workspace_state_members(t->c, &t->call->json, w);
		more_members(t->c, &t->call->json, w);
		jwrite_member_int(&t->call->json, "announced", articles);
		jwrite_object_end(&t->call->json);
		return;
	}
	say_workspace(t->c, t->call, w);
	if (announced)
		say_announced(
		    t->call, articles, t->change->sample, workspace_state_sample(t->c, w));
}

/* Counts and tells. Counting a million articles takes long, and no writer must
 * wait for it: so it has a transaction of its own. */
static struct err *
tell_change(struct ctx *c, struct call *call, const struct settings_change *change)
{
	const struct workspace *w = change->changed;
	struct find_place place = { .name = w->uuid };
	struct telling t = { .c = c, .call = call, .change = change };

	doubt_language(c, change->read->settings.language, w);
	if (change->renamed_as_another)
		note_say(
		    "galley: more than one workspace is called %s now: name them by their ids.",
		    w->settings.name);
	call_changed(call, w->uuid);
	return workspace_show(c, &place, tell_set, &t);
}

/* Writes the change, and tells the operator of --take where a word was refused that nobody
 * uses. */
static struct err *
write_change(struct ctx *c, struct settings_change *change)
{
	struct err *err = settings_write(c, change);

	if (err != NULL && change->word_is_left && !change->take)
		err->message = arena_printf(c->arena,
		    "%s That workspace was deleted: --take gives the word to this one.",
		    err->message);
	return err;
}

static struct err *
set(struct ctx *c, struct call *call)
{
	struct find_place place = pick_place(c, call, call->operands[0]);
	struct settings_change change;
	const char *field, *value;
	struct err *err = settings_read(c, &place, &change);

	change.take = call_has(call, "take");
	for (size_t i = 1; i < call->operand_count && err == NULL; i++) {
		err = call_field(c, call->operands[i], &field, &value);
		if (err == NULL)
			err = settings_field(c, &change, field, value);
	}
	if (err == NULL)
		err = write_change(c, &change);
	return err != NULL ? err : tell_change(c, call, &change);
}

/* ---- galley workspace notify: the secret and the last pings of a workspace */

#define BODY_MAX ((size_t)64 * 1024)

/* Prints the header for the bytes of a file. */
static struct err *
sign(struct ctx *c, struct call *call, const struct find_place *place, const char *path)
{
	const char *header;
	size_t len;
	char *body = fileio_read(c->arena, path, BODY_MAX, &len);

	if (body == NULL)
		return refuse(c, ERR_INVALID, "%s: %s.", path, strerror(errno));
	TRY(notify_sign(c, place, body, len, &header));
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "signature", header);
		jwrite_object_end(&call->json);
	}
	call_say(call, "Galley-Signature: %s", header);
	return NULL;
}

static void
notify_to_json(struct call *call, const struct notify_view *view, const char *secret)
{
	struct jwrite *j = &call->json;

	jwrite_object(j);
	jwrite_member_text(j, "id", view->notify.workspace);
	jwrite_member_text(j, "notify_url", view->notify.url);
	jwrite_member_text(j, "secret", secret[0] != '\0' ? secret : NULL);
	jwrite_member_array(j, "results");
	for (size_t i = 0; i < view->count; i++) {
		jwrite_object(j);
		jwrite_member_time(j, "at", view->tries[i].at);
		jwrite_member_text(j, "result", view->tries[i].result);
		jwrite_object_end(j);
	}
	jwrite_array_end(j);
	jwrite_object_end(j);
}

static void
say_notify(struct ctx *c, struct call *call, const struct notify_view *view, const char *secret)
{
	if (secret[0] != '\0') {
		call_say(call, "%s", secret);
		call_say(call,
		    "The secret of the pings to %s. It is shown this once only, and the one before it\n"
		    "signs nothing any more.",
		    view->notify.url);
	} else {
		call_say(call,
		    "Pings go to %s. Their secret was shown before; --new-secret makes another one.",
		    view->notify.url);
	}
	for (size_t i = 0; i < view->count; i++)
		call_say(
		    call, "%s  %s", when_text(c->arena, view->tries[i].at), view->tries[i].result);
}

static struct err *
notify(struct ctx *c, struct call *call)
{
	const char *name = call->operand_count > 0 ? call->operands[0] : NULL;
	struct find_place place = pick_place(c, call, name);
	const char *path = call_option(call, "sign");
	bool again = call_has(call, "new-secret");
	struct notify_view view, now;
	char secret[SIGNATURE_SECRET];
	struct err *err;

	if (path != NULL && again)
		return refuse(c, ERR_INVALID, "--sign and --new-secret do not go together.");
	if (path != NULL)
		return sign(c, call, &place, path);
	TRY(notify_make_secret(c, &place, again, &view, secret));
	place = (struct find_place) { .name = view.notify.workspace };
	err = notify_show(c, &place, &now);
	if (err == NULL) {
		if (secret[0] != '\0')
			call_changed(call, now.notify.workspace);
		if (call->as_json)
			notify_to_json(call, &now, secret);
		say_notify(c, call, &now, secret);
	}
	explicit_bzero(secret, sizeof(secret));
	return err;
}

/* ---- galley workspace use */

/* Tells which workspace commands use from now on, and who chose it; NULL is none. */
static void
tell_chosen(struct call *call, const struct workspace *w, const char *by)
{
	struct jwrite *j = &call->json;

	if (call->as_json && w == NULL) {
		jwrite_null(j);
	} else if (call->as_json) {
		jwrite_object(j);
		jwrite_member_text(j, "id", w->uuid);
		jwrite_member_text(j, "name", w->settings.name);
		jwrite_member_text(j, "by", by);
		jwrite_object_end(j);
	}
	if (w == NULL)
		call_say(call,
		    "No workspace is chosen: commands ask for --workspace where there are several.");
	else
		call_say(call, "Commands without --workspace take %s (%s): chosen by %s.",
		    w->settings.name, w->uuid, by);
}

static struct err *
show_chosen(struct ctx *c, struct call *call)
{
	struct workspace *w = NULL;
	const char *by;

	if (chosen_workspace(c, call, &by) != NULL) {
		struct find_place place = pick_place(c, call, NULL);
		TRY(read_workspace(c, &place, &w));
	}
	tell_chosen(call, w, by);
	return NULL;
}

static struct err *
keep_chosen(struct ctx *c, struct call *call, const struct workspace *w)
{
	const char *name = getenv("GALLEY_WORKSPACE");

	if (!chosen_set(c, call, w != NULL ? w->uuid : NULL))
		return refuse(
		    c, ERR_INTERNAL, "The choice cannot be kept in run/: %s.", strerror(errno));
	if (name != NULL)
		note_say("GALLEY_WORKSPACE is set to %s, and comes first.",
		    name[0] != '\0' ? name : "nothing");
	tell_chosen(call, w, "galley workspace use");
	return NULL;
}

static struct err *
use(struct ctx *c, struct call *call)
{
	struct workspace *w = NULL;
	bool none = call_has(call, "none");

	if (none && call->operand_count > 0)
		return call_usage(c, "Name a workspace, or say --none; not both.");
	if (call->operand_count > 0) {
		struct find_place place = { .name = call->operands[0] };
		TRY(read_workspace(c, &place, &w));
	}
	return none || w != NULL ? keep_chosen(c, call, w) : show_chosen(c, call);
}

/* ---- galley workspace delete */

/* Reads the name, typed at the terminal or given as --confirm. */
static struct err *
confirm_deletion(struct ctx *c, const struct call *call, const struct deletion *d)
{
	const struct workspace *w = d->workspace;
	int64_t articles = d->found;
	const char *typed = call_option(call, "confirm");

	if (typed == NULL && !ask_can())
		return call_usage(
		    c, "What is deleted is gone: say --confirm with the workspace's name.");
	if (typed == NULL) {
		note_say("%s (%s) and its %" PRId64 " article%s will be"
			 " destroyed, its keys refused.",
		    w->settings.name, w->uuid, articles, articles == 1 ? "" : "s");
		typed = ask_line(c, "Type its name to go on:");
	}
	return deletion_confirm(c, d, typed);
}

static void
deletion_to_json(struct jwrite *j, const struct deletion *d)
{
	jwrite_object(j);
	jwrite_member_text(j, "id", d->workspace->uuid);
	jwrite_member_int(j, "articles", d->articles);
	jwrite_member_int(j, "pictures", (int64_t)d->pictures);
	jwrite_member_int(j, "keys", d->keys);
	jwrite_member_array(j, "jobs");
	for (size_t i = 0; i < d->job_count; i++)
		jwrite_text(j, d->jobs[i]);
	jwrite_array_end(j);
	jwrite_member_int(j, "credits", d->credits);
	jwrite_object_end(j);
}

static const char *
many(struct ctx *c, int64_t count, const char *one)
{
	return arena_printf(c->arena, "%" PRId64 " %s%s", count, one, count == 1 ? "" : "s");
}

static void
say_deletion(struct ctx *c, struct call *call, const struct deletion *d)
{
	call_say(call, "Workspace %s is deleted: %s and %s are destroyed, %s refused from now on.",
	    d->workspace->settings.name, many(c, d->articles, "article"),
	    many(c, (int64_t)d->pictures, "picture"), many(c, d->keys, "key"));
	if (d->job_count > 0)
		call_say(call, "%s that had not ended %s cancelled; %s are available to %s again.",
		    many(c, (int64_t)d->job_count, "job"), d->job_count == 1 ? "was" : "were",
		    many(c, d->credits, "credit"), d->account->name);
	call_say(call,
	    "The account %s stays, with its ledger and the jobs that ended. Copies on the customer's site\n"
	    "stay until they are removed there; backups still hold all of it.",
	    d->account->name);
}

static void
note_job(void *arg, const char *uuid)
{
	call_changed(arg, uuid);
}

static struct err *delete (struct ctx *c, struct call *call)
{
	struct find_place place = pick_place(c, call, call->operands[0]);
	struct deletion d = { .cancelled = note_job, .arg = call };

	TRY(deletion_find(c, &place, &d));
	TRY(confirm_deletion(c, call, &d));
	call_changed(call, d.workspace->uuid);
	d.work = call_work(call);
	TRY(deletion_run(c, &d));
	if (call->as_json)
		deletion_to_json(&call->json, &d);
	else
		say_deletion(c, call, &d);
	return NULL;
}

/* ---- the rows */

static const struct command_option create_options[] = {
	{ .name = "account",
	    .value = "ID",
	    .needed = true,
	    .help = "the account that it belongs to" },
	{ .name = "language",
	    .value = "TAG",
	    .needed = true,
	    .help = "of articles that name none: en, ar, pt-BR, …" },
	{ .name = "another", .help = "although there is a workspace of this name" },
	{ .name = NULL },
};

static const struct command_option set_options[] = {
	{ .name = "take", .help = "pages=WORD may be a word of a deleted workspace" },
	{ .name = NULL },
};

static const struct command_option options[] = {
	{ .name = "new-secret",
	    .help = "make another secret: the one before it signs nothing any more" },
	{ .name = "sign",
	    .value = "FILE",
	    .help = "print the header Galley-Signature for these bytes, to test a website" },
	{ .name = NULL },
};

static const struct command_option use_options[] = {
	{ .name = "none", .help = "forget the choice" },
	{ .name = NULL },
};

static const struct command_option delete_options[] = {
	{ .name = "confirm",
	    .value = "NAME",
	    .help = "the workspace's name, where nobody can be asked for it" },
	{ .name = NULL },
};

const struct command command_workspace[] = {
	{ .noun = "workspace",
	    .verb = "create",
	    .operands = "NAME",
	    .options = create_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = create,
	    .summary = "make a workspace: articles, settings and keys" },
	{ .noun = "workspace",
	    .verb = "show",
	    .operands = "[ID]",
	    .flags = COMMAND_DB | COMMAND_ID,
	    .run = show,
	    .summary = "a workspace, its settings, and what empty ones cost" },
	{ .noun = "workspace",
	    .verb = "list",
	    .operands = "",
	    .flags = COMMAND_DB,
	    .run = list,
	    .summary = "all workspaces" },
	{ .noun = "workspace",
	    .verb = "set",
	    .operands = "ID FIELD=VALUE…",
	    .options = set_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID,
	    .run = set,
	    .summary = "change settings",
	    .text =
		"An empty VALUE clears a field; lists are separated by commas. Prints the address that an\n"
		"article has then, and how many are announced again. Fields:\n\n"
		"  name, language      of the workspace\n"
		"  website             https://host of the site that shows the articles\n"
		"  address_pattern     path of an article there: /blog/{slug}/\n"
		"  publisher_name      the brand; empty: the workspace's name\n"
		"  publisher_logo_url  address of its logo\n"
		"  author_name         empty: the brand is the author\n"
		"  author_url          address of the author's profile\n"
		"  analytics_enabled   true or false\n"
		"  analytics_origins   https://host,https://host\n"
		"  embed_origins       https://host,https://host\n"
		"  pages               the word of the workspace's pages, /pages/WORD/; empty: none\n"
		"  pages_title         empty: the workspace's name\n"
		"  pages_accent        a color: #0a6e4f; empty: Galley's\n"
		"  pages_font          system, serif, sans or mono\n"
		"  pages_width         of a line: 30 to 60 (rem)\n"
		"  time_zone           in which people read and type dates: Europe/Berlin; empty: UTC\n"
		"  notify_url          https address that is told of changes (galley workspace notify)\n\n"
		"A word stays its workspace's, also when it has another one or none: websites may still\n"
		"show it. --take gives a word of a deleted workspace to this one." },
	{ .noun = "workspace",
	    .verb = "notify",
	    .operands = "[ID]",
	    .options = options,
	    .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID,
	    .run = notify,
	    .summary = "the secret of its pings, once, and how the last ones ended",
	    .text =
		"After a change the address of notify_url gets a POST that is signed with the secret\n"
		"(docs/console.md, §4.8). The first call makes the secret and prints it; it is shown\n"
		"once. A result is \"answered\", \"refused\" or \"no answer\"." },
	{ .noun = "workspace",
	    .verb = "use",
	    .operands = "[ID]",
	    .options = use_options,
	    .flags = COMMAND_DB | COMMAND_ID,
	    .run = use,
	    .summary = "choose the workspace of commands without --workspace",
	    .text =
		"Without ID it tells which is chosen. The choice is that of the user who calls, by sudo too,\n"
		"and lasts until another. The environment variable GALLEY_WORKSPACE (an id or a name) comes\n"
		"first; set to nothing, there is none. A chosen workspace that is gone is told, and no other\n"
		"taken in its place. Slugs and titles name articles of the chosen workspace alone. galley\n"
		"export refresh takes all workspaces as before.\n\n"
		"--json: {id, name, by}, or null." },
	{ .noun = "workspace",
	    .verb = "delete",
	    .operands = "ID",
	    .options = delete_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = delete,
	    .summary = "destroy a workspace, its articles and keys, for good",
	    .text =
		"Asks for the name of the workspace on a terminal; elsewhere --confirm gives it.\n\n"
		"Its keys are refused at once, jobs that have not ended are cancelled and their credits\n"
		"returned. Articles, editions, the trash, and pictures that nothing else names are destroyed.\n"
		"The account stays, and its ledger, which is never changed: so do the jobs that ended, with\n"
		"what was ordered. Copies on the customer's site stay until they are removed there. What a\n"
		"backup holds can be restored: articles come back in the trash, pages stay off, and keys stay\n"
		"refused.\n\n"
		"Stopped or killed, it leaves a workspace without keys that has fewer articles; the same command again\n"
		"does the rest." },
	{ .verb = NULL },
};
