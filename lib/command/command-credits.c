/* galley credits grant | revoke | show | ledger */
#include <inttypes.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "command/call.h"
#include "command/command-list.h"
#include "command/grid.h"
#include "command/number.h"
#include "command/pick.h"
#include "job/ledger.h"
#include "store/db.h"

/* Writes the balance into the present object. */
static void
balance(struct jwrite *w, const struct account *a)
{
	jwrite_member_int(w, "granted", a->granted);
	jwrite_member_int(w, "available", a->available);
	jwrite_member_int(w, "reserved", a->reserved);
	jwrite_member_int(w, "spent", a->spent);
}

static void
say_balance(struct call *call, const struct account *a)
{
	call_say(call, "%s has %" PRId64 " credits available, %" PRId64
	    " reserved and %" PRId64 " spent, of %" PRId64 " granted.",
	    a->name, a->available, a->reserved, a->spent, a->granted);
}

typedef struct err *ledger_move(struct ctx *c, int64_t account_id,
    int64_t credits, const char *ref, bool *done);

/* Moves credits of the account named by the first operand, once for each
 * reference. `done_word` is for "… 50 credits". */
static struct err *
move(struct ctx *c, struct call *call, ledger_move *mover,
    const char *done_word)
{
	const char *ref = call_option(call, "ref");
	struct account *a;
	int64_t credits;
	struct err *err;
	bool done;

	err = number_read(c, call->operands[1], "number of credits", &credits);
	if (err != NULL)
		return err;
	db_begin_write(c, DB_CHANGES_NOTHING, 0);
	err = pick_account(c, call->operands[0], &a);
	if (err == NULL)
		err = mover(c, a->id, credits, ref, &done);
	if (err != NULL)
		return err;
	a = account_of(c, a->id);
	db_commit(c);
	call_changed(call, a->uuid);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "id", a->uuid);
		jwrite_member_bool(&call->json, "done", done);
		balance(&call->json, a);
		jwrite_object_end(&call->json);
	}
	if (done)
		call_say(call, "%s %" PRId64 " credits (%s).", done_word,
		    credits, ref);
	else
		call_say(call, "Nothing was done: %s has %s already.", a->name,
		    ref);
	say_balance(call, a);
	return NULL;
}

static struct err *
grant(struct ctx *c, struct call *call)
{
	return move(c, call, ledger_grant, "Granted");
}

static struct err *
revoke(struct ctx *c, struct call *call)
{
	return move(c, call, ledger_revoke, "Revoked");
}

static struct err *
show(struct ctx *c, struct call *call)
{
	struct account *a;
	struct err *err;

	db_begin_read(c);
	err = pick_account(c, call->operands[0], &a);
	if (err != NULL)
		return err;
	db_commit(c);
	if (call->as_json) {
		jwrite_object(&call->json);
		balance(&call->json, a);
		jwrite_object_end(&call->json);
	}
	say_balance(call, a);
	return NULL;
}

struct listing {
	struct ctx *c;
	struct call *call;
	struct grid grid;
};

static void
row_to_json(struct jwrite *w, const struct ledger_row *row)
{
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

static void
list_row(void *arg, const struct ledger_row *row)
{
	struct listing *l = arg;
	struct arena *a = l->c->arena;
	char *at;

	if (l->call->as_json) {
		row_to_json(&l->call->json, row);
		return;
	}
	at = arena_alloc(a, CLOCK_TEXT);
	clock_format_seconds(at, row->at);
	grid_row(&l->grid, (const char *[]){ at, row->kind,
	    arena_printf(a, "%+" PRId64, row->available),
	    arena_printf(a, "%+" PRId64, row->reserved),
	    arena_printf(a, "%+" PRId64, row->spent),
	    arena_printf(a, "%" PRId64, row->available_after),
	    row->job_uuid != NULL ? row->job_uuid : row->ref });
}

static struct err *
ledger(struct ctx *c, struct call *call)
{
	struct listing l = { .c = c, .call = call };
	struct account *a;
	struct err *err;

	grid_init(&l.grid, c->arena, (const char *[]){ "AT", "KIND",
	    "AVAILABLE", "RESERVED", "SPENT", "THEN", "JOB OR REFERENCE",
	    NULL });
	db_begin_read(c);
	err = pick_account(c, call->operands[0], &a);
	if (err != NULL)
		return err;
	if (call->as_json)
		jwrite_array(&call->json);
	ledger_list(c, a->id, list_row, &l);
	db_commit(c);
	if (call->as_json)
		jwrite_array_end(&call->json);
	else
		grid_print(&l.grid, "No credits were moved yet.", &call->out);
	return NULL;
}

static const struct command_option ref_option[] = {
	{ .name = "ref", .value = "R", .needed = true,
	    .help = "what it is for, such as a receipt's number: done once" },
	{ .name = NULL },
};

#define MOVES                                                                  \
	.noun = "credits", .operands = "ACCOUNT N", .operands_min = 2,         \
	.operands_max = 2, .options = ref_option,                              \
	.flags = COMMAND_DB | COMMAND_CHANGES
#define SHOWS                                                                  \
	.noun = "credits", .operands = "ACCOUNT", .operands_min = 1,           \
	.operands_max = 1, .flags = COMMAND_DB

const struct command command_credits[] = {
	{ MOVES, .verb = "grant", .run = grant,
	    .summary = "give an account credits, once for each reference" },
	{ MOVES, .verb = "revoke", .run = revoke,
	    .summary = "take back what is available" },
	{ SHOWS, .verb = "show", .run = show,
	    .summary = "what is available, reserved and spent" },
	{ SHOWS, .verb = "ledger", .run = ledger,
	    .summary = "every movement of an account's credits" },
	{ .verb = NULL },
};
