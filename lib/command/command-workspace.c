/* galley workspace create | show | list | set */
#include <stddef.h>
#include <string.h>

#include "access/account.h"
#include "access/workspace.h"
#include "article/token.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/ctx.h"
#include "command/call.h"
#include "command/command-list.h"
#include "command/grid.h"
#include "command/pick.h"
#include "store/db.h"

/* Words separated by blanks, as an array. */
static void
words_to_json(struct jwrite *w, struct ctx *c, const char *name,
    const char *words)
{
	jwrite_member_array(w, name);
	while (*words != '\0') {
		size_t len = strcspn(words, " ");
		jwrite_text(w, arena_text_n(c->arena, words, len));
		words += len;
		words += strspn(words, " ");
	}
	jwrite_array_end(w);
}

static void
to_json(struct jwrite *w, struct ctx *c, const struct workspace *ws)
{
	const struct settings *s = &ws->settings;
	char revision[TOKEN_TEXT];

	token_settings(ws, revision);
	jwrite_object(w);
	jwrite_member_text(w, "id", ws->uuid);
	jwrite_member_text(w, "account_id",
	    account_of(c, ws->account_id)->uuid);
	jwrite_member_text(w, "name", s->name);
	jwrite_member_text(w, "language", s->language);
	jwrite_member_text(w, "website", s->website);
	jwrite_member_text(w, "address_pattern", s->address_pattern);
	jwrite_member_text(w, "publisher_name", s->publisher_name);
	jwrite_member_text(w, "publisher_logo_url", s->publisher_logo_url);
	jwrite_member_text(w, "author_name", s->author_name);
	jwrite_member_text(w, "author_url", s->author_url);
	jwrite_member_text(w, "public_url", s->public_url);
	jwrite_member_bool(w, "analytics_enabled", ws->analytics_enabled);
	jwrite_member_text(w, "analytics_site_id", ws->analytics_site_id);
	words_to_json(w, c, "analytics_origins", ws->analytics_origins);
	words_to_json(w, c, "embed_origins", ws->embed_origins);
	jwrite_member_text(w, "settings_revision", revision);
	jwrite_member_time(w, "clock", ws->clock);
	jwrite_member_time(w, "created_at", ws->created_at);
	jwrite_object_end(w);
}

static void
line(struct call *call, const char *name, const char *value)
{
	bool blank = value == NULL || value[0] == '\0';

	call_say(call, "%-20s %s", name, blank ? "-" : value);
}

static void
say(struct ctx *c, struct call *call, const struct workspace *w)
{
	const struct settings *s = &w->settings;
	const struct account *a = account_of(c, w->account_id);
	char created[CLOCK_TEXT];

	clock_format(created, w->created_at);
	line(call, "id", w->uuid);
	line(call, "account",
	    arena_printf(c->arena, "%s (%s)", a->name, a->uuid));
	line(call, "name", s->name);
	line(call, "language", s->language);
	line(call, "website", s->website);
	line(call, "address_pattern", s->address_pattern);
	line(call, "publisher_name", s->publisher_name);
	line(call, "publisher_logo_url", s->publisher_logo_url);
	line(call, "author_name", s->author_name);
	line(call, "author_url", s->author_url);
	line(call, "public_url", s->public_url);
	line(call, "analytics_enabled",
	    w->analytics_enabled ? "true" : "false");
	line(call, "analytics_site_id", w->analytics_site_id);
	line(call, "analytics_origins", w->analytics_origins);
	line(call, "embed_origins", w->embed_origins);
	line(call, "created_at", created);
}

static struct err *
create(struct ctx *c, struct call *call)
{
	struct account *a;
	struct workspace *w;
	struct err *err;

	db_begin_write(c, DB_CHANGES_ALL, 0);
	err = pick_account(c, call_option(call, "account"), &a);
	if (err == NULL)
		err = workspace_insert(c, a->id, call->operands[0],
		    call_option(call, "language"), &w);
	if (err != NULL)
		return err;
	/* As every other workspace has it. */
	workspace_take_public_url(c, c->conf->public_url);
	db_commit(c);
	call_changed(call, w->uuid);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "id", w->uuid);
		jwrite_object_end(&call->json);
	}
	call_say(call, "Workspace %s (%s) was created: %s.", w->settings.name,
	    w->settings.language, w->uuid);
	return NULL;
}

static struct err *
show(struct ctx *c, struct call *call)
{
	const char *name = call->operand_count > 0 ? call->operands[0] : NULL;
	struct workspace *w;
	struct err *err;

	db_begin_read(c);
	err = pick_workspace(c, name, &w);
	if (err != NULL)
		return err;
	if (call->as_json)
		to_json(&call->json, c, w);
	else
		say(c, call, w);
	db_commit(c);
	return NULL;
}

struct listing {
	struct ctx *c;
	struct call *call;
	struct grid grid;
};

static void
list_one(void *arg, const struct workspace *w)
{
	struct listing *l = arg;

	if (l->call->as_json)
		to_json(&l->call->json, l->c, w);
	else
		grid_row(&l->grid, (const char *[]){ w->uuid,
		    w->settings.name, w->settings.language,
		    account_of(l->c, w->account_id)->name,
		    w->settings.website });
}

static struct err *
list(struct ctx *c, struct call *call)
{
	struct listing l = { .c = c, .call = call };

	grid_init(&l.grid, c->arena, (const char *[]){ "ID", "NAME",
	    "LANGUAGE", "ACCOUNT", "WEBSITE", NULL });
	if (call->as_json)
		jwrite_array(&call->json);
	db_begin_read(c);
	workspace_list(c, list_one, &l);
	db_commit(c);
	if (call->as_json)
		jwrite_array_end(&call->json);
	else
		grid_print(&l.grid, "There is no workspace yet.", &call->out);
	return NULL;
}

/* Sets the fields of the operands after the first; nothing is kept when one is
 * refused. */
static struct err *
set_fields(struct ctx *c, struct call *call, struct workspace *w)
{
	const char *field, *value;
	struct err *err = NULL;

	for (size_t i = 1; i < call->operand_count && err == NULL; i++) {
		err = call_field(c, call->operands[i], &field, &value);
		if (err == NULL)
			err = workspace_set(c, w, field, value);
	}
	return err;
}

static struct err *
set(struct ctx *c, struct call *call)
{
	struct workspace *w;
	struct err *err;
	bool announced;

	db_begin_read(c);
	err = pick_workspace(c, call->operands[0], &w);
	if (err != NULL)
		return err;
	db_commit(c);
	err = workspace_begin(c, w, &w);
	if (err == NULL)
		err = set_fields(c, call, w);
	if (err != NULL)
		return err;
	announced = workspace_update(c, w);
	w = workspace_of(c, w->id);
	call_changed(call, w->uuid);
	if (call->as_json)
		to_json(&call->json, c, w);
	else
		say(c, call, w);
	db_commit(c);
	if (announced)
		call_say(call, "\nThis reaches the exports: every integration"
		    " copies all published articles again\nat its next"
		    " synchronization.");
	return NULL;
}

static const struct command_option create_options[] = {
	{ .name = "account", .value = "ID", .needed = true,
	    .help = "the account that it belongs to" },
	{ .name = "language", .value = "TAG", .needed = true,
	    .help = "of articles that name none: en, ar, pt-BR, …" },
	{ .name = NULL },
};

const struct command command_workspace[] = {
	{ .noun = "workspace", .verb = "create", .operands = "NAME",
	    .operands_min = 1, .operands_max = 1, .options = create_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES, .run = create,
	    .summary = "make a workspace: articles, settings and keys" },
	{ .noun = "workspace", .verb = "show", .operands = "[ID]",
	    .operands_max = 1, .flags = COMMAND_DB, .run = show,
	    .summary = "a workspace and its settings" },
	{ .noun = "workspace", .verb = "list", .operands = "",
	    .flags = COMMAND_DB, .run = list, .summary = "all workspaces" },
	{ .noun = "workspace", .verb = "set", .operands = "ID FIELD=VALUE…",
	    .operands_min = 2, .operands_max = -1,
	    .flags = COMMAND_DB | COMMAND_CHANGES, .run = set,
	    .summary = "change settings",
	    .text = "An empty VALUE clears a field; lists are separated by"
		    " commas. Fields:\n\n"
		    "  name, language      of the workspace\n"
		    "  website             https://host of the site that shows"
		    " the articles\n"
		    "  address_pattern     path of an article there:"
		    " /blog/{slug}\n"
		    "  publisher_name      the brand; blank: the workspace's"
		    " name\n"
		    "  publisher_logo_url  address of its logo\n"
		    "  author_name         blank: the brand is the author\n"
		    "  author_url          address of the author's profile\n"
		    "  analytics_enabled   true or false\n"
		    "  analytics_origins   https://host,https://host\n"
		    "  embed_origins       https://host,https://host" },
	{ .verb = NULL },
};
