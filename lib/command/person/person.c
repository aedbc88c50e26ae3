/* galley person create | list | show | set | remove; invite.c has the others. */
#include <stddef.h>
#include <string.h>

#include "action/person/change.h"
#include "action/person/create.h"
#include "action/person/look.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/command.h"
#include "command/person/person-print.h"
#include "system/near.h"

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
	struct err *err = read_places(c, call, places, &order.where_count);
	struct person_link made;

	if (err == NULL && order.role == NULL) {
		if (places[0].kind != MEMBERSHIP_INSTANCE)
			return call_usage(
			    c, "--role is needed: writer, reviewer, editor or owner.");
		order.role = "operator";
	}
	if (err == NULL)
		err = person_create(c, &order, &made);
	if (err != NULL)
		return err;
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
	struct err *err = person_show(c, call->operands[0], &view);

	if (err != NULL)
		return err;
	if (call->as_json)
		person_print_json(&call->json, &view);
	person_print_lines(c, call, &view);
	return NULL;
}

/* Returns the memberships in a few words: "owner of Acme, writer of News". */
static const char *
memberships_of(struct ctx *c, const struct person_view *view)
{
	const char *out = "";

	for (size_t i = 0; i < view->count; i++) {
		const struct person_membership *pm = &view->memberships[i];
		const char *role = person_print_role(c, pm->m);
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
		person_print_json(&l->call->json, view);
		return;
	}
	grid_row(&l->grid, (const char *[]) { p->uuid, p->email, p->name, person_state(p),
			       when_text(l->c->arena, view->seen_at), memberships_of(l->c, view) });
}

static struct err *
list(struct ctx *c, struct call *call)
{
	struct call_list l;
	struct err *err;

	call_list_begin(&l, c, call,
	    (const char *[]) { "ID", "E-MAIL", "NAME", "STATE", "SEEN", "MEMBER", NULL });
	err = person_show_all(c, list_one, &l);
	if (err != NULL)
		return err;
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
	struct err *err;
	size_t at;

	for (size_t i = 1; i < call->operand_count; i++) {
		err = call_field(c, call->operands[i], &field, &value);
		if (err != NULL)
			return err;
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
	ended = person_print_ended(c, p->uuid, since);
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
		person_print_json(&call->json, &view);
	person_print_lines(c, call, &view);
	return NULL;
}

static struct err *
remove_person(struct ctx *c, struct call *call)
{
	bool erase = call_has(call, "erase");
	const char *ended = person_print_ended(c, call->operands[0], 0);
	struct person *p;
	struct err *err = person_remove(c, &by_tool, call->operands[0], erase, &p);

	if (err != NULL)
		return err;
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

#define ONE_PERSON .noun = "person", .operands = "PERSON", .operands_min = 1, .operands_max = 1

const struct command command_person[] = {
	{ .noun = "person",
	    .verb = "create",
	    .operands = "EMAIL",
	    .operands_min = 1,
	    .operands_max = 1,
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
	    .operands_min = 1,
	    .operands_max = -1,
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
	{ .verb = NULL },
};
