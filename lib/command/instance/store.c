/* galley store copy */
#include <stddef.h>

#include "backup/store-copy.h"
#include "base/ctx.h"
#include "command/call.h"
#include "command/commands.h"
#include "system/instance.h"

static struct err *
back(struct ctx *c, struct call *call)
{
	struct store_opened opened;
	struct err *err = store_copy_back(c, &opened);

	if (err != NULL)
		return err;
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "opened", c->instance->home);
		jwrite_member_bool(&call->json, "synchronised_again", opened.drawn);
		jwrite_member_bool(&call->json, "other_closed", opened.other_closed);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%s is open again.", c->instance->home);
	if (opened.drawn)
		call_say(call,
		    "The other instance may have been in use: customers synchronise again, and what was written there since is not here.");
	if (opened.other_closed)
		call_say(call, "The other instance is closed: it answers 503.");
	else if (opened.drawn)
		call_say(call,
		    "The other instance cannot be asked: stop it, two that are open would order and mail twice.");
	return NULL;
}

static struct err *
copy(struct ctx *c, struct call *call)
{
	struct store_copied done;
	struct err *err;

	if (call_has(call, "back") != (call->operand_count == 0))
		return call_usage(
		    c, "galley store copy wants the folder of the other instance, or --back.");
	if (call_has(call, "back"))
		return back(c, call);
	err = store_copy_run(c, call_work(call), call->operands[0], &done);
	if (err != NULL)
		return err;
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "to", done.to);
		jwrite_member_text(&call->json, "store", done.to_lite ? "sqlite" : "postgresql");
		jwrite_member_bool(&call->json, "before", done.before);
		jwrite_object_end(&call->json);
	}
	call_say(call,
	    "%s has everything now, and %s is closed. Let the web server and cron run the other one.",
	    done.to, c->instance->home);
	call_say(call, "galley store copy --back opens this one again.");
	return NULL;
}

static const struct command_option options[] = {
	{ .name = "back", .help = "open this instance again, which was moved" },
	{ .name = NULL },
};

const struct command command_store[] = {
	{ .noun = "store",
	    .verb = "copy",
	    .operands = "[DIR]",
	    .operands_min = 0,
	    .operands_max = 1,
	    .options = options,
	    .flags = COMMAND_CHANGES,
	    .run = copy,
	    .summary = "move to PostgreSQL, or back to SQLite",
	    .text =
		"DIR is an instance with the other store, which holds nothing yet and has the same pepper: put\n"
		"a copy of db/pepper there before galley init makes it. The tool of the build for PostgreSQL does\n"
		"this in both directions. From its beginning on every program of this instance answers 503.\n"
		"Articles, orders, credits, people and counts are copied with their numbers and dates: no\n"
		"customer synchronises again, and no password changes. Sessions, open tasks, uploads and\n"
		"galley.conf are not copied. Each table and the revision of each article are compared before the\n"
		"other instance shows anything. If it ends before that, say it again, or say --back.\n\n"
		"  build/pg/bin/galley --instance /srv/galley store copy /srv/galley-pg" },
	{ .verb = NULL },
};
