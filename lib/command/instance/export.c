/* galley export refresh */
#include <inttypes.h>
#include <stddef.h>

#include "action/action.h"
#include "article/stored.h"
#include "base/ctx.h"
#include "command/call.h"
#include "command/commands.h"

static struct err *
refresh(struct ctx *c, struct call *call)
{
	struct find_place place = { .name = call_option(call, "workspace") };
	struct workspace *w = NULL;
	struct err *err = NULL;
	int64_t renewed;

	if (place.name != NULL)
		err = read_workspace(c, &place, &w);
	if (err == NULL)
		err = refresh_run(c, call_work(call), w == NULL ? 0 : w->id, &renewed);
	if (err != NULL)
		return err;
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_int(&call->json, "renewed", renewed);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%" PRId64 " stored export%s renewed.", renewed,
	    renewed == 1 ? " was" : "s were");
	return NULL;
}

static const struct command_option refresh_options[] = {
	{ .name = "workspace", .value = "ID", .help = "only this one; else all" },
	{ .name = NULL },
};

const struct command command_export[] = {
	{ .noun = "export",
	    .verb = "refresh",
	    .operands = "",
	    .options = refresh_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = refresh,
	    .summary = "store the finished bytes that a settings change made stale",
	    .text =
		"Answers are right without it; they cost more until the bytes are stored. The job runner\n"
		"does the same, in small pieces; this uses all processors at once. Stopped or killed, it goes on\n"
		"next time." },
	{ .verb = NULL },
};
