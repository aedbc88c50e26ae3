/* galley workspace use */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "action/action.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/command.h"
#include "terminal/terminal.h"

/* Tells which workspace commands use from now on, and who chose it; NULL is none. */
static void
tell(struct call *call, const struct workspace *w, const char *by)
{
	struct jwrite *j = &call->json;

	if (call->as_json && w == NULL) {
		jwrite_null(j);
	} else if (call->as_json) {
		jwrite_object(j);
		jwrite_member_text(j, "id", w->uuid);
		jwrite_member_text(j, "name", w->settings.name);
		jwrite_member_text(j, "by", by);
		jwrite_object_end(j);
	}
	if (w == NULL)
		call_say(call,
		    "No workspace is chosen: commands ask for --workspace where there are several.");
	else
		call_say(call, "Commands without --workspace take %s (%s): chosen by %s.",
		    w->settings.name, w->uuid, by);
}

static struct err *
show(struct ctx *c, struct call *call)
{
	struct workspace *w = NULL;
	struct err *err = NULL;
	const char *by;

	if (chosen_workspace(c, call, &by) != NULL) {
		struct find_place place = pick_place(c, call, NULL);
		err = read_workspace(c, &place, &w);
	}
	if (err == NULL)
		tell(call, w, by);
	return err;
}

static struct err *
keep(struct ctx *c, struct call *call, const struct workspace *w)
{
	const char *name = getenv("GALLEY_WORKSPACE");

	if (!chosen_set(c, call, w != NULL ? w->uuid : NULL))
		return refuse(
		    c, ERR_INTERNAL, "The choice cannot be kept in run/: %s.", strerror(errno));
	if (name != NULL)
		note_say("GALLEY_WORKSPACE is set to %s, and comes first.",
		    name[0] != '\0' ? name : "nothing");
	tell(call, w, "galley workspace use");
	return NULL;
}

static struct err *
use(struct ctx *c, struct call *call)
{
	struct workspace *w = NULL;
	struct err *err = NULL;
	bool none = call_has(call, "none");

	if (none && call->operand_count > 0)
		return call_usage(c, "Name a workspace, or say --none; not both.");
	if (call->operand_count > 0) {
		struct find_place place = { .name = call->operands[0] };
		err = read_workspace(c, &place, &w);
	}
	if (err != NULL)
		return err;
	return none || w != NULL ? keep(c, call, w) : show(c, call);
}

static const struct command_option use_options[] = {
	{ .name = "none", .help = "forget the choice" },
	{ .name = NULL },
};

const struct command command_workspace_use[] = {
	{ .noun = "workspace",
	    .verb = "use",
	    .operands = "[ID]",
	    .operands_max = 1,
	    .options = use_options,
	    .flags = COMMAND_DB | COMMAND_ID,
	    .run = use,
	    .summary = "choose the workspace of commands without --workspace",
	    .text =
		"Without ID it tells which is chosen. The choice is that of the user who calls, by sudo too,\n"
		"and lasts until another. The environment variable GALLEY_WORKSPACE (an id or a name) comes\n"
		"first; set to nothing, there is none. A chosen workspace that is gone is told, and no other\n"
		"taken in its place. Slugs and titles name articles of the chosen workspace alone. galley\n"
		"export refresh takes all workspaces as before.\n\n"
		"--json: {id, name, by}, or null." },
	{ .verb = NULL },
};
