/* galley demo: two workspaces to look at, and an order in each. */
#include <stddef.h>
#include <string.h>

#include "action/demo-actions.h"
#include "base/ctx.h"
#include "command/call.h"
#include "command/commands.h"

static void
tell(struct call *call, const struct demo_made *m)
{
	const struct workspace *w = m->workspace;
	struct jwrite *j = &call->json;

	if (call->as_json) {
		jwrite_object(j);
		jwrite_member_text(j, "id", w->uuid);
		jwrite_member_text(j, "name", w->settings.name);
		jwrite_member_text(j, "language", w->settings.language);
		jwrite_member_text(j, "read_key", m->read_key);
		jwrite_member_text(j, "drafts_key", m->drafts_key);
		jwrite_member_text(j, "generate_key", m->generate_key);
		jwrite_member_text(j, "article_id", m->article_id);
		jwrite_member_int(j, "revoked", m->revoked);
		jwrite_object_end(j);
		return;
	}
	call_say(call, "%s  %s", w->settings.name, w->uuid);
	call_say(call, "  read key      %s", m->read_key);
	call_say(call, "  drafts key    %s", m->drafts_key);
	call_say(call, "  generate key  %s", m->generate_key);
	call_say(call, "  an article    %s", m->article_id != NULL ? m->article_id : "-");
	if (m->revoked > 0)
		call_say(call, "  The %d demo keys of the run before are revoked now.", m->revoked);
}

/* Tells how a person signs in to the demo's console: once. */
static void
tell_person(struct call *call, const char *password)
{
	if (call->as_json) {
		jwrite_member_object(&call->json, "console");
		jwrite_member_text(&call->json, "email", DEMO_PERSON_EMAIL);
		jwrite_member_text(&call->json, "password", password);
		jwrite_object_end(&call->json);
	}
	call_say(call, "Console: e-mail %s, password %s", DEMO_PERSON_EMAIL, password);
}

static struct err *
demo(struct ctx *c, struct call *call)
{
	struct demo_made made[DEMO_WORKSPACES] = { { .workspace = NULL } };
	char password[DEMO_PASSWORD];
	struct err *err = NULL;

	/* This comes first: keys that were made and are not printed are lost. */
	if (call_has(call, "console"))
		err = demo_person(c, password);
	if (err == NULL)
		err = demo_make(c, call_work(call), made);
	for (size_t i = 0; i < DEMO_WORKSPACES; i++) {
		if (made[i].workspace != NULL)
			call_changed(call, made[i].workspace->uuid);
	}
	if (err != NULL)
		return err;
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_array(&call->json, "workspaces");
	}
	for (size_t i = 0; i < DEMO_WORKSPACES; i++)
		tell(call, &made[i]);
	if (call->as_json)
		jwrite_array_end(&call->json);
	if (call_has(call, "console"))
		tell_person(call, password);
	if (call->as_json)
		jwrite_object_end(&call->json);
	explicit_bzero(password, sizeof(password));
	return NULL;
}

static const struct command_option demo_options[] = {
	{ .name = "console", .help = "also a person who signs in to the console of this machine" },
	{ .name = NULL },
};

const struct command command_demo[] = {
	{ .verb = "demo",
	    .operands = "",
	    .options = demo_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = demo,
	    .summary = "two workspaces with articles and keys to try",
	    .text =
		"A second run keeps workspaces and articles, revokes the demo keys of the run before and\n"
		"makes new ones.\n\n"
		"With --console it also makes an operator, demo@example.com, whose password is made by chance\n"
		"and printed once. A second run gives that person another password and ends the sessions.\n"
		"It is refused where other machines reach the console." },
	{ .verb = NULL },
};
