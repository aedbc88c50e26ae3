/* galley key create | list | show | revoke; find and rotate have their own files. */
#include <stddef.h>
#include <string.h>

#include "access/limit.h"
#include "access/scope.h"
#include "action/key-actions.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/command.h"
#include "command/key/key-print.h"
#include "system/near.h"

static const char *const scope_names[] = { "articles:read", "drafts:read", "articles:generate",
	NULL };

static struct err *
scopes_of(struct ctx *c, const struct call *call, unsigned *scopes)
{
	const char *name;

	*scopes = 0;
	for (size_t i = 0; (name = call_option_at(call, "scope", i)); i++) {
		if (scope_from_name(name) == 0)
			return err_param(c, "scope",
			    "%s is no scope: articles:read, drafts:read and articles:generate are%s",
			    name, near_question(c->arena, near_among(name, scope_names)));
		*scopes |= scope_from_name(name);
	}
	return NULL;
}

static struct err *
label_of(struct ctx *c, const struct call *call, const char **label)
{
	*label = call_option(call, "label");
	if (*label == NULL)
		*label = "";
	if (utf8_forbidden(*label, true) != NULL)
		return err_param(
		    c, "label", "The label must be one line without control characters.");
	return NULL;
}

static struct err *
create(struct ctx *c, struct call *call)
{
	char key[APIKEY_LENGTH + 1];
	struct key_order order = { .scopes = 0 };
	struct workspace *w;
	struct apikey *made;
	struct err *err;

	err = scopes_of(c, call, &order.scopes);
	if (err == NULL)
		err = when_given(c, "expires", call_option(call, "expires"), &order.expires_at);
	if (err == NULL)
		err = label_of(c, call, &order.label);
	if (err != NULL)
		return err;
	order.place = pick_place(c, call, call_option(call, "workspace"));
	err = key_create(c, &order, key, &made, &w);
	if (err != NULL)
		return err;
	key_print_warn(order.scopes);
	call_changed(call, made->uuid);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "id", made->uuid);
		jwrite_member_text(&call->json, "key", key);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%s", key);
	call_say(call, "Key %s of %s for %s. It is shown this once only.", made->uuid,
	    w->settings.name, scope_to_text(c->arena, order.scopes));
	explicit_bzero(key, sizeof(key));
	return NULL;
}

static const char *
date_of(struct ctx *c, int64_t at)
{
	char *text = arena_alloc(c->arena, CLOCK_TEXT);

	if (at == 0)
		return NULL;
	clock_format_date(text, at);
	return text;
}

static void
list_one(void *arg, const struct apikey *k)
{
	struct call_list *l = arg;
	struct ctx *c = l->c;

	if (l->call->as_json) {
		key_print_json(c, &l->call->json, k);
		return;
	}
	grid_row(&l->grid,
	    (const char *[]) { k->uuid, k->display, key_state(c, k),
		scope_to_text(c->arena, k->scopes), date_of(c, k->created_at),
		date_of(c, k->expires_at), date_of(c, limit_last_used(c, k->id)), k->label });
}

static struct err *
list(struct ctx *c, struct call *call)
{
	struct call_list l;
	struct find_place place = pick_place(c, call, call_option(call, "workspace"));
	struct err *err;

	call_list_begin(&l, c, call,
	    (const char *[]) {
		"ID", "KEY", "STATE", "SCOPES", "CREATED", "EXPIRES", "LAST USE", "LABEL", NULL });
	err = key_list(c, &place, list_one, &l);
	if (err != NULL)
		return err;
	key_print_note_unused(c);
	call_list_end(&l, "This workspace has no key yet.");
	return NULL;
}

static void
show_one(void *arg, const struct apikey *k)
{
	struct call_list *l = arg;

	if (l->call->as_json)
		key_print_json(l->c, &l->call->json, k);
	key_print_lines(l->c, l->call, k);
}

static struct err *
show(struct ctx *c, struct call *call)
{
	struct call_list l = { .c = c, .call = call };

	return key_show(c, NULL, call->operands[0], show_one, &l);
}

static struct err *
revoke(struct ctx *c, struct call *call)
{
	struct apikey *k;
	struct err *err = key_revoke(c, NULL, call->operands[0], &k);

	if (err != NULL)
		return err;
	if (call->as_json)
		key_print_json(c, &call->json, k);
	call_changed(call, k->uuid);
	call_say(call, "Key %s is revoked: the next request with it is refused.", k->display);
	return NULL;
}

static const struct command_option create_options[] = {
	{ .name = "workspace", .value = "ID", .help = "whose key it is" },
	{ .name = "scope",
	    .value = "SCOPE",
	    .many = true,
	    .needed = true,
	    .help = "articles:read, drafts:read or articles:generate" },
	{ .name = "label", .value = "TEXT", .help = "to tell keys apart" },
	{ .name = "expires",
	    .value = "90d",
	    .help = "days from now, or a date; never, where it is left out" },
	{ .name = NULL },
};

static const struct command_option list_options[] = {
	{ .name = "workspace", .value = "ID", .help = "whose keys" },
	{ .name = NULL },
};

#define ONE_KEY .noun = "key", .operands = "ID", .operands_min = 1, .operands_max = 1

const struct command command_key[] = {
	{ .noun = "key",
	    .verb = "create",
	    .operands = "",
	    .options = create_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = create,
	    .summary = "make a key, print it once",
	    .text =
		"The key itself is not kept: who loses it gets a new one. drafts:read shows drafts\n"
		"to a key that has articles:read too. A key that orders jobs spends credits: give it to\n"
		"a program of its own." },
	{ .noun = "key",
	    .verb = "list",
	    .operands = "",
	    .options = list_options,
	    .flags = COMMAND_DB,
	    .run = list,
	    .summary = "the keys of a workspace, and when each was last used" },
	{ ONE_KEY, .verb = "show", .flags = COMMAND_DB | COMMAND_ID, .run = show,
	    .summary = "a key: whose it is, what it may do, its last use" },
	{ ONE_KEY, .verb = "revoke", .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID,
	    .run = revoke, .summary = "refuse a key from now on",
	    .text =
		"An order that it sends at this moment is made whole, or not at all. Jobs that were ordered\n"
		"with it before go on: galley job cancel ends them.\n\n"
		"The key is named by its id, or is given whole: what one has when it has leaked. It is\n"
		"never printed, and no log of Galley's holds it. key show and key rotate take it, too; but a\n"
		"key that goes on working is no word of a command, which a shell remembers." },
	{ .verb = NULL },
};
