/* galley account create | show | list | verify | decline | suspend | resume */
#include <inttypes.h>
#include <stddef.h>

#include "action/account-actions.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "command/account/credits-print.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/command.h"

static void
write_time(struct jwrite *w, int64_t at)
{
	if (at != 0)
		jwrite_time(w, at);
	else
		jwrite_null(w);
}

static void
to_json(struct jwrite *w, const struct account *a)
{
	jwrite_object(w);
	jwrite_member_text(w, "id", a->uuid);
	jwrite_member_text(w, "name", a->name);
	jwrite_member_bool(w, "verified", a->verified);
	jwrite_member_bool(w, "suspended", a->suspended);
	credits_print_json(w, a);
	jwrite_member_time(w, "created_at", a->created_at);
	jwrite_name(w, "asked_at");
	write_time(w, a->asked_at);
	jwrite_name(w, "declined_at");
	write_time(w, a->declined_at);
	jwrite_object_end(w);
}

static const char *
state_of(const struct account *a)
{
	if (a->suspended)
		return "suspended";
	if (a->asked_at != 0)
		return "asks to be verified";
	return a->verified ? "verified" : "not verified";
}

static struct err *
create(struct ctx *c, struct call *call)
{
	const char *word = call_option(call, "credits");
	struct account_order order = { .name = call->operands[0],
		.verified = call_has(call, "verified"),
		.another = call_has(call, "another") };
	struct account *a;
	struct err *err = NULL;

	if (word != NULL)
		err = number_read(c, word, "number of credits", &order.credits);
	if (err == NULL)
		err = account_create(c, &order, &a);
	if (err != NULL)
		return err;
	call_changed(call, a->uuid);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "id", a->uuid);
		jwrite_object_end(&call->json);
	}
	call_say(call, "Account %s (%s) was created: %s.", a->name, state_of(a), a->uuid);
	return NULL;
}

static const char *
time_text(struct ctx *c, int64_t at)
{
	char *text = arena_alloc(c->arena, CLOCK_TEXT);

	clock_format(text, at);
	return text;
}

static struct err *
show(struct ctx *c, struct call *call)
{
	struct account *a;
	struct err *err = account_show(c, call->operands[0], &a);

	if (err != NULL)
		return err;
	if (call->as_json)
		to_json(&call->json, a);
	call_say(call, "id         %s", a->uuid);
	call_say(call, "name       %s", a->name);
	call_say(call, "state      %s", state_of(a));
	call_say(call, "credits    %s", credits_print_text(c, a));
	call_say(call, "created    %s", time_text(c, a->created_at));
	if (a->asked_at != 0)
		call_say(call, "asked      %s", time_text(c, a->asked_at));
	if (a->declined_at != 0)
		call_say(call, "declined   %s", time_text(c, a->declined_at));
	return NULL;
}

static void
list_one(void *arg, const struct account *a)
{
	struct call_list *l = arg;

	if (l->call->as_json) {
		to_json(&l->call->json, a);
		return;
	}
	grid_row(&l->grid, (const char *[]) { a->uuid, a->name, state_of(a),
			       arena_printf(l->c->arena, "%" PRId64, a->available) });
}

static struct err *
list(struct ctx *c, struct call *call)
{
	struct call_list l;

	call_list_begin(&l, c, call, (const char *[]) { "ID", "NAME", "STATE", "CREDITS", NULL });
	account_show_all(c, list_one, &l);
	call_list_end(&l, "There is no account yet.");
	return NULL;
}

/* Prints what a suspension does and what it does not do. */
static void
say_suspended(struct call *call, int open)
{
	call_say(call, "Its orders are refused from now on; reading goes on.");
	if (open > 0)
		call_say(call,
		    "%d job%s under way and will be finished: galley job cancel ends one.", open,
		    open == 1 ? " is" : "s are");
}

static struct err *
change(struct ctx *c, struct call *call, enum account_change change)
{
	struct account *a;
	int open;
	struct err *err = account_change(c, call->operands[0], change, &a, &open);

	if (err != NULL)
		return err;
	call_changed(call, a->uuid);
	if (call->as_json)
		to_json(&call->json, a);
	call_say(call, "Account %s is now %s.", a->name, state_of(a));
	if (change == ACCOUNT_SUSPEND)
		say_suspended(call, open);
	if (change == ACCOUNT_RESUME && !a->verified)
		call_say(call, "It may order when it is verified: galley account verify.");
	return NULL;
}

static struct err *
verify(struct ctx *c, struct call *call)
{
	return change(c, call, ACCOUNT_VERIFY);
}

static struct err *
decline(struct ctx *c, struct call *call)
{
	return change(c, call, ACCOUNT_DECLINE);
}

static struct err *
suspend(struct ctx *c, struct call *call)
{
	return change(c, call, ACCOUNT_SUSPEND);
}

static struct err *
resume(struct ctx *c, struct call *call)
{
	return change(c, call, ACCOUNT_RESUME);
}

static const struct command_option create_options[] = {
	{ .name = "verified", .help = "the account may order generation jobs" },
	{ .name = "credits",
	    .value = "N",
	    .help = "grant it credits, under the reference account create" },
	{ .name = "another", .help = "although there is an account of this name" },
	{ .name = NULL },
};

#define ONE_ACCOUNT .noun = "account", .operands = "ID", .operands_min = 1, .operands_max = 1

const struct command command_account[] = {
	{ .noun = "account",
	    .verb = "create",
	    .operands = "NAME",
	    .operands_min = 1,
	    .operands_max = 1,
	    .options = create_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = create,
	    .summary = "make an account, the owner of workspaces" },
	{ ONE_ACCOUNT, .verb = "show", .flags = COMMAND_DB | COMMAND_ID, .run = show,
	    .summary = "an account and its credits" },
	{ .noun = "account",
	    .verb = "list",
	    .operands = "",
	    .flags = COMMAND_DB,
	    .run = list,
	    .summary = "all accounts" },
	{ ONE_ACCOUNT, .verb = "verify", .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID,
	    .run = verify, .summary = "let it order generation jobs" },
	{ ONE_ACCOUNT, .verb = "decline", .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID,
	    .run = decline, .summary = "do not verify it, although its owner asks",
	    .text =
		"An owner asks in the console, and account list shows it. The owner sees that it was declined, and may ask again after seven days." },
	{ ONE_ACCOUNT, .verb = "suspend", .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID,
	    .run = suspend, .summary = "refuse its new jobs; reading goes on, queued jobs run",
	    .text =
		"POST /generate is answered with 403 from the next request on. Articles and the feed of changes are read as before, and jobs that are queued or under way run to their end: galley job cancel ends one. Who is to read nothing either loses the keys: galley key revoke." },
	{ ONE_ACCOUNT, .verb = "resume", .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID,
	    .run = resume, .summary = "end a suspension: it may order again" },
	{ .verb = NULL },
};
