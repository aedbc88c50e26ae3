/* galley doctor */
#include <stddef.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "command/call.h"
#include "command/commands.h"
#include "doctor/doctor.h"
#include "system/conf.h"

static const char *const levels[] = { "ok", "note", "warn", "BAD" };

static void
tell(struct call *call, const struct doctor_result *result)
{
	const struct doctor_finding *f = &result->finding;
	const char *name = result->check;
	struct jwrite *j = &call->json;

	if (call->as_json) {
		jwrite_object(j);
		jwrite_member_text(j, "check", name);
		jwrite_member_bool(j, "ok", f->level != DOCTOR_BAD);
		jwrite_member_text(j, "level", levels[f->level]);
		jwrite_member_text(j, "message", f->message);
		jwrite_member_text(j, "mend", f->fix);
		jwrite_object_end(j);
		return;
	}
	if (f->fix == NULL)
		call_say(call, "%-5s %-14s %s", levels[f->level], name, f->message);
	else
		call_say(
		    call, "%-5s %-14s %s; fix: %s", levels[f->level], name, f->message, f->fix);
}

/* Returns the exit status that monitors expect: 0 is well, 1 a warning, 2
 * critical. */
static int
status_of(enum doctor_level worst)
{
	return worst == DOCTOR_BAD ? 2 : worst == DOCTOR_WARN ? 1 : 0;
}

/* Prints "GALLEY CRITICAL: space: …; fix: … | runner: …", the worst first. */
static void
say_brief(struct ctx *c, struct call *call, const struct doctor_results *found, int status)
{
	static const char *const words[] = { "OK", "WARNING", "CRITICAL" };
	const char *line = arena_printf(c->arena, "GALLEY %s", words[status]);
	const char *between = ": ";

	for (int level = DOCTOR_BAD; level >= DOCTOR_WARN; level--) {
		for (size_t i = 0; i < found->count; i++) {
			const struct doctor_result *r = &found->list[i];
			if ((int)r->finding.level != level)
				continue;
			line = arena_printf(c->arena, "%s%s%s: %s; fix: %s", line, between,
			    r->check, r->finding.message, r->finding.fix);
			between = " / ";
		}
	}
	if (status == 0)
		line = arena_printf(c->arena, "%s: %zu checks", line, found->count);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_int(&call->json, "status", status);
		jwrite_member_text(&call->json, "message", line);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%s", line);
}

/* galley doctor --mail ADDRESS */
static struct err *
send_test(struct ctx *c, struct call *call, const char *address)
{
	const char *said;
	struct conf conf;
	struct err *err = conf_take(c, &conf);

	if (err == NULL)
		err = doctor_send_test(c, address, &said);
	if (err != NULL)
		return err;
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "message", said);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%s", said);
	return NULL;
}

static struct err *
doctor(struct ctx *c, struct call *call)
{
	struct doctor_results found;
	struct err *err;

	if (call_option(call, "mail") != NULL)
		return send_test(c, call, call_option(call, "mail"));
	err = doctor_run(c, call_work(call), &found);
	if (call_has(call, "brief")) {
		if (err != NULL)
			return err;
		call->status = status_of(found.worst);
		say_brief(c, call, &found, call->status);
		return NULL;
	}
	if (call->as_json)
		jwrite_array(&call->json);
	for (size_t i = 0; i < found.count; i++)
		tell(call, &found.list[i]);
	if (call->as_json)
		jwrite_array_end(&call->json);
	if (err != NULL)
		return call_is_stopped(call, err) ? NULL : err;
	call->status = found.worst == DOCTOR_BAD;
	return NULL;
}

static const struct command_option doctor_options[] = {
	{ .name = "brief", .help = "one line for monitors; exit 0 well, 1 warning, 2 critical" },
	{ .name = "mail", .value = "ADDRESS", .help = "only send a test there, by mail_command" },
	{ .name = NULL },
};

const struct command command_doctor[] = {
	{ .verb = "doctor",
	    .operands = "",
	    .options = doctor_options,
	    .run = doctor,
	    .summary = "check the installation from the outside, and say what to fix",
	    .text =
		"Calls the instance's own public_url as a stranger would. One line for each check;\n"
		"exit 1 if one is bad. Changes nothing.\n\n"
		"With --brief one line, as Nagios and its kin read it: GALLEY OK, WARNING or CRITICAL with what\n"
		"must be fixed, the worst first; exit 0, 1, 2. A warning becomes a fault if nobody acts." },
	{ .verb = NULL },
};
