/* galley key create | list | show | rotate | revoke; find is in
 * command-key-find.c. */
#include <stddef.h>
#include <string.h>

#include "access/apikey.h"
#include "access/limit.h"
#include "access/scope.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/near.h"
#include "base/utf8.h"
#include "command/call.h"
#include "command/command-list.h"
#include "command/grid.h"
#include "command/key-text.h"
#include "command/pick.h"
#include "command/when.h"
#include "store/db.h"

#define USUAL_GRACE "24h"

static const char *const scope_names[] = { "articles:read", "drafts:read",
	"articles:generate", NULL };

static struct err *
scopes_of(struct ctx *c, const struct call *call, unsigned *scopes)
{
	const char *name;

	*scopes = 0;
	for (size_t i = 0; (name = call_option_at(call, "scope", i)); i++) {
		if (scope_from_name(name) == 0)
			return err_param(c, "scope",
			    "%s is no scope: articles:read, drafts:read and"
			    " articles:generate are%s", name,
			    near_question(c->arena,
				near_among(name, scope_names)));
		*scopes |= scope_from_name(name);
	}
	return NULL;
}

static struct err *
expiry_of(struct ctx *c, const struct call *call, int64_t *at)
{
	const char *word = call_option(call, "expires");

	*at = 0;
	return word == NULL ? NULL : when_to_come(c, "expires", word, at);
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
	key_text_warn(scopes);
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

	if (l->call->as_json) {
		key_text_json(c, &l->call->json, k);
		return;
	}
	grid_row(&l->grid, (const char *[]){ k->uuid, k->display,
	    key_text_state(c, k), scope_to_text(c->arena, k->scopes),
	    date_of(c, k->created_at), date_of(c, k->expires_at),
	    date_of(c, limit_last_used(c, k->id)), k->label });
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
	key_text_note_unused(c);
	if (call->as_json)
		jwrite_array_end(&call->json);
	else
		grid_print(&l.grid, "This workspace has no key yet.",
		    &call->out);
	return NULL;
}

static struct err *
show(struct ctx *c, struct call *call)
{
	struct apikey *k;
	struct err *err;

	db_begin_read(c);
	err = pick_key(c, call->operands[0], &k);
	if (err != NULL)
		return err;
	if (call->as_json)
		key_text_json(c, &call->json, k);
	key_text_say(c, call, k);
	db_commit(c);
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
		key_text_json(c, &call->json, k);
	db_commit(c);
	call_changed(call, k->uuid);
	call_say(call, "Key %s is revoked: the next request with it is"
	    " refused.", k->display);
	return NULL;
}

static struct err *
grace_of(struct ctx *c, const struct call *call, int64_t *grace)
{
	const char *word = call_option(call, "grace");

	if (when_span(word != NULL ? word : USUAL_GRACE, grace))
		return NULL;
	return err_param(c, "grace",
	    "%s is no time: write a number of hours or days such as 24h or 7d,"
	    " or 0 for none.", word);
}

/* Until when the new key works: what the option says, else as long as the old
 * one was made for. */
static struct err *
new_expiry(struct ctx *c, const struct call *call, const struct apikey *old,
    int64_t *at)
{
	struct err *err = expiry_of(c, call, at);

	if (call_option(call, "expires") == NULL && old->expires_at != 0)
		*at = c->now + (old->expires_at - old->created_at);
	return err;
}

/* Puts a key like `old` beside it, which ends after the grace: at once where
 * there is none. *old is as it is then. */
static struct err *
replace(struct ctx *c, struct call *call, int64_t grace,
    char key[APIKEY_LENGTH + 1], struct apikey **old, struct apikey **made)
{
	int64_t expires_at;
	struct err *err;

	err = pick_key(c, call->operands[0], old);
	if (err != NULL)
		return err;
	if (strcmp(key_text_state(c, *old), "good") != 0)
		return refuse(c, ERR_CONFLICT,
		    "Key %s is %s already: there is nothing to replace. Make a"
		    " new one with galley key create.", (*old)->display,
		    key_text_state(c, *old));
	err = new_expiry(c, call, *old, &expires_at);
	if (err == NULL)
		err = apikey_insert(c, (*old)->workspace_id, (*old)->scopes,
		    (*old)->label, expires_at, key, made);
	if (err != NULL)
		return err;
	if (grace == 0)
		apikey_revoke(c, (*old)->id);
	else
		apikey_expire(c, (*old)->id, c->now + grace);
	*old = apikey_find(c, (*old)->uuid);
	return NULL;
}

static void
say_rotated(struct ctx *c, struct call *call, const struct apikey *old,
    const struct apikey *made)
{
	call_say(call, "Key %s for %s. It is shown this once only.",
	    made->uuid, scope_to_text(c->arena, made->scopes));
	if (made->expires_at != 0)
		call_say(call, "It expires at %s.",
		    when_text(c->arena, made->expires_at));
	if (old->revoked_at != 0)
		call_say(call, "The old one, %s, is refused from now on.",
		    old->display);
	else
		call_say(call, "The old one, %s, works until %s.",
		    old->display, when_text(c->arena, old->expires_at));
	if ((made->scopes & SCOPE_GENERATE) != 0)
		call_say(call, "\nAn Idempotency-Key belongs to the key that"
		    " it was sent with: an order that is repeated with\nthe new"
		    " key is a second order, and costs again. Let orders that"
		    " are under way get their\nanswer, or repeat them with the"
		    " old key, before the new one is used.");
}

static struct err *
rotate(struct ctx *c, struct call *call)
{
	char key[APIKEY_LENGTH + 1];
	struct apikey *old, *made;
	struct err *err;
	int64_t grace;

	err = grace_of(c, call, &grace);
	if (err != NULL)
		return err;
	db_begin_write(c, DB_CHANGES_KEYS, 0);
	err = replace(c, call, grace, key, &old, &made);
	if (err != NULL)
		return err;
	db_commit(c);
	key_text_warn(made->scopes);
	call_changed(call, old->uuid);
	call_changed(call, made->uuid);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "id", made->uuid);
		jwrite_member_text(&call->json, "key", key);
		jwrite_name(&call->json, "old");
		key_text_json(c, &call->json, old);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%s", key);
	say_rotated(c, call, old, made);
	explicit_bzero(key, sizeof(key));
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

static const struct command_option rotate_options[] = {
	{ .name = "grace", .value = USUAL_GRACE,
	    .help = "how long the old key still works; 0: not at all" },
	{ .name = "expires", .value = "90d",
	    .help = "of the new key; else as long as the old one was made"
		    " for" },
	{ .name = NULL },
};

#define ONE_KEY                                                                \
	.noun = "key", .operands = "ID", .operands_min = 1, .operands_max = 1

const struct command command_key[] = {
	{ .noun = "key", .verb = "create", .operands = "",
	    .options = create_options, .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = create,
	    .summary = "make a key, print it once",
	    .text = "The key itself is not kept: who loses it gets a new one."
		    " drafts:read shows drafts\nto a key that has"
		    " articles:read too. A key that orders jobs spends"
		    " credits: give it to\na program of its own." },
	{ .noun = "key", .verb = "list", .operands = "",
	    .options = list_options, .flags = COMMAND_DB, .run = list,
	    .summary = "the keys of a workspace, and when each was last used" },
	{ ONE_KEY, .verb = "show", .flags = COMMAND_DB | COMMAND_ID, .run = show,
	    .summary = "a key: whose it is, what it may do, its last use" },
	{ ONE_KEY, .verb = "rotate", .options = rotate_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID, .run = rotate,
	    .summary = "make a key like an old one, which ends after a grace",
	    .text = "The new key has the scopes and the label of the old one,"
		    " and is printed once. Both work\nuntil the grace is over."
		    "\n\n"
		    "An Idempotency-Key belongs to the key that it was sent"
		    " with. An order (POST /generate)\nthat was sent with the"
		    " old key and is repeated with the new one is a second"
		    " order, and\ncosts again. So the customer's program lets"
		    " orders under way get their answer, or repeats\nthem with"
		    " the old key, before it takes the new one: that is what"
		    " the grace is for." },
	{ ONE_KEY, .verb = "revoke",
	    .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID,
	    .run = revoke, .summary = "refuse a key from now on",
	    .text = "An order that it sends at this moment is made whole, or not"
		    " at all. Jobs that were ordered\nwith it before go on:"
		    " galley job cancel ends them."
		    "\n\n"
		    "The key is named by its id, or is given whole: what one"
		    " has when it has leaked. It is\nnever printed, and no log"
		    " of Galley's holds it. key show and key rotate take it,"
		    " too; but a\nkey that goes on working is no word of a"
		    " command, which a shell remembers." },
	{ .verb = NULL },
};
