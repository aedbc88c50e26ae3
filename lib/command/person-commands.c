/* galley person: people of the console (docs/console.md §2.5). */
#include <stddef.h>
#include <string.h>

#include "action/person/person-actions.h"
#include "action/person/person-look.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "console/request.h"
#include "system/near.h"

/* ---- how people and their links are printed */

static const char *
state_of(const struct membership *m)
{
	if (m->begun_at != 0)
		return "active";
	return m->ended_at != 0 ? "ended" : "invited";
}

static void
membership_to_json(struct jwrite *w, const struct membership *m)
{
	jwrite_object(w);
	if (m->kind == MEMBERSHIP_INSTANCE)
		jwrite_member_bool(w, "instance", true);
	else
		jwrite_member_text(
		    w, m->kind == MEMBERSHIP_ACCOUNT ? "account" : "workspace", m->place);
	jwrite_member_text(w, "role", membership_role(m));
	jwrite_member_bool(w, "write", (m->rights & RIGHT_WRITE) != 0);
	jwrite_member_bool(w, "publish", (m->rights & RIGHT_PUBLISH) != 0);
	jwrite_member_bool(w, "manage", (m->rights & RIGHT_MANAGE) != 0);
	jwrite_member_text(w, "state", state_of(m));
	jwrite_object_end(w);
}

/* Writes a person as a JSON object. */
static void
person_to_json(struct jwrite *w, const struct person_view *view)
{
	const struct person *p = view->person;

	jwrite_object(w);
	jwrite_member_text(w, "id", p->uuid);
	jwrite_member_text(w, "email", p->email);
	jwrite_member_text(w, "name", p->name);
	jwrite_member_text(w, "language", p->language);
	jwrite_member_text(w, "state", person_state(p));
	jwrite_member_bool(w, "second_factor", p->has_factor);
	call_member_time(w, "last_seen_at", view->seen_at);
	jwrite_member_time(w, "created_at", p->created_at);
	jwrite_member_array(w, "memberships");
	for (size_t i = 0; i < view->count; i++)
		membership_to_json(w, view->memberships[i].m);
	jwrite_array_end(w);
	jwrite_object_end(w);
}

/* Returns what a membership allows, in a word or a few: "owner", "write and publish". */
static const char *
role_of(struct ctx *c, const struct membership *m)
{
	const char *role = membership_role(m);

	if (role[0] != '\0')
		return role;
	if ((m->rights & (RIGHT_WRITE | RIGHT_PUBLISH | RIGHT_MANAGE)) == 0)
		return "read";
	return arena_printf(c->arena, "%s%s%s", (m->rights & RIGHT_WRITE) != 0 ? "write " : "",
	    (m->rights & RIGHT_PUBLISH) != 0 ? "publish " : "",
	    (m->rights & RIGHT_MANAGE) != 0 ? "manage" : "");
}

static void
membership_line(struct ctx *c, struct call *call, const struct person_membership *pm)
{
	static const char *const kinds[] = { [MEMBERSHIP_INSTANCE] = "the instance",
		[MEMBERSHIP_ACCOUNT] = "account",
		[MEMBERSHIP_WORKSPACE] = "workspace" };
	const struct membership *m = pm->m;
	const char *invited = m->begun_at != 0 ? "" : arena_printf(c->arena, ", %s", state_of(m));

	if (m->kind == MEMBERSHIP_INSTANCE)
		call_say(call, "member     %s of the instance%s", role_of(c, m), invited);
	else
		call_say(call, "member     %s of %s %s (%s)%s", role_of(c, m), kinds[m->kind],
		    pm->name != NULL ? pm->name : "that is deleted", m->place, invited);
}

static const char *
or_never(const char *text)
{
	return text != NULL ? text : "never";
}

/* Prints a person for people, line by line. */
static void
say_person(struct ctx *c, struct call *call, const struct person_view *view)
{
	const struct person *p = view->person;

	call_say(call, "id         %s", p->uuid);
	call_say(call, "e-mail     %s", p->email);
	call_say(call, "name       %s", p->name);
	call_say(call, "language   %s", p->language);
	call_say(call, "state      %s%s", person_state(p),
	    p->has_factor ? ", with a second factor" : "");
	call_say(call, "seen       %s", or_never(when_text(c->arena, view->seen_at)));
	call_say(call, "created    %s", when_text(c->arena, p->created_at));
	for (size_t i = 0; i < view->count; i++)
		membership_line(c, call, &view->memberships[i]);
}

/* Refuses to make a link as long as the console has no address. */
static struct err *
need_address(struct ctx *c)
{
	struct place place;

	place_read(c, &place);
	if (place.origin[0] != '\0')
		return NULL;
	return refuse(c, ERR_CONFLICT,
	    "A link needs the address of this instance: galley config set public_url=https://… sets it.");
}

/* Prints a link that was made, the one time that it is shown, and clears it. */
static void
say_link(struct ctx *c, struct call *call, const char *what, struct person_link *made)
{
	struct place place;
	const char *link;

	place_read(c, &place);
	link = arena_printf(c->arena, "%s%s%s", place.origin, place.root, made->path);
	call_changed(call, made->person->uuid);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "id", made->person->uuid);
		jwrite_member_text(&call->json, "link", link);
		jwrite_member_time(&call->json, "expires_at", made->expires_at);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%s", link);
	call_say(call, "%s for %s. It works once, until %s, and is shown this once only.", what,
	    made->email, when_text(c->arena, made->expires_at));
	if (made->mailed)
		call_say(call, "The task runner mails it, too.");
	explicit_bzero(made->text, sizeof(made->text));
}

static void
add_ended(void *arg, const struct person_made *made)
{
	buf_printf(arg, "%s for %s, which this person made, has ended.\n",
	    made->m != NULL ? "The invitation" : "The link for a new password",
	    made->m != NULL && made->m->begun_at == 0 ? made->m->invited_email
						      : made->person->email);
}

/* Returns lines, each with its end, about the links that a person made: the open ones, which end
 * with the person's removal, or those that ended since a time (person_links()). */
static const char *
ended_links(struct ctx *c, const char *who, int64_t since)
{
	struct buf lines;
	struct err *none;

	buf_init(&lines, c->arena, (size_t)1024 * 1024);
	none = person_links(c, who, NULL, since, add_ended, &lines);
	return none == NULL ? buf_done(&lines) : "";
}

/* ---- galley person create | list | show | set | remove */

static const struct person_by by_tool = { .tool = true };

/* Reads the places that the options name: --operator, --account, or --workspace, which may
 * be given more than once. */
static struct err *
read_places(
    struct ctx *c, const struct call *call, struct where places[PERSON_PLACES_MAX], size_t *count)
{
	const char *account = call_option(call, "account"), *workspace;
	int kinds = call_has(call, "operator") + (account != NULL);

	*count = 0;
	while ((workspace = call_option_at(call, "workspace", *count)) != NULL) {
		if (*count == PERSON_PLACES_MAX)
			return call_usage(c, "At most %d workspaces at once.", PERSON_PLACES_MAX);
		places[(*count)++] = (struct where) { MEMBERSHIP_WORKSPACE, workspace };
	}
	if (kinds + (*count > 0) != 1)
		return call_usage(c, "One of --operator, --account and --workspace is needed.");
	if (account != NULL)
		places[(*count)++] = (struct where) { MEMBERSHIP_ACCOUNT, account };
	else if (*count == 0)
		places[(*count)++] = (struct where) { MEMBERSHIP_INSTANCE, NULL };
	return NULL;
}

static struct err *
create(struct ctx *c, struct call *call)
{
	struct where places[PERSON_PLACES_MAX];
	struct person_order order = { .by = by_tool,
		.email = call->operands[0],
		.name = call_option(call, "name"),
		.language = call_option(call, "language"),
		.where = places,
		.role = call_option(call, "role") };
	struct person_link made;

	TRY(read_places(c, call, places, &order.where_count));
	if (order.role == NULL) {
		if (places[0].kind != MEMBERSHIP_INSTANCE)
			return call_usage(
			    c, "--role is needed: writer, reviewer, editor or owner.");
		order.role = "operator";
	}
	TRY(person_create(c, &order, &made));
	call_changed(call, made.person->uuid);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "id", made.person->uuid);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%s (%s) was created: %s.", made.person->name, made.person->email,
	    made.person->uuid);
	call_say(call, "The link of the invitation: galley person invite %s", made.person->email);
	return NULL;
}

static struct err *
show(struct ctx *c, struct call *call)
{
	struct person_view view;

	TRY(person_show(c, call->operands[0], &view));
	if (call->as_json)
		person_to_json(&call->json, &view);
	say_person(c, call, &view);
	return NULL;
}

/* Returns the memberships in a few words: "owner of Acme, writer of News". */
static const char *
memberships_of(struct ctx *c, const struct person_view *view)
{
	const char *out = "";

	for (size_t i = 0; i < view->count; i++) {
		const struct person_membership *pm = &view->memberships[i];
		const char *role = role_of(c, pm->m);
		out = arena_printf(c->arena, "%s%s%s%s%s", out, i > 0 ? ", " : "", role,
		    pm->m->kind == MEMBERSHIP_INSTANCE ? "" : " of ",
		    pm->name != NULL ? pm->name : pm->m->place);
	}
	return out;
}

static void
list_one(void *arg, const struct person_view *view)
{
	struct call_list *l = arg;
	const struct person *p = view->person;

	if (l->call->as_json) {
		person_to_json(&l->call->json, view);
		return;
	}
	grid_row(&l->grid, (const char *[]) { p->uuid, p->email, p->name, person_state(p),
			       when_text(l->c->arena, view->seen_at), memberships_of(l->c, view) });
}

static struct err *
list(struct ctx *c, struct call *call)
{
	struct call_list l;

	call_list_begin(&l, c, call,
	    (const char *[]) { "ID", "E-MAIL", "NAME", "STATE", "SEEN", "MEMBER", NULL });
	TRY(person_show_all(c, list_one, &l));
	call_list_end(&l,
	    "There is nobody yet: galley person create EMAIL --name NAME --operator makes the first.");
	return NULL;
}

static struct err *
read_fields(struct ctx *c, const struct call *call, struct person_fields *out)
{
	static const char *const names[] = { "email", "name", "language", NULL };
	const char **const fields[] = { &out->email, &out->name, &out->language };
	const char *field, *value;
	size_t at;

	for (size_t i = 1; i < call->operand_count; i++) {
		TRY(call_field(c, call->operands[i], &field, &value));
		for (at = 0; names[at] != NULL && strcmp(names[at], field) != 0;)
			at++;
		if (names[at] == NULL)
			return err_param(c, field,
			    "A person has no field %s: email, name and language are%s", field,
			    near_question(c->arena, near_among(field, names)));
		*fields[at] = value;
	}
	return NULL;
}

/* Changes rights in one place. */
static struct err *
set_rights(struct ctx *c, struct call *call)
{
	struct where places[PERSON_PLACES_MAX];
	struct person_rights rights = { .role = call_option(call, "role") };
	int64_t since = clock_now();
	const char *ended;
	struct person *p;
	struct err *err;
	size_t count;
	bool open;

	if (call->operand_count > 1)
		return call_usage(c, "It is FIELD=VALUE or --role, not both.");
	err = read_places(c, call, places, &count);
	if (err == NULL && count > 1)
		return call_usage(c, "Rights are set in one workspace at a time.");
	rights.where = places[0];
	if (err == NULL)
		err = person_set_rights(c, &by_tool, call->operands[0], &rights, &p, &open);
	if (err != NULL)
		return err;
	call_changed(call, p->uuid);
	ended = ended_links(c, p->uuid, since);
	if (ended[0] != '\0')
		call_say(call, "%.*s", (int)strlen(ended) - 1, ended);
	if (open)
		call_say(call, "It begins when the invitation is opened: galley person invite %s",
		    p->email);
	return NULL;
}

static struct err *
set(struct ctx *c, struct call *call)
{
	struct person_fields fields = { .email = NULL };
	struct person_view view;
	struct person *p;
	struct err *err;

	if (call_has(call, "role")) {
		err = set_rights(c, call);
	} else if (call->operand_count < 2) {
		return call_usage(c, "FIELD=VALUE or --role is needed.");
	} else if (call_has(call, "operator") || call_has(call, "account") ||
		   call_has(call, "workspace")) {
		return call_usage(c, "--role is needed: it says what the person may do there.");
	} else {
		err = read_fields(c, call, &fields);
		if (err == NULL)
			err = person_change(c, &by_tool, call->operands[0], &fields, &p);
		if (err == NULL)
			call_changed(call, p->uuid);
	}
	if (err == NULL)
		err =
		    person_show(c, fields.email != NULL ? fields.email : call->operands[0], &view);
	if (err != NULL)
		return err;
	if (call->as_json)
		person_to_json(&call->json, &view);
	say_person(c, call, &view);
	return NULL;
}

static struct err *
remove_person(struct ctx *c, struct call *call)
{
	bool erase = call_has(call, "erase");
	const char *ended = ended_links(c, call->operands[0], 0);
	struct person *p;

	TRY(person_remove(c, &by_tool, call->operands[0], erase, &p));
	call_changed(call, p->uuid);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "id", p->uuid);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%s%s is a member of nothing any more.%s", ended, p->email,
	    erase ? " Name and address are erased."
		  : " The name stays beside what this person did; --erase deletes it.");
	return NULL;
}

/* ---- galley person invite | reset | disable | enable | sessions | sign-out */

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

	if (account != NULL && workspace != NULL)
		return call_usage(c, "It is --account or --workspace, not both.");
	TRY(need_address(c));
	TRY(person_invite(c, &by_tool, call->operands[0], named ? &where : NULL, &made));
	say_link(c, call, "An invitation", &made);
	return NULL;
}

static struct err *
reset(struct ctx *c, struct call *call)
{
	struct person_link made;

	TRY(need_address(c));
	TRY(person_reset(c, &by_tool, call->operands[0], &made));
	say_link(c, call, "A new password", &made);
	return NULL;
}

/* Prints the person as it is now. */
static struct err *
print_person(struct ctx *c, struct call *call, const struct person *p)
{
	struct person_view view;

	TRY(person_show(c, p->uuid, &view));
	call_changed(call, p->uuid);
	if (call->as_json)
		person_to_json(&call->json, &view);
	return NULL;
}

static struct err *
disable(struct ctx *c, struct call *call)
{
	int64_t since = clock_now();
	struct person *p;

	TRY(person_switch(c, &by_tool, call->operands[0], true, &p));
	TRY(print_person(c, call, p));
	call_say(call, "%s%s is disabled: sessions, links and tasks have ended.",
	    ended_links(c, p->uuid, since), p->email);
	return NULL;
}

static struct err *
enable(struct ctx *c, struct call *call)
{
	struct person *p;

	TRY(person_switch(c, &by_tool, call->operands[0], false, &p));
	TRY(print_person(c, call, p));
	call_say(call, "%s may sign in.", p->email);
	return NULL;
}

static struct err *
sign_out(struct ctx *c, struct call *call)
{
	struct person *p;

	TRY(person_sign_out(c, &by_tool, call->operands[0], &p));
	TRY(print_person(c, call, p));
	call_say(call, "All sessions of %s have ended.", p->email);
	return NULL;
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

	call_list_begin(&l, c, call,
	    (const char *[]) { "ID", "BEGAN", "LAST USE", "ADDRESS", "BROWSER", NULL });
	TRY(person_sessions(c, call->operands[0], &p, list_session, &l));
	call_list_end(&l, "This person is not signed in.");
	return NULL;
}

/* ---- the rows */

#define PLACES                                                                                     \
	{ .name = "operator", .help = "of the whole instance" },                                   \
	    { .name = "account", .value = "ID", .help = "of this account" },                       \
	{                                                                                          \
		.name = "workspace", .value = "ID", .many = true, .help = "of this workspace"      \
	}

static const struct command_option create_options[] = {
	{ .name = "name", .value = "NAME", .needed = true, .help = "what the person is called" },
	{ .name = "language",
	    .value = "TAG",
	    .help = "of the console's pages, one that this release has; en, where it is left out" },
	PLACES,
	{ .name = "role", .value = "ROLE", .help = "writer, reviewer, editor or owner" },
	{ .name = NULL },
};

static const struct command_option set_options[] = {
	PLACES,
	{ .name = "role",
	    .value = "ROLE",
	    .help = "writer, reviewer, editor, owner, operator or none" },
	{ .name = NULL },
};

static const struct command_option remove_options[] = {
	{ .name = "erase", .help = "delete name and address, too" },
	{ .name = NULL },
};

#define ONE_PERSON .noun = "person", .operands = "PERSON"

static const struct command_option invite_options[] = {
	{ .name = "account",
	    .value = "ID",
	    .help = "of this account, if several invited the person" },
	{ .name = "workspace", .value = "ID", .help = "of this workspace" },
	{ .name = NULL },
};

#define CHANGES COMMAND_DB | COMMAND_CHANGES | COMMAND_ID

const struct command command_person[] = {
	{ .noun = "person",
	    .verb = "create",
	    .operands = "EMAIL",
	    .options = create_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = create,
	    .summary = "a person who may sign in to the console",
	    .text =
		"Writers create and edit drafts, reviewers publish, editors do both, owners also manage\n"
		"settings, keys and people. An operator does everything. The person sets the password: send\n"
		"the link that galley person invite prints." },
	{ .noun = "person",
	    .verb = "list",
	    .operands = "",
	    .flags = COMMAND_DB,
	    .run = list,
	    .summary = "everybody, and what they are members of" },
	{ ONE_PERSON, .verb = "show", .flags = COMMAND_DB | COMMAND_ID, .run = show,
	    .summary = "a person, and what the person may do" },
	{ .noun = "person",
	    .verb = "set",
	    .operands = "PERSON [FIELD=VALUE…]",
	    .options = set_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID,
	    .run = set,
	    .summary = "change email, name, language, or a role",
	    .text =
		"--role with --operator, --account or --workspace changes what the person may do there, none\n"
		"ends it. Where the person was no member, it begins when an invitation is opened." },
	{ ONE_PERSON, .verb = "remove", .options = remove_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID, .run = remove_person,
	    .summary = "end everything that a person may do",
	    .text =
		"Memberships, sessions, links, password and second factor are gone. Articles stay. The person\n"
		"can be invited again." },
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
