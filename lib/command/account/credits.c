/* galley credits grant | revoke | show | ledger */
#include <inttypes.h>
#include <stddef.h>

#include "action/account-actions.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "command/account/credits-print.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/command.h"
#include "terminal/csv.h"

static void
say_balance(struct ctx *c, struct call *call, const struct account *a)
{
	call_say(call, "The credits of %s: %s.", a->name, credits_print_text(c, a));
}

/* Moves credits of the account that the first operand names. `done_word` begins
 * the sentence "… 50 credits". */
static struct err *
move(struct ctx *c, struct call *call, enum credits_kind kind, const char *done_word)
{
	struct credits_order order = {
		.kind = kind, .account = call->operands[0], .ref = call_option(call, "ref")
	};
	struct account *a;
	struct err *err;
	bool done;

	err = number_read(c, call->operands[1], "number of credits", &order.credits);
	if (err == NULL)
		err = credits_move(c, &order, &a, &done);
	if (err != NULL)
		return err;
	call_changed(call, a->uuid);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "id", a->uuid);
		jwrite_member_bool(&call->json, "done", done);
		credits_print_json(&call->json, a);
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
	return move(c, call, CREDITS_GRANT, "Granted");
}

static struct err *
revoke(struct ctx *c, struct call *call)
{
	return move(c, call, CREDITS_REVOKE, "Revoked");
}

static struct err *
show(struct ctx *c, struct call *call)
{
	struct account *a;
	struct err *err = account_show(c, call->operands[0], &a);

	if (err != NULL)
		return err;
	if (call->as_json) {
		jwrite_object(&call->json);
		credits_print_json(&call->json, a);
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
number(struct call_list *l, int64_t value)
{
	return arena_printf(l->c->arena, "%" PRId64, value);
}

static void
row_to_csv(void *arg, const struct ledger_row *row)
{
	struct call_list *l = arg;
	const char *const cells[] = { number(l, row->number), when_text(l->c->arena, row->at),
		row->kind, number(l, row->available), number(l, row->reserved),
		number(l, row->spent), number(l, row->available_after),
		number(l, row->reserved_after), number(l, row->spent_after), row->job_uuid,
		row->ref };

	csv_row(&l->call->out, cells, sizeof(cells) / sizeof(cells[0]));
}

static const char *
change(struct arena *a, int64_t credits)
{
	return credits == 0 ? "0" : arena_printf(a, "%+" PRId64, credits);
}

static void
row_to_grid(void *arg, const struct ledger_row *row)
{
	struct call_list *l = arg;
	struct arena *a = l->c->arena;

	grid_row(&l->grid,
	    (const char *[]) { when_text(a, row->at), row->kind, change(a, row->available),
		change(a, row->reserved), change(a, row->spent), number(l, row->available_after),
		row->job_uuid != NULL ? row->job_uuid : row->ref });
}

/* Reads the period from the options; without them it is all time. */
static struct err *
period_of(struct ctx *c, const struct call *call, int64_t *from, int64_t *to)
{
	const char *first = call_option(call, "from");
	const char *last = call_option(call, "to");
	struct err *err = NULL;

	*from = 0;
	*to = INT64_MAX;
	if (first != NULL)
		err = when_border(c, "from", first, false, from);
	if (err == NULL && last != NULL)
		err = when_border(c, "to", last, true, to);
	if (err == NULL && *from >= *to)
		return err_param(c, "to", "--to is before --from.");
	return err;
}

static struct err *
ledger(struct ctx *c, struct call *call)
{
	bool csv = call_has(call, "csv");
	struct call_list l;
	struct err *err;
	int64_t from, to;

	if (csv && call->as_json)
		return call_usage(c, "It is --csv or --json, not both.");
	err = period_of(c, call, &from, &to);
	if (err != NULL)
		return err;
	call_list_begin(&l, c, call,
	    (const char *[]) {
		"AT", "KIND", "AVAILABLE", "RESERVED", "SPENT", "LEFT", "JOB OR REFERENCE", NULL });
	if (csv)
		buf_lit(&call->out,
		    "number,at,kind,available,reserved,spent,available_after,reserved_after,spent_after,job_id,ref\r\n");
	err = credits_list(c, call->operands[0], from, to,
	    csv		    ? row_to_csv
	    : call->as_json ? row_to_json
			    : row_to_grid,
	    &l);
	if (err != NULL)
		return err;
	if (!csv)
		call_list_end(&l, from > 0 || to < INT64_MAX ? "No credits were moved in this time."
							   : "No credits were moved yet.");
	return NULL;
}

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
	.noun = "credits", .operands = "ACCOUNT N", .operands_min = 2, .operands_max = 2,          \
	.options = ref_option, .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID
#define SHOWS                                                                                      \
	.noun = "credits", .operands = "ACCOUNT", .operands_min = 1, .operands_max = 1,            \
	.flags = COMMAND_DB | COMMAND_ID

const struct command command_credits[] = {
	{ MOVES, .verb = "grant", .run = grant,
	    .summary = "give an account credits, once for each reference" },
	{ MOVES, .verb = "revoke", .run = revoke, .summary = "take back what is available" },
	{ SHOWS, .verb = "show", .run = show, .summary = "what is available, reserved and spent" },
	{ SHOWS, .verb = "ledger", .options = ledger_options, .run = ledger,
	    .summary = "every movement of an account's credits",
	    .text =
		"Days are UTC. The first row of a period continues from the last one before it: LEFT is what\n"
		"was available after the row." },
	{ .verb = NULL },
};
