/* galley verify | doctor */
#include <stddef.h>

#include "base/ctx.h"
#include "command/call.h"
#include "command/command-list.h"
#include "command/doctor.h"
#include "command/verify.h"

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
	call_say(call, "%-6s %s", check->count == 0 ? "ok" : "BROKEN",
	    check->name);
	for (size_t i = 0; i < told; i++)
		call_say(call, "       - %s", check->problems[i]);
	if (check->count > told)
		call_say(call, "       - and %zu more", check->count - told);
}

static struct err *
verify(struct ctx *c, struct call *call)
{
	size_t broken;

	if (call->as_json)
		jwrite_array(&call->json);
	broken = verify_run(c, call_has(call, "quick"), verified, call);
	if (call->as_json)
		jwrite_array_end(&call->json);
	call->status = broken > 0;
	return NULL;
}

static const struct {
	const char *name;
	struct doctor_finding (*run)(struct ctx *c);
} checks[] = {
	{ "folders", doctor_folders },
	{ "galley.conf", doctor_conf },
	{ "secrets", doctor_secrets },
	{ "programs", doctor_programs },
	{ "space", doctor_space },
	{ "database", doctor_database },
	{ "log", doctor_log },
	{ "api", doctor_api },
	{ "authorization", doctor_headers },
	{ "private", doctor_private },
	{ "media", doctor_media },
	{ "runner", doctor_runner },
};

static const char *const levels[] = { "ok", "note", "BAD" };

static void
found(struct call *call, const char *name, const struct doctor_finding *f)
{
	struct jwrite *j = &call->json;

	if (call->as_json) {
		jwrite_object(j);
		jwrite_member_text(j, "check", name);
		jwrite_member_bool(j, "ok", f->level != DOCTOR_BAD);
		jwrite_member_text(j, "message", f->message);
		jwrite_member_text(j, "mend", f->mend);
		jwrite_object_end(j);
		return;
	}
	if (f->mend == NULL)
		call_say(call, "%-5s %-14s %s", levels[f->level], name,
		    f->message);
	else
		call_say(call, "%-5s %-14s %s; mend: %s", levels[f->level],
		    name, f->message, f->mend);
}

static struct err *
doctor(struct ctx *c, struct call *call)
{
	if (call->as_json)
		jwrite_array(&call->json);
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		struct doctor_finding f = checks[i].run(c);
		found(call, checks[i].name, &f);
		if (f.level == DOCTOR_BAD)
			call->status = 1;
	}
	if (call->as_json)
		jwrite_array_end(&call->json);
	return NULL;
}

static const struct command_option verify_options[] = {
	{ .name = "quick",
	    .help = "without rendering every article and reading every image" },
	{ .name = NULL },
};

const struct command command_check[] = {
	{ .verb = "verify", .operands = "", .options = verify_options,
	    .flags = COMMAND_DB, .run = verify,
	    .summary = "check what must hold in the store; exit 1 if something"
		       " is broken" },
	{ .verb = "doctor", .operands = "", .run = doctor,
	    .summary = "check the installation from the outside, and say what"
		       " to mend",
	    .text = "Calls the instance's own public_url as a stranger would."
		    " One line for each check;\nexit 1 if one is bad. Changes"
		    " nothing." },
	{ .verb = NULL },
};
