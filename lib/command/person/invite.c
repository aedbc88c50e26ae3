/* galley person invite | reset | disable | enable | sessions | sign-out */
#include <stddef.h>

#include "action/person/change.h"
#include "action/person/create.h"
#include "action/person/look.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/command.h"
#include "command/person/person-print.h"

static const struct person_by by_tool = { .tool = true };

static struct err *
invite(struct ctx *c, struct call *call)
{
	const char *account = call_option(call, "account");
	const char *workspace = call_option(call, "workspace");
	const struct where where = account != NULL
				       ? (struct where) { MEMBERSHIP_ACCOUNT, account }
				       : (struct where) { MEMBERSHIP_WORKSPACE, workspace };
	bool named = account != NULL || workspace != NULL;
	struct person_link made;
	struct err *err;

	if (account != NULL && workspace != NULL)
		return call_usage(c, "It is --account or --workspace, not both.");
	err = person_print_needs_address(c);
	if (err == NULL)
		err = person_invite(c, &by_tool, call->operands[0], named ? &where : NULL, &made);
	if (err == NULL)
		person_print_link(c, call, "An invitation", &made);
	return err;
}

static struct err *
reset(struct ctx *c, struct call *call)
{
	struct person_link made;
	struct err *err = person_print_needs_address(c);

	if (err == NULL)
		err = person_reset(c, &by_tool, call->operands[0], &made);
	if (err == NULL)
		person_print_link(c, call, "A new password", &made);
	return err;
}

/* Prints the person as it is now. */
static struct err *
print_person(struct ctx *c, struct call *call, const struct person *p)
{
	struct person_view view;
	struct err *err = person_show(c, p->uuid, &view);

	if (err != NULL)
		return err;
	call_changed(call, p->uuid);
	if (call->as_json)
		person_print_json(&call->json, &view);
	return NULL;
}

static struct err *
disable(struct ctx *c, struct call *call)
{
	int64_t since = clock_now();
	struct person *p;
	struct err *err = person_switch(c, &by_tool, call->operands[0], true, &p);

	if (err == NULL)
		err = print_person(c, call, p);
	if (err == NULL)
		call_say(call, "%s%s is disabled: sessions, links and tasks have ended.",
		    person_print_ended(c, p->uuid, since), p->email);
	return err;
}

static struct err *
enable(struct ctx *c, struct call *call)
{
	struct person *p;
	struct err *err = person_switch(c, &by_tool, call->operands[0], false, &p);

	if (err == NULL)
		err = print_person(c, call, p);
	if (err == NULL)
		call_say(call, "%s may sign in.", p->email);
	return err;
}

static struct err *
sign_out(struct ctx *c, struct call *call)
{
	struct person *p;
	struct err *err = person_sign_out(c, &by_tool, call->operands[0], &p);

	if (err == NULL)
		err = print_person(c, call, p);
	if (err == NULL)
		call_say(call, "All sessions of %s have ended.", p->email);
	return err;
}

static void
list_session(void *arg, const struct session *s)
{
	struct call_list *l = arg;
	struct jwrite *w = &l->call->json;

	if (!l->call->as_json) {
		grid_row(
		    &l->grid, (const char *[]) { s->uuid, when_text(l->c->arena, s->created_at),
				  when_text(l->c->arena, s->used_at), s->address, s->browser });
		return;
	}
	jwrite_object(w);
	jwrite_member_text(w, "id", s->uuid);
	jwrite_member_time(w, "created_at", s->created_at);
	jwrite_member_time(w, "last_seen_at", s->used_at);
	jwrite_member_text(w, "address", s->address);
	jwrite_member_text(w, "browser", s->browser);
	jwrite_member_time(w, "ends_at", s->ends_at);
	jwrite_member_bool(w, "device", s->trusted);
	jwrite_object_end(w);
}

static struct err *
sessions(struct ctx *c, struct call *call)
{
	struct call_list l;
	struct person *p;
	struct err *err;

	call_list_begin(&l, c, call,
	    (const char *[]) { "ID", "BEGAN", "LAST USE", "ADDRESS", "BROWSER", NULL });
	err = person_sessions(c, call->operands[0], &p, list_session, &l);
	if (err != NULL)
		return err;
	call_list_end(&l, "This person is not signed in.");
	return NULL;
}

static const struct command_option invite_options[] = {
	{ .name = "account",
	    .value = "ID",
	    .help = "of this account, if several invited the person" },
	{ .name = "workspace", .value = "ID", .help = "of this workspace" },
	{ .name = NULL },
};

#define ONE_PERSON .noun = "person", .operands = "PERSON", .operands_min = 1, .operands_max = 1
#define CHANGES COMMAND_DB | COMMAND_CHANGES | COMMAND_ID

const struct command command_person_invite[] = {
	{ ONE_PERSON, .verb = "invite", .options = invite_options, .flags = CHANGES, .run = invite,
	    .summary = "print a link that begins a membership",
	    .text =
		"It works once, for 7 days. An older link of the same account works no more. A new person\n"
		"sets name and password; a person of this instance opens it when signed in." },
	{ ONE_PERSON, .verb = "reset", .flags = CHANGES, .run = reset,
	    .summary = "print a link that sets a new password",
	    .text =
		"It works once, for an hour. The second factor is asked for, and all sessions end when it is used.\n"
		"It ends before when a password is set, a membership begins or rises, or all sessions end." },
	{ ONE_PERSON, .verb = "disable", .flags = CHANGES, .run = disable,
	    .summary = "let a person do nothing from now on",
	    .text =
		"When the command ends, no change that the person began goes on. Memberships stay." },
	{ ONE_PERSON, .verb = "enable", .flags = CHANGES, .run = enable,
	    .summary = "end that: the person may sign in again" },
	{ ONE_PERSON, .verb = "sessions", .flags = COMMAND_DB | COMMAND_ID, .run = sessions,
	    .summary = "where a person is signed in" },
	{ ONE_PERSON, .verb = "sign-out", .flags = CHANGES, .run = sign_out,
	    .summary = "end all sessions of a person" },
	{ .verb = NULL },
};
