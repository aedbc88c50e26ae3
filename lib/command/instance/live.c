/* galley live */
#include <stddef.h>

#include "action/live-action.h"
#include "base/ctx.h"
#include "command/call.h"
#include "command/commands.h"

static struct err *
live(struct ctx *c, struct call *call)
{
	struct err *err = live_action(c);

	if (err != NULL)
		return err;
	call_changed(call, "this instance");
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_bool(&call->json, "live", true);
		jwrite_object_end(&call->json);
	}
	call_say(
	    call, "This instance is live: orders, dates of publishing, pings and mails go on.");
	return NULL;
}

const struct command command_live[] = {
	{ .verb = "live",
	    .operands = "",
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = live,
	    .summary = "say that a copied or restored instance is live",
	    .text =
		"A copy of an instance, or a backup that was restored, is quiet on another machine, or under\n"
		"another public_url in another folder: no order is begun, nothing is published at a date, no\n"
		"ping and no mail is sent, because the other instance may still do so. This ends it." },
	{ .verb = NULL },
};
