/* galley verify */
#include <stddef.h>

#include "base/ctx.h"
#include "command/call.h"
#include "command/commands.h"
#include "doctor/repair.h"
#include "doctor/verify.h"

static void
verified(void *arg, const struct verify *check)
{
	struct call *call = arg;
	size_t told = check->count < VERIFY_TOLD ? check->count : VERIFY_TOLD;
	struct jwrite *j = &call->json;

	if (call->as_json) {
		jwrite_object(j);
		jwrite_member_text(j, "check", check->name);
		jwrite_member_bool(j, "ok", check->count == 0);
		jwrite_member_array(j, "problems");
		for (size_t i = 0; i < told; i++)
			jwrite_text(j, check->problems[i]);
		jwrite_array_end(j);
		jwrite_object_end(j);
		return;
	}
	call_say(call, "%-6s %s", check->count == 0 ? "ok" : "BROKEN", check->name);
	for (size_t i = 0; i < told; i++)
		call_say(call, "       - %s", check->problems[i]);
	if (check->count > told)
		call_say(call, "       - and %zu more", check->count - told);
}

static void
repair(struct ctx *c, struct call *call)
{
	size_t count;

	journal_begin(c, call);
	count = repair_listed(c);
	call_say(call, "%zu article%s listed again.", count, count == 1 ? " was" : "s were");
}

static struct err *
verify(struct ctx *c, struct call *call)
{
	size_t broken;
	struct err *err;

	if (call_has(call, "repair"))
		repair(c, call);
	if (call->as_json)
		jwrite_array(&call->json);
	err = verify_run(c, call_work(call), call_has(call, "quick"), verified, call, &broken);
	if (call->as_json)
		jwrite_array_end(&call->json);
	if (err != NULL)
		return call_is_stopped(call, err) ? NULL : err;
	call->status = broken > 0;
	return NULL;
}

static const struct command_option verify_options[] = {
	{ .name = "quick", .help = "without rendering every article and reading every image" },
	{ .name = "repair",
	    .help = "first write again what Galley can make of other rows: what pages list" },
	{ .name = NULL },
};

const struct command command_verify[] = {
	{ .verb = "verify",
	    .operands = "",
	    .options = verify_options,
	    .flags = COMMAND_DB,
	    .run = verify,
	    .summary = "check what must hold in the store; exit 1 if something is broken" },
	{ .verb = NULL },
};
