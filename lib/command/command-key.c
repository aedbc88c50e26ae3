/* galley key create | list | revoke */
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "access/apikey.h"
#include "access/limit.h"
#include "access/scope.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "command/call.h"
#include "command/command-list.h"
#include "command/grid.h"
#include "command/pick.h"
#include "store/db.h"

#define DAYS_MAX 36500

static struct err *
scopes_of(struct ctx *c, const struct call *call, unsigned *scopes)
{
	const char *name;

	*scopes = 0;
	for (size_t i = 0; (name = call_option_at(call, "scope", i)); i++) {
		if (scope_from_name(name) == 0)
			return err_param(c, "scope",
			    "%s is no scope: articles:read, drafts:read and"
			    " articles:generate are.", name);
		*scopes |= scope_from_name(name);
	}
	return NULL;
}

/* "90d", or a time to come; *at is 0 without the option. */
static struct err *
expiry_of(struct ctx *c, const struct call *call, int64_t *at)
{
	const char *text = call_option(call, "expires");
	int64_t now = clock_now();
	char *end;
	long days;

	*at = 0;
	if (text == NULL)
		return NULL;
	days = strtol(text, &end, 10);
	if (text[0] >= '0' && text[0] <= '9' && strcmp(end, "d") == 0 &&
	    days > 0 && days <= DAYS_MAX) {
		*at = now + days * CLOCK_DAY;
		return NULL;
	}
	if ((clock_parse(text, at) || clock_parse_date(text, at)) && *at > now)
		return NULL;
	return err_param(c, "expires",
	    "%s is no time to come: write a number of days such as 90d, a date"
	    " such as 2030-01-31, or an RFC 3339 time.", text);
}

static struct err *
label_of(struct ctx *c, const struct call *call, const char **label)
{
	*label = call_option(call, "label");
	if (*label == NULL)
		*label = "";
	if (utf8_forbidden(*label, true) != NULL)
		return err_param(c, "label",
		    "The label must be one line without control characters.");
	return NULL;
}

static void
scopes_to_json(struct jwrite *w, unsigned scopes)
{
	jwrite_member_array(w, "scopes");
	for (unsigned bit = SCOPE_READ; bit <= SCOPE_GENERATE; bit <<= 1) {
		if ((scopes & bit) != 0)
			jwrite_text(w, scope_name((enum scope)bit));
	}
	jwrite_array_end(w);
}

/* Two sets of scopes that surprise people; a warning each. */
static void
warn_of_scopes(unsigned scopes)
{
	if ((scopes & SCOPE_DRAFTS) != 0 && (scopes & SCOPE_READ) == 0)
		call_note("galley: drafts:read never replaces articles:read:"
			  " this key reads nothing without it.");
	if ((scopes & SCOPE_GENERATE) != 0 && scopes != SCOPE_GENERATE)
		call_note("galley: this key reads and orders jobs that cost"
			  " credits; two keys are safer.");
}

static struct err *
create(struct ctx *c, struct call *call)
{
	char key[APIKEY_LENGTH + 1];
	struct workspace *w;
	struct apikey *made;
	const char *label;
	unsigned scopes;
	int64_t expires_at;
	struct err *err;

	err = scopes_of(c, call, &scopes);
	if (err == NULL)
		err = expiry_of(c, call, &expires_at);
	if (err == NULL)
		err = label_of(c, call, &label);
	if (err != NULL)
		return err;
	db_begin_write(c, DB_CHANGES_KEYS, 0);
	err = pick_workspace(c, call_option(call, "workspace"), &w);
	if (err == NULL)
		err = apikey_insert(c, w->id, scopes, label, expires_at, key,
		    &made);
	if (err != NULL)
		return err;
	db_commit(c);
	warn_of_scopes(scopes);
	call_changed(call, made->uuid);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "id", made->uuid);
		jwrite_member_text(&call->json, "key", key);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%s", key);
	call_say(call, "Key %s of %s for %s. It is shown this once only.",
	    made->uuid, w->settings.name, scope_to_text(c->arena, scopes));
	explicit_bzero(key, sizeof(key));
	return NULL;
}

struct listing {
	struct ctx *c;
	struct call *call;
	struct grid grid;
};

static void
time_or_null(struct jwrite *w, const char *name, int64_t at)
{
	if (at == 0)
		jwrite_member_null(w, name);
	else
		jwrite_member_time(w, name, at);
}

static void
to_json(struct ctx *c, struct jwrite *w, const struct apikey *k)
{
	jwrite_object(w);
	jwrite_member_text(w, "id", k->uuid);
	jwrite_member_text(w, "workspace_id",
	    workspace_of(c, k->workspace_id)->uuid);
	scopes_to_json(w, k->scopes);
	jwrite_member_text(w, "label", k->label);
	jwrite_member_text(w, "display", k->display);
	jwrite_member_time(w, "created_at", k->created_at);
	time_or_null(w, "expires_at", k->expires_at);
	time_or_null(w, "revoked_at", k->revoked_at);
	time_or_null(w, "last_used_at", limit_last_used(c, k->id));
	jwrite_object_end(w);
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
	struct listing *l = arg;
	struct ctx *c = l->c;
	const char *state = "good";

	if (l->call->as_json) {
		to_json(c, &l->call->json, k);
		return;
	}
	if (k->revoked_at != 0)
		state = "revoked";
	else if (k->expires_at != 0 && k->expires_at <= c->now)
		state = "expired";
	grid_row(&l->grid, (const char *[]){ k->uuid, k->display, state,
	    scope_to_text(c->arena, k->scopes), date_of(c, k->created_at),
	    date_of(c, k->expires_at), date_of(c, limit_last_used(c, k->id)),
	    k->label });
}

static struct err *
list(struct ctx *c, struct call *call)
{
	struct listing l = { .c = c, .call = call };
	struct workspace *w;
	struct err *err;

	grid_init(&l.grid, c->arena, (const char *[]){ "ID", "KEY", "STATE",
	    "SCOPES", "CREATED", "EXPIRES", "LAST USE", "LABEL", NULL });
	if (call->as_json)
		jwrite_array(&call->json);
	db_begin_read(c);
	err = pick_workspace(c, call_option(call, "workspace"), &w);
	if (err != NULL)
		return err;
	apikey_list(c, w->id, list_one, &l);
	db_commit(c);
	if (call->as_json)
		jwrite_array_end(&call->json);
	else
		grid_print(&l.grid, "This workspace has no key yet.",
		    &call->out);
	return NULL;
}

static struct err *
revoke(struct ctx *c, struct call *call)
{
	struct apikey *k;
	struct err *err;

	db_begin_write(c, DB_CHANGES_KEYS, 0);
	err = pick_key(c, call->operands[0], &k);
	if (err != NULL)
		return err;
	apikey_revoke(c, k->id);
	k = apikey_find(c, k->uuid);
	if (call->as_json)
		to_json(c, &call->json, k);
	db_commit(c);
	call_changed(call, k->uuid);
	call_say(call, "Key %s is revoked: the next request with it is"
	    " refused.", k->display);
	return NULL;
}

static const struct command_option create_options[] = {
	{ .name = "workspace", .value = "ID", .help = "whose key it is" },
	{ .name = "scope", .value = "SCOPE", .many = true, .needed = true,
	    .help = "articles:read, drafts:read or articles:generate" },
	{ .name = "label", .value = "TEXT", .help = "to tell keys apart" },
	{ .name = "expires", .value = "90d",
	    .help = "days from now, or a date; never, where it is left out" },
	{ .name = NULL },
};

static const struct command_option list_options[] = {
	{ .name = "workspace", .value = "ID", .help = "whose keys" },
	{ .name = NULL },
};

const struct command command_key[] = {
	{ .noun = "key", .verb = "create", .operands = "",
	    .options = create_options, .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = create,
	    .summary = "make a key, print it once",
	    .text = "The key itself is not kept: who loses it gets a new one."
		    " drafts:read shows drafts\nto a key that has"
		    " articles:read too." },
	{ .noun = "key", .verb = "list", .operands = "",
	    .options = list_options, .flags = COMMAND_DB, .run = list,
	    .summary = "the keys of a workspace, and when each was last used" },
	{ .noun = "key", .verb = "revoke", .operands = "ID",
	    .operands_min = 1, .operands_max = 1,
	    .flags = COMMAND_DB | COMMAND_CHANGES, .run = revoke,
	    .summary = "refuse a key from now on" },
	{ .verb = NULL },
};
