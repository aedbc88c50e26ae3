/* galley help and galley --version. */
#include <stddef.h>

#include "base/ctx.h"
#include "command/call.h"
#include "command/command-list.h"
#include "command/help.h"
#include "export/export.h"
#include "schema_version.h"

static struct err *
help(struct ctx *c, struct call *call)
{
	const char *first = call->operand_count > 0 ? call->operands[0] : NULL;
	const char *second = call->operand_count > 1 ? call->operands[1] : NULL;
	const struct command *row;

	if (first == NULL) {
		help_all(c, &call->out);
		return NULL;
	}
	row = help_find(NULL, first);
	if (row == NULL && second == NULL) {
		if (help_of_noun(c, first, &call->out))
			return NULL;
		return help_unknown(c, first, "");
	}
	if (row == NULL)
		row = help_find(first, second);
	if (row == NULL)
		return help_unknown(c, first, second);
	help_of_command(c, row, &call->out);
	return NULL;
}

static struct err *
version(struct ctx *c, struct call *call)
{
	(void)c;
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_int(&call->json, "schema", SCHEMA_VERSION);
		jwrite_member_text(&call->json, "schema_version",
		    EXPORT_SCHEMA_VERSION);
		jwrite_object_end(&call->json);
	}
	call_say(call, "galley: schema %d, articles as of schema_version %s",
	    SCHEMA_VERSION, EXPORT_SCHEMA_VERSION);
	return NULL;
}

const struct command command_help[] = {
	{ .verb = "help", .operands = "[COMMAND]", .operands_max = 2,
	    .flags = COMMAND_ALONE, .run = help,
	    .summary = "what the commands are, or how one is used" },
	{ .verb = "--version", .operands = "", .flags = COMMAND_ALONE,
	    .run = version, .summary = "the release of this program" },
	{ .verb = NULL },
};
