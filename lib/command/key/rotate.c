/* galley key rotate: replaces a key by a new one. */
#include <stddef.h>
#include <string.h>

#include "access/scope.h"
#include "action/key-actions.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/command.h"
#include "command/key/key-print.h"
#include "terminal/terminal.h"

#define USUAL_GRACE "24h"

static struct err *
grace_of(struct ctx *c, const struct call *call, int64_t *grace)
{
	const char *word = call_option(call, "grace");

	if (when_span(word != NULL ? word : USUAL_GRACE, grace))
		return NULL;
	return err_param(c, "grace",
	    "%s is no time: write a number of hours or days such as 24h or 7d, or 0 for none.",
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
	key_print_json(c, j, r->old);
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
	struct err *err;

	err = grace_of(c, call, &order.grace);
	if (err == NULL)
		err = when_given(c, "expires", call_option(call, "expires"), &order.expires_at);
	if (err == NULL)
		err = key_replace(c, &order, &r);
	if (err != NULL)
		return err;
	key_print_warn(r.made->scopes);
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

static const struct command_option rotate_options[] = {
	{ .name = "grace",
	    .value = USUAL_GRACE,
	    .help = "how long the old key still works; 0: not at all" },
	{ .name = "expires",
	    .value = "90d",
	    .help = "of the new key; else as long as the old one was made for" },
	{ .name = NULL },
};

const struct command command_key_rotate[] = {
	{ .noun = "key",
	    .verb = "rotate",
	    .operands = "ID",
	    .operands_min = 1,
	    .operands_max = 1,
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
	{ .verb = NULL },
};
