/* galley help | completion | --version */
#include <stddef.h>
#include <string.h>

#include "base/ctx.h"
#include "command/call.h"
#include "command/command.h"
#include "command/help/help-text.h"
#include "command/help/manual-text.h"
#include "command/libraries.h"
#include "export/export.h"
#include "galley_version.h"
#include "schema_version.h"
#include "start/release.h"

static struct err *
help(struct ctx *c, struct call *call)
{
	const char *first = call->operand_count > 0 ? call->operands[0] : NULL;
	const char *second = call->operand_count > 1 ? call->operands[1] : NULL;
	const struct command *row;

	if (call_has(call, "man")) {
		manual_commands(c, &call->out);
		return NULL;
	}
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
completion(struct ctx *c, struct call *call)
{
	if (strcmp(call->operands[0], "bash") != 0)
		return call_usage(c,
		    "There is no completion for %s: bash has one (zsh takes it after bashcompinit).",
		    call->operands[0]);
	manual_bash(c, &call->out);
	return NULL;
}

static void
libraries_to_json(struct jwrite *j, const struct library *libraries)
{
	jwrite_member_object(j, "libraries");
	for (size_t i = 0; i < LIBRARIES; i++)
		jwrite_member_text(j, libraries[i].name, libraries[i].version);
	jwrite_object_end(j);
}

static struct err *
version(struct ctx *c, struct call *call)
{
	struct library libraries[LIBRARIES];
	char build[RELEASE_ID];

	(void)c;
	release_own(build);
	libraries_list(libraries);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_int(&call->json, "schema", SCHEMA_VERSION);
		jwrite_member_text(&call->json, "schema_version", EXPORT_SCHEMA_VERSION);
		libraries_to_json(&call->json, libraries);
		jwrite_member_text(&call->json, "version", GALLEY_VERSION);
		jwrite_member_int(&call->json, "people_schema", CONSOLE_VERSION);
		jwrite_member_text(&call->json, "build", build);
		jwrite_object_end(&call->json);
	}
	call_say(call, "galley %s: schema %d, people of schema %d, articles of schema_version %s",
	    GALLEY_VERSION, SCHEMA_VERSION, CONSOLE_VERSION, EXPORT_SCHEMA_VERSION);
	call_say(call, "build     %s", build);
	for (size_t i = 0; i < LIBRARIES; i++)
		call_say(call, "%-9s %s", libraries[i].name, libraries[i].version);
	call_say(call, "Report a security hole in private to %s.", GALLEY_CONTACT);
	return NULL;
}

static const struct command_option help_options[] = {
	{ .name = "man", .help = "the commands as a part of galley(1), in mdoc" },
	{ .name = NULL },
};

const struct command command_help[] = {
	{ .verb = "help",
	    .operands = "[COMMAND]",
	    .operands_max = 2,
	    .options = help_options,
	    .flags = COMMAND_ALONE,
	    .run = help,
	    .summary = "what the commands are, or how one is used" },
	{ .verb = "completion",
	    .operands = "SHELL",
	    .operands_min = 1,
	    .operands_max = 1,
	    .flags = COMMAND_ALONE,
	    .run = completion,
	    .summary = "a script that completes words after galley in bash",
	    .text = "make install puts it below share/bash-completion. Elsewhere, in ~/.bashrc:\n\n"
		    "  source <(galley completion bash)" },
	{ .verb = "--version",
	    .operands = "",
	    .flags = COMMAND_ALONE,
	    .run = version,
	    .summary = "the release of this program, and its libraries" },
	{ .verb = NULL },
};
