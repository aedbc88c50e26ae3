/* galley key: making, listing, revoking, replacing and finding keys. */
#include <stddef.h>
#include <string.h>

#include "access/account.h"
#include "access/apikey.h"
#include "action/action.h"
#include "action/key-actions.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "store/limit.h"
#include "system/conf.h"
#include "system/near.h"
#include "terminal/terminal.h"

/* ---- keys as operators see them: everything but the key; inside a transaction */

/* Writes all that is known of a key. */
static void
key_to_json(struct ctx *c, struct jwrite *w, const struct apikey *key)
{
	jwrite_object(w);
	jwrite_member_text(w, "id", key->uuid);
	jwrite_member_text(w, "workspace_id", workspace_of(c, key->workspace_id)->uuid);
	jwrite_member_array(w, "scopes");
	for (unsigned bit = SCOPE_READ; bit <= SCOPE_GENERATE; bit <<= 1) {
		if ((key->scopes & bit) != 0)
			jwrite_text(w, scope_name((enum scope)bit));
	}
	jwrite_array_end(w);
	jwrite_member_text(w, "label", key->label);
	jwrite_member_text(w, "display", key->display);
	jwrite_member_time(w, "created_at", key->created_at);
	call_member_time(w, "expires_at", key->expires_at);
	call_member_time(w, "revoked_at", key->revoked_at);
	call_member_time(w, "last_used_at", limit_last_used(c, key->id));
	jwrite_object_end(w);
}

static const char *
or_word(const char *text, const char *word)
{
	return text != NULL && text[0] != '\0' ? text : word;
}

static void
say_key(struct ctx *c, struct call *call, const struct apikey *key)
{
	const struct workspace *w = workspace_of(c, key->workspace_id);
	const struct account *a = account_of(c, w->account_id);

	call_say(call, "id         %s", key->uuid);
	call_say(call, "key        %s", key->display);
	call_say(call, "label      %s", or_word(key->label, "-"));
	call_say(call, "workspace  %s (%s)", w->settings.name, w->uuid);
	call_say(call, "account    %s (%s)", a->name, a->uuid);
	call_say(call, "scopes     %s", scope_to_text(c->arena, key->scopes));
	call_say(call, "state      %s", key_state(c, key));
	call_say(call, "created    %s", when_text(c->arena, key->created_at));
	call_say(call, "last use   %s",
	    or_word(when_text(c->arena, limit_last_used(c, key->id)),
		c->conf->requests_per_minute == 0 ? "not known" : "never"));
	call_say(call, "expires    %s", or_word(when_text(c->arena, key->expires_at), "never"));
	if (key->revoked_at != 0)
		call_say(call, "revoked    %s", when_text(c->arena, key->revoked_at));
}

/* Says that last uses are not known where the limiter is switched off. */
static void
note_unused(struct ctx *c)
{
	if (c->conf->requests_per_minute == 0)
		note_say(
		    "galley: requests_per_minute is 0: nothing counts requests, so that later uses of a key are not known.");
}

/* A warning on standard error for each set of scopes that surprises people. */
static void
warn_of_scopes(unsigned scopes)
{
	if ((scopes & SCOPE_DRAFTS) != 0 && (scopes & SCOPE_READ) == 0)
		note_say(
		    "galley: drafts:read never replaces articles:read: this key reads nothing without it.");
	if ((scopes & SCOPE_GENERATE) != 0 && scopes != SCOPE_GENERATE)
		note_say(
		    "galley: this key reads and orders jobs that cost credits; two keys are safer.");
}

/* ---- galley key create | list | show | revoke */

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

	TRY(scopes_of(c, call, &order.scopes));
	TRY(when_given(c, "expires", call_option(call, "expires"), &order.expires_at));
	TRY(label_of(c, call, &order.label));
	order.place = pick_place(c, call, call_option(call, "workspace"));
	TRY(key_create(c, &order, key, &made, &w));
	warn_of_scopes(order.scopes);
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
		key_to_json(c, &l->call->json, k);
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

	call_list_begin(&l, c, call,
	    (const char *[]) {
		"ID", "KEY", "STATE", "SCOPES", "CREATED", "EXPIRES", "LAST USE", "LABEL", NULL });
	TRY(key_list(c, &place, list_one, &l));
	note_unused(c);
	call_list_end(&l, "This workspace has no key yet.");
	return NULL;
}

static void
show_one(void *arg, const struct apikey *k)
{
	struct call_list *l = arg;

	if (l->call->as_json)
		key_to_json(l->c, &l->call->json, k);
	say_key(l->c, l->call, k);
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

	TRY(key_revoke(c, NULL, call->operands[0], &k));
	if (call->as_json)
		key_to_json(c, &call->json, k);
	call_changed(call, k->uuid);
	call_say(call, "Key %s is revoked: the next request with it is refused.", k->display);
	return NULL;
}

/* ---- galley key rotate: a new key for an old one */

#define USUAL_GRACE "24h"

static struct err *
grace_of(struct ctx *c, const struct call *call, int64_t *grace)
{
	const char *word = call_option(call, "grace");

	if (when_span(word != NULL ? word : USUAL_GRACE, grace))
		return NULL;
	return err_param(c, "grace",
	    "%s is not a time: write a number of hours or days such as 24h or 7d, or 0 for none.",
	    word);
}

/* Warns that a key which was replaced before now has two successors. */
static void
warn_of_successor(const struct apikey *before)
{
	if (before == NULL)
		note_say("galley: this key had been replaced before.");
	else
		note_say(
		    "galley: this key had been replaced before: %s, id %s, has its label and scopes. Revoke the one that nobody uses: galley key revoke.",
		    before->display, before->uuid);
}

static void
say_rotated(struct ctx *c, struct call *call, const struct apikey *old, const struct apikey *made)
{
	call_say(call, "Key %s for %s. It is shown this once only.", made->uuid,
	    scope_to_text(c->arena, made->scopes));
	if (made->expires_at != 0)
		call_say(call, "It expires at %s.", when_text(c->arena, made->expires_at));
	if (old->revoked_at != 0)
		call_say(call, "The old one, %s, is refused from now on.", old->display);
	else
		call_say(call, "The old one, %s, works until %s.", old->display,
		    when_text(c->arena, old->expires_at));
	if ((made->scopes & SCOPE_GENERATE) != 0)
		call_say(call,
		    "\n"
		    "An Idempotency-Key belongs to the key that it was sent with: an order that is repeated with\n"
		    "the new key is a second order, and costs again. Let orders that are under way get their\n"
		    "answer, or repeat them with the old key, before the new one is used.");
}

static void
rotated_to_json(struct ctx *c, struct jwrite *j, const struct key_replaced *r)
{
	jwrite_object(j);
	jwrite_member_text(j, "id", r->made->uuid);
	jwrite_member_text(j, "key", r->key);
	jwrite_name(j, "old");
	key_to_json(c, j, r->old);
	jwrite_member_bool(j, "again", r->again);
	jwrite_member_text(j, "before", r->before != NULL ? r->before->uuid : NULL);
	jwrite_object_end(j);
}

static struct err *
rotate(struct ctx *c, struct call *call)
{
	struct key_replacement order = { .old = call->operands[0],
		.expires = call_option(call, "expires") != NULL };
	struct key_replaced r = { .again = false };

	TRY(grace_of(c, call, &order.grace));
	TRY(when_given(c, "expires", call_option(call, "expires"), &order.expires_at));
	TRY(key_replace(c, &order, &r));
	warn_of_scopes(r.made->scopes);
	if (r.again)
		warn_of_successor(r.before);
	call_changed(call, r.old->uuid);
	call_changed(call, r.made->uuid);
	if (call->as_json)
		rotated_to_json(c, &call->json, &r);
	call_say(call, "%s", r.key);
	say_rotated(c, call, r.old, r.made);
	explicit_bzero(r.key, sizeof(r.key));
	return NULL;
}

/* ---- galley key find: who owns a leaked key */

#define INPUT_MAX ((size_t)16 << 20)
#define KEYS_MAX 100 /* keys in one input */

static const char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/* A key that was given, and the keys that it may be. */
struct given {
	const char *text; /* as found in the input; never printed */
	const char *display; /* what is printed of it; NULL: nothing */
	const char *damage; /* what is wrong with it, or NULL */
	struct apikey *key; /* the key that it is, or NULL */
	const struct apikey **alike; /* keys with the same beginning or end */
	size_t alike_count;
};

struct search {
	struct ctx *c;
	struct call *call;
	const char *text; /* the input */
	struct given *given; /* the present one */
	const char *seen[KEYS_MAX]; /* texts of the ones before */
	size_t known, count;
};

/* Returns what is wrong with the text of a key, as the rest of "It is damaged:
 * …". */
static const char *
damage_of(struct ctx *c, const char *text)
{
	size_t len = strlen(text);

	if (apikey_is_whole(text))
		return NULL;
	if (strncmp(text, APIKEY_PREFIX, strlen(APIKEY_PREFIX)) != 0)
		return "it does not begin with " APIKEY_PREFIX;
	if (len < APIKEY_LENGTH)
		return arena_printf(c->arena, "%zu of its %d characters are missing",
		    APIKEY_LENGTH - len, APIKEY_LENGTH);
	if (len > APIKEY_LENGTH)
		return arena_printf(
		    c->arena, "it has %zu characters too many", len - APIKEY_LENGTH);
	return "one or more of its characters are wrong";
}

static void
keep_alike(void *arg, const struct apikey *key)
{
	struct search *s = arg;
	struct given *g = s->given;

	if (!key_is_alike(g->text, key->display))
		return;
	g->alike = arena_grow(s->c->arena, g->alike, g->alike_count * sizeof(*g->alike),
	    (g->alike_count + 1) * sizeof(*g->alike));
	g->alike[g->alike_count++] = key;
}

static void
given_to_json(struct ctx *c, struct jwrite *j, const struct given *g)
{
	jwrite_object(j);
	jwrite_member_text(j, "display", g->display);
	jwrite_member_text(j, "damage", g->damage);
	jwrite_name(j, "key");
	if (g->key != NULL)
		key_to_json(c, j, g->key);
	else
		jwrite_null(j);
	jwrite_member_array(j, "alike");
	for (size_t i = 0; i < g->alike_count; i++)
		key_to_json(c, j, g->alike[i]);
	jwrite_array_end(j);
	jwrite_object_end(j);
}

static void
say_mend(struct ctx *c, struct call *call, const struct apikey *key)
{
	if (strcmp(key_state(c, key), "good") != 0) {
		call_say(call, "It no longer works.");
		return;
	}
	call_say(call, "To refuse it from now on:\n  galley key revoke %s", key->uuid);
	call_say(call,
	    "To give its owner another one first:\n"
	    "  galley key rotate %s",
	    key->uuid);
}

static void
say_given(struct ctx *c, struct call *call, const struct given *g)
{
	if (g->damage != NULL)
		call_say(call, "%s is damaged: %s.",
		    g->display != NULL ? g->display : "What was given", g->damage);
	if (g->key != NULL) {
		call_say(call, "%s is a key of this instance.", g->key->display);
		say_key(c, call, g->key);
		say_mend(c, call, g->key);
		return;
	}
	if (g->damage == NULL)
		call_say(call, "%s is a whole key, but not one of this instance.", g->display);
	if (g->damage != NULL && g->alike_count == 0)
		call_say(call, "No key of this instance begins or ends like it.");
	for (size_t i = 0; i < g->alike_count; i++) {
		call_say(call, "It begins or ends like this one:");
		say_key(c, call, g->alike[i]);
		say_mend(c, call, g->alike[i]);
	}
}

/* Returns what may be printed of it. Nothing may be printed of a word that is
 * perhaps not a key. */
static const char *
display_of(struct ctx *c, const char *text)
{
	if (strncmp(text, APIKEY_PREFIX, strlen(APIKEY_PREFIX)) != 0)
		return NULL;
	return apikey_display(c, text);
}

static void
look_up(struct search *s, const char *text)
{
	struct ctx *c = s->c;
	struct given g = {
		.text = text, .display = display_of(c, text), .damage = damage_of(c, text)
	};
	const char *start = arena_text_n(c->arena, text, strnlen(text, APIKEY_LENGTH));

	for (size_t i = 0; i < s->count; i++) {
		if (strcmp(s->seen[i], text) == 0)
			return;
	}
	if (s->count > 0)
		call_say(s->call, "%s", "");
	s->seen[s->count++] = text;
	/* If something was pasted after a whole key, it is still that key. */
	if (apikey_is_whole(start))
		g.key = apikey_find_whole(c, start);
	s->given = &g;
	if (g.key == NULL && g.damage != NULL)
		apikey_list_all(c, keep_alike, s);
	s->given = NULL;
	s->known += g.key != NULL;
	if (s->call->as_json)
		given_to_json(c, &s->call->json, &g);
	else
		say_given(c, s->call, &g);
}

/* Looks up every word that begins like a key, anywhere in the input: in a log
 * line, a configuration, a chat. If there is none, looks up the last word. */
static struct err *
look_up_all(void *arg)
{
	struct search *s = arg;
	const char *text = s->text;
	struct arena *a = s->c->arena;
	const char *p = text;
	size_t len, end = strlen(text);

	while (s->count < KEYS_MAX && (p = strstr(p, APIKEY_PREFIX)) != NULL) {
		len = strlen(APIKEY_PREFIX);
		len += strspn(p + len, letters);
		look_up(s, arena_text_n(a, p, len));
		p += len;
	}
	while (end > 0 && strchr(letters, text[end - 1]) == NULL)
		end--;
	for (len = 0; len < end && strchr(letters, text[end - len - 1]); len++)
		;
	if (s->count == 0 && len > 0)
		look_up(s, arena_text_n(a, text + end - len, len));
	return NULL;
}

static struct err *
find(struct ctx *c, struct call *call)
{
	struct search s = { .c = c, .call = call };
	char *text;

	TRY(unseen_read(c, "The key (it is not shown): ", INPUT_MAX, &text));
	if (call->as_json)
		jwrite_array(&call->json);
	s.text = text;
	TRY(action_read(c, look_up_all, &s));
	if (call->as_json)
		jwrite_array_end(&call->json);
	if (s.count == 0)
		return refuse(c, ERR_INVALID,
		    "There is no key in that: a key is " APIKEY_PREFIX
		    " and %d letters and digits.",
		    APIKEY_LENGTH - (int)strlen(APIKEY_PREFIX));
	if (s.count == KEYS_MAX)
		note_say("galley: only the first %d keys were looked up.", KEYS_MAX);
	note_unused(c);
	call->status = s.known == 0;
	return NULL;
}

/* ---- the rows */

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

#define ONE_KEY .noun = "key", .operands = "ID"

static const struct command_option rotate_options[] = {
	{ .name = "grace",
	    .value = USUAL_GRACE,
	    .help = "how long the old key still works; 0: not at all" },
	{ .name = "expires",
	    .value = "90d",
	    .help = "of the new key; else as long as the old one was made for" },
	{ .name = NULL },
};

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
	{ .noun = "key",
	    .verb = "rotate",
	    .operands = "ID",
	    .options = rotate_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID,
	    .run = rotate,
	    .summary = "make a key like an old one, which ends after a grace",
	    .text =
		"The new key has the scopes and the label of the old one, and is printed once. Both work\n"
		"until the grace is over. It lives as long as the first key was made for, however soon the\n"
		"old one ends.\n\n"
		"An Idempotency-Key belongs to the key that it was sent with. An order (POST /generate)\n"
		"that was sent with the old key and is repeated with the new one is a second order, and\n"
		"costs again. So the customer's program lets orders under way get their answer, or repeats\n"
		"them with the old key, before it takes the new one: that is what the grace is for." },
	{ .noun = "key",
	    .verb = "find",
	    .operands = "",
	    .flags = COMMAND_DB,
	    .run = find,
	    .summary = "whose a leaked key is: reads it from standard input",
	    .text =
		"Text around keys does no harm: the line of a log or a whole file may be given. The key is\n"
		"never printed, only its first 12 and last 4 characters, and it is never a word of the\n"
		"command, where others could see it. For a damaged key those that begin or end like it are\n"
		"shown.\n\n"
		"  galley key find < leaked.txt\n\n"
		"Exit 1 when none of them is a key of this instance." },
	{ .verb = NULL },
};
