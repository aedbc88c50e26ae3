/* galley account and galley credits. */
#include <inttypes.h>
#include <stddef.h>

#include "access/account.h"
#include "action/account-actions.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "terminal/csv.h"

/* Four members of the present object: granted, available, reserved, spent. */
static void
credits_to_json(struct jwrite *w, const struct account *a)
{
	jwrite_member_int(w, "granted", a->granted);
	jwrite_member_int(w, "available", a->available);
	jwrite_member_int(w, "reserved", a->reserved);
	jwrite_member_int(w, "spent", a->spent);
}

/* "20 available, 0 reserved and 5 spent, of 25 granted". In the arena. */
static const char *
credits_text(struct ctx *c, const struct account *a)
{
	return arena_printf(c->arena,
	    "%" PRId64 " available, %" PRId64 " reserved and %" PRId64 " spent, of %" PRId64
	    " granted",
	    a->available, a->reserved, a->spent, a->granted);
}

/* ---- galley account create | show | list | verify | decline | suspend | resume */

static void
to_json(struct jwrite *w, const struct account *a)
{
	jwrite_object(w);
	jwrite_member_text(w, "id", a->uuid);
	jwrite_member_text(w, "name", a->name);
	jwrite_member_bool(w, "verified", a->verified);
	jwrite_member_bool(w, "suspended", a->suspended);
	credits_to_json(w, a);
	jwrite_member_time(w, "created_at", a->created_at);
	call_member_time(w, "asked_at", a->asked_at);
	call_member_time(w, "declined_at", a->declined_at);
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

	if (word != NULL)
		TRY(number_read(c, word, "number of credits", &order.credits));
	TRY(account_create(c, &order, &a));
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

	TRY(account_show(c, call->operands[0], &a));
	if (call->as_json)
		to_json(&call->json, a);
	call_say(call, "id         %s", a->uuid);
	call_say(call, "name       %s", a->name);
	call_say(call, "state      %s", state_of(a));
	call_say(call, "credits    %s", credits_text(c, a));
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

	TRY(account_change(c, call->operands[0], change, &a, &open));
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

/* ---- galley credits grant | revoke | show | ledger */

static void
say_balance(struct ctx *c, struct call *call, const struct account *a)
{
	call_say(call, "The credits of %s: %s.", a->name, credits_text(c, a));
}

/* Moves credits of the account that the first operand names. `done_word` begins
 * the sentence "… 50 credits". */
static struct err *
move_credits(struct ctx *c, struct call *call, enum credits_kind kind, const char *done_word)
{
	struct credits_order order = {
		.kind = kind, .account = call->operands[0], .ref = call_option(call, "ref")
	};
	struct account *a;
	bool done;

	TRY(number_read(c, call->operands[1], "number of credits", &order.credits));
	TRY(credits_move(c, &order, &a, &done));
	call_changed(call, a->uuid);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "id", a->uuid);
		jwrite_member_bool(&call->json, "done", done);
		credits_to_json(&call->json, a);
		jwrite_object_end(&call->json);
	}
	if (done)
		call_say(call, "%s %" PRId64 " credits (%s).", done_word, order.credits, order.ref);
	else
		call_say(call, "Nothing was done: %s has %s already.", a->name, order.ref);
	say_balance(c, call, a);
	return NULL;
}

static struct err *
grant(struct ctx *c, struct call *call)
{
	return move_credits(c, call, CREDITS_GRANT, "Granted");
}

static struct err *
revoke(struct ctx *c, struct call *call)
{
	return move_credits(c, call, CREDITS_REVOKE, "Revoked");
}

static struct err *
show_credits(struct ctx *c, struct call *call)
{
	struct account *a;

	TRY(account_show(c, call->operands[0], &a));
	if (call->as_json) {
		jwrite_object(&call->json);
		credits_to_json(&call->json, a);
		jwrite_object_end(&call->json);
	}
	say_balance(c, call, a);
	return NULL;
}

static void
row_to_json(void *arg, const struct ledger_row *row)
{
	struct call_list *l = arg;
	struct jwrite *w = &l->call->json;

	jwrite_object(w);
	jwrite_member_int(w, "number", row->number);
	jwrite_member_text(w, "kind", row->kind);
	jwrite_member_text(w, "job_id", row->job_uuid);
	jwrite_member_text(w, "ref", row->ref);
	jwrite_member_int(w, "available", row->available);
	jwrite_member_int(w, "reserved", row->reserved);
	jwrite_member_int(w, "spent", row->spent);
	jwrite_member_int(w, "available_after", row->available_after);
	jwrite_member_int(w, "reserved_after", row->reserved_after);
	jwrite_member_int(w, "spent_after", row->spent_after);
	jwrite_member_time(w, "at", row->at);
	jwrite_object_end(w);
}

static const char *
number_text(struct call_list *l, int64_t value)
{
	return arena_printf(l->c->arena, "%" PRId64, value);
}

static void
row_to_csv(void *arg, const struct ledger_row *row)
{
	struct call_list *l = arg;
	const char *const cells[] = { number_text(l, row->number), when_text(l->c->arena, row->at),
		row->kind, number_text(l, row->available), number_text(l, row->reserved),
		number_text(l, row->spent), number_text(l, row->available_after),
		number_text(l, row->reserved_after), number_text(l, row->spent_after),
		row->job_uuid, row->ref };

	csv_row(&l->call->out, cells, sizeof(cells) / sizeof(cells[0]));
}

static const char *
signed_number(struct arena *a, int64_t credits)
{
	return credits == 0 ? "0" : arena_printf(a, "%+" PRId64, credits);
}

static void
row_to_grid(void *arg, const struct ledger_row *row)
{
	struct call_list *l = arg;
	struct arena *a = l->c->arena;

	grid_row(&l->grid, (const char *[]) { when_text(a, row->at), row->kind,
			       signed_number(a, row->available), signed_number(a, row->reserved),
			       signed_number(a, row->spent), number_text(l, row->available_after),
			       row->job_uuid != NULL ? row->job_uuid : row->ref });
}

/* Reads the period from the options; without them it is all time. */
static struct err *
period_of(struct ctx *c, const struct call *call, int64_t *from, int64_t *to)
{
	const char *first = call_option(call, "from");
	const char *last = call_option(call, "to");

	*from = 0;
	*to = INT64_MAX;
	if (first != NULL)
		TRY(when_border(c, "from", first, false, from));
	if (last != NULL)
		TRY(when_border(c, "to", last, true, to));
	if (*from >= *to)
		return err_param(c, "to", "--to is before --from.");
	return NULL;
}

static struct err *
ledger(struct ctx *c, struct call *call)
{
	bool csv = call_has(call, "csv");
	struct call_list l;
	int64_t from, to;

	if (csv && call->as_json)
		return call_usage(c, "It is --csv or --json, not both.");
	TRY(period_of(c, call, &from, &to));
	call_list_begin(&l, c, call,
	    (const char *[]) {
		"AT", "KIND", "AVAILABLE", "RESERVED", "SPENT", "LEFT", "JOB OR REFERENCE", NULL });
	if (csv)
		buf_lit(&call->out,
		    "number,at,kind,available,reserved,spent,available_after,reserved_after,spent_after,job_id,ref\r\n");
	TRY(credits_list(c, call->operands[0], from, to,
	    csv		    ? row_to_csv
	    : call->as_json ? row_to_json
			    : row_to_grid,
	    &l));
	if (!csv)
		call_list_end(&l, from > 0 || to < INT64_MAX ? "No credits were moved in this time."
							     : "No credits were moved yet.");
	return NULL;
}

/* ---- the rows */

static const struct command_option create_options[] = {
	{ .name = "verified", .help = "the account may order generation jobs" },
	{ .name = "credits",
	    .value = "N",
	    .help = "grant it credits, under the reference account create" },
	{ .name = "another", .help = "although there is an account of this name" },
	{ .name = NULL },
};

#define ONE_ACCOUNT .noun = "account", .operands = "ID"

static const struct command_option ledger_options[] = {
	{ .name = "from",
	    .value = "DAY",
	    .help = "only from this day on (2026-09-01), or from a time" },
	{ .name = "to", .value = "DAY", .help = "only to the end of this day, or before a time" },
	{ .name = "csv", .help = "for a spreadsheet" },
	{ .name = NULL },
};

static const struct command_option ref_option[] = {
	{ .name = "ref",
	    .value = "R",
	    .needed = true,
	    .help = "what it is for, such as a receipt's number: done once" },
	{ .name = NULL },
};

#define MOVES                                                                                      \
	.noun = "credits", .operands = "ACCOUNT N", .options = ref_option,                         \
	.flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID
#define SHOWS .noun = "credits", .operands = "ACCOUNT", .flags = COMMAND_DB | COMMAND_ID

const struct command command_account[] = {
	{ .noun = "account",
	    .verb = "create",
	    .operands = "NAME",
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

const struct command command_credits[] = {
	{ MOVES, .verb = "grant", .run = grant,
	    .summary = "give an account credits, once for each reference" },
	{ MOVES, .verb = "revoke", .run = revoke, .summary = "take back what is available" },
	{ SHOWS, .verb = "show", .run = show_credits,
	    .summary = "what is available, reserved and spent" },
	{ SHOWS, .verb = "ledger", .options = ledger_options, .run = ledger,
	    .summary = "every movement of an account's credits",
	    .text =
		"Days are UTC. The first row of a period continues from the last one before it: LEFT is what\n"
		"was available after the row." },
	{ .verb = NULL },
};
