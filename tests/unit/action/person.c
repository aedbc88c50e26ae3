/*
 * Who may do what to whom (docs/console.md §2.1 to §2.4), and what a link is worth.
 *
 * suite: fast
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/pepper.h"
#include "action/account-actions.h"
#include "action/person/person-actions.h"
#include "action/person/person-look.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "people/secret.h"
#include "people/session.h"
#include "store/db.h"
#include "store/migrate.h"
#include "system/conf.h"
#include "system/instance.h"
#include "tests/tap.h"

static struct arena arena;
static struct instance instance;
static struct conf conf;
static struct ctx c = { .arena = &arena, .request_id = "" };
static char folder[] = "/tmp/people-XXXXXX";

static const struct person_by tool = { .tool = true };

static void
must(struct err *err)
{
	if (err != NULL)
		bail("%s", err->message);
}

/* Compares a refusal's code; ERR_NONE: it must be none. */
#define ERR_NONE 99
static void
is_err(struct err *err, int code, const char *name)
{
	is_int(err != NULL ? (int)err->code : ERR_NONE, code, "%s", name);
}

static const char *
make_folder(const char *name)
{
	const char *path = arena_printf(&arena, "%s/%s", folder, name);

	if (mkdir(path, 0700) != 0)
		bail("%s cannot be made", path);
	return path;
}

static void
add_account(const char *name)
{
	struct account_order order = { .name = name };
	struct account *a;

	must(account_create(&c, &order, &a));
}

static void
begin(void)
{
	int64_t from;

	arena_init(&arena, (size_t)64 << 20);
	if (mkdtemp(folder) == NULL)
		bail("%s cannot be made", folder);
	conf_defaults(&conf);
	instance.home = folder;
	instance.run = make_folder("run");
	instance.db = arena_printf(&arena, "%s/galley.db", make_folder("db"));
	instance.pepper = arena_printf(&arena, "%s/db/pepper", folder);
	c.instance = &instance;
	c.conf = &conf;
	pepper_create(&c);
	db_create(&c, true);
	must(migrate_run(&c, DB_CONTENT, &from));
	secret_create(&c);
	add_account("A");
	add_account("B");
}

static void
end(void)
{
	db_close(&c);
	if (system(arena_printf(&arena, "rm -r %s", folder)) != 0)
		printf("# %s stays\n", folder);
}

/* Returns where a person of this name is a member: account A or B, or "" the instance. */
static struct where
at(const char *account)
{
	return (struct where) { account[0] != '\0' ? MEMBERSHIP_ACCOUNT : MEMBERSHIP_INSTANCE,
		account };
}

static const char *
email_of(const char *name)
{
	return arena_printf(&arena, "%s@example.com", name);
}

/* Opens a link, as the page of an invitation does, and sets a password. */
static void
accept(const struct person_link *made)
{
	struct link l;

	db_begin_write(&c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	if (link_check(&c, LINK_INVITE, made->text, &l) != LINK_GOOD)
		bail("a fresh link is not good");
	link_use(&c, &l);
	membership_begin_with(&c, l.membership_id);
	person_set_password(&c, l.person_id, "x");
	db_commit(&c);
}

/* Adds a person whose membership has begun. */
static struct person_by
add(const char *name, const char *account, const char *role)
{
	struct where where = at(account);
	struct person_order order = { .by = tool,
		.email = email_of(name),
		.name = name,
		.where = &where,
		.where_count = 1,
		.role = role,
		.known = true,
		.link = true };
	struct person_link made;

	must(person_create(&c, &order, &made));
	accept(&made);
	return (struct person_by) { .person_id = made.person->id };
}

/* Invites, as `by`. */
static struct err *
invite(
    struct person_by by, const char *name, const char *account, const char *role, unsigned rights)
{
	struct where where = at(account);
	struct person_order order = { .by = by,
		.email = email_of(name),
		.name = name,
		.where = &where,
		.where_count = 1,
		.role = role,
		.rights = rights,
		.known = true,
		.link = true };
	struct person_link made;

	return person_create(&c, &order, &made);
}

static struct err *
set_role(struct person_by by, const char *name, const char *account, const char *role)
{
	struct person_rights rights = { .where = at(account), .role = role };
	struct person *p;
	bool open;

	return person_set_rights(&c, &by, email_of(name), &rights, &p, &open);
}

static struct err *
rename_to(struct person_by by, const char *name, const char *to)
{
	struct person_fields fields = { .name = to };
	struct person *p;

	return person_change(&c, &by, email_of(name), &fields, &p);
}

static struct err *
speak(struct person_by by, const char *name)
{
	struct person_fields fields = { .language = "EN" };
	struct person *p;

	return person_change(&c, &by, email_of(name), &fields, &p);
}

static struct err *
disable(struct person_by by, const char *name)
{
	struct person *p;

	return person_switch(&c, &by, email_of(name), true, &p);
}

static struct err *
remove_person(struct person_by by, const char *name)
{
	struct person *p;

	return person_remove(&c, &by, email_of(name), false, &p);
}

static struct err *
reset(struct person_by by, const char *name)
{
	struct person_link made;

	return person_reset(&c, &by, email_of(name), &made);
}

static struct err *
sign_out(struct person_by by, const char *name)
{
	struct person *p;

	return person_sign_out(&c, &by, email_of(name), &p);
}

/* ---- rights */

static void
test_giving(
    struct person_by op, struct person_by owner, struct person_by editor, struct person_by other)
{
	is_err(invite(owner, "w1", "A", "writer", 0), ERR_NONE, "an owner invites a writer");
	is_err(invite(owner, "o1", "A", "owner", 0), ERR_NONE, "and an owner");
	is_err(invite(owner, "x1", "", "operator", 0), ERR_FORBIDDEN, "but no operator");
	is_err(invite(owner, "x1", "B", "writer", 0), ERR_FORBIDDEN, "and nobody elsewhere");
	is_err(invite(editor, "x1", "A", "writer", 0), ERR_FORBIDDEN, "an editor invites nobody");
	is_err(invite(other, "x1", "A", "writer", 0), ERR_FORBIDDEN, "a stranger neither");
	is_err(invite(op, "p1", "", "operator", 0), ERR_NONE, "an operator makes operators");
	is_err(invite(op, "w2", "B", NULL, RIGHT_WRITE | RIGHT_MANAGE), ERR_NONE,
	    "switches may be mixed");
	is_err(
	    invite(op, "w2", "A", NULL, RIGHT_OPERATE), ERR_INVALID, "an account has no operators");
	is_err(
	    invite(op, "w3", "", NULL, RIGHT_WRITE), ERR_INVALID, "and the instance nobody else");
	is_err(set_role(owner, "w1", "A", "editor"), ERR_NONE, "an owner changes a role");
	is_err(set_role(editor, "w1", "A", "owner"), ERR_FORBIDDEN, "an editor does not");
	is_err(set_role(owner, "w1", "A", "none"), ERR_NONE, "and ends it");
	is_err(set_role(owner, "op", "", "none"), ERR_FORBIDDEN, "but not that of an operator");
}

/* A person who manages, but may not publish, cannot give or take that. */
static void
test_more(struct person_by op)
{
	struct person_by half;

	must(invite(op, "half", "A", NULL, RIGHT_MANAGE | RIGHT_WRITE));
	must(set_role(tool, "half", "A", "none"));
	half = add("half", "A", "owner");
	must(person_set_rights(&c, &tool, email_of("half"),
	    &(struct person_rights) { .where = at("A"), .rights = RIGHT_WRITE | RIGHT_MANAGE },
	    &(struct person *) { NULL }, &(bool) { false }));
	is_err(invite(half, "x2", "A", "writer", 0), ERR_NONE,
	    "who writes and manages invites writers");
	is_err(invite(half, "x3", "A", "editor", 0), ERR_FORBIDDEN,
	    "nobody gives more than they have");
	is_err(set_role(half, "editor", "A", "writer"), ERR_FORBIDDEN, "nor changes who has more");
	is_err(disable(half, "editor"), ERR_FORBIDDEN, "nor disables them");
	is_err(rename_to(half, "x2", "X"), ERR_NONE, "but who has less");
	must(remove_person(tool, "half"));
}

static void
test_acts(struct person_by op, struct person_by owner, struct person_by editor)
{
	struct person_by both = add("both", "A", "writer");

	is_err(rename_to(owner, "both", "Both"), ERR_NONE,
	    "an act on a member of the own account alone");
	is_err(reset(owner, "both"), ERR_NONE, "a reset as well");
	is_err(sign_out(editor, "both"), ERR_FORBIDDEN, "not by an editor");
	is_err(rename_to(both, "both", "Z"), ERR_FORBIDDEN, "not even on oneself");
	is_err(speak(both, "both"), ERR_NONE, "but the own language");
	is_err(speak(editor, "both"), ERR_FORBIDDEN, "and only that");
	is_err(sign_out(both, "both"), ERR_NONE, "and the own sessions");
	is_err(invite(tool, "both", "B", "writer", 0), ERR_NONE,
	    "another account invites the same person");
	is_err(
	    rename_to(owner, "both", "Both"), ERR_NONE, "which takes nothing from the first one");
	both = add("both", "B", "writer");
	is_err(rename_to(owner, "both", "Y"), ERR_FORBIDDEN, "until the person has accepted");
	is_err(reset(owner, "both"), ERR_FORBIDDEN, "no reset then");
	is_err(disable(owner, "both"), ERR_FORBIDDEN, "no disabling");
	is_err(remove_person(owner, "both"), ERR_FORBIDDEN, "no removal");
	is_err(set_role(owner, "both", "A", "none"), ERR_NONE, "the membership ends all the same");
	is_err(set_role(both, "both", "B", "none"), ERR_NONE, "and everybody may leave");
	is_err(reset(op, "both"), ERR_NONE, "operators may do everything");
	is_err(reset(owner, "both"), ERR_FORBIDDEN, "who is no member anywhere belongs to them");
	is_err(reset(owner, "op"), ERR_FORBIDDEN, "and so do they themselves");
	is_err(invite(tool, "new", "A", "writer", 0), ERR_NONE, "who never came");
	is_err(invite(tool, "new", "B", "writer", 0), ERR_NONE, "to two accounts");
	is_err(rename_to(owner, "new", "Y"), ERR_FORBIDDEN, "belongs to neither of them");
}

static void
test_last(struct person_by op, struct person_by owner)
{
	is_err(set_role(op, "op", "", "none"), ERR_CONFLICT, "the last operator stays");
	is_err(disable(op, "op"), ERR_CONFLICT, "and is not disabled");
	is_err(remove_person(op, "op"), ERR_CONFLICT, "nor removed");
	is_err(set_role(op, "owner", "A", "editor"), ERR_CONFLICT,
	    "an account's last manager is not lowered");
	is_err(set_role(owner, "owner", "A", "none"), ERR_CONFLICT, "and does not leave alone");
	is_err(disable(op, "owner"), ERR_CONFLICT, "nor is disabled");
	is_err(set_role(op, "o1", "A", "none"), ERR_NONE, "who was invited does not count");
	(void)add("second", "A", "owner");
	is_err(
	    set_role(op, "owner", "A", "editor"), ERR_NONE, "with a second manager it can be done");
	is_err(disable(op, "second"), ERR_CONFLICT, "who is the last one then");
	is_err(disable(tool, "second"), ERR_NONE, "the tool does it");
	is_err(remove_person(tool, "op"), ERR_NONE, "even with the last operator");
}

/* ---- links */

static enum link_state
state_of(enum link_kind kind, const char *text)
{
	enum link_state state;
	struct link l;

	db_begin_read(&c, DB_CONSOLE);
	state = link_check(&c, kind, text, &l);
	db_rollback(&c);
	return state;
}

/* Tells what a link is worth some time after now. */
static enum link_state
state_after(enum link_kind kind, const char *text, int64_t later)
{
	enum link_state state;
	struct link l;

	db_begin_read(&c, DB_CONSOLE);
	c.now += later;
	state = link_check(&c, kind, text, &l);
	db_rollback(&c);
	return state;
}

#define HOUR ((int64_t)3600 * CLOCK_SECOND)

static void
test_links(void)
{
	struct person_link first, second, other;
	struct where where = at("B");

	must(invite(tool, "linked", "A", "writer", 0));
	must(invite(tool, "linked", "B", "writer", 0));
	must(person_invite(&c, &tool, email_of("linked"), &where, &first));
	is_int(state_of(LINK_INVITE, first.text), LINK_GOOD, "a link is good");
	is_int(state_of(LINK_INVITE, first.text), LINK_GOOD, "and a look uses nothing up");
	is_int(state_of(LINK_RESET, first.text), LINK_UNKNOWN, "an invitation is no reset");
	is_int(state_of(LINK_INVITE, "ab_invite_"), LINK_UNKNOWN, "another text");
	is_int(state_after(LINK_INVITE, first.text, 7 * 24 * HOUR - CLOCK_SECOND), LINK_GOOD,
	    "seven days long");
	is_int(state_after(LINK_INVITE, first.text, 7 * 24 * HOUR), LINK_OVER, "and not longer");
	is_int(state_after(LINK_INVITE, first.text, -2 * HOUR), LINK_OVER,
	    "a clock that was set back does not help");
	where = at("A");
	must(person_invite(&c, &tool, email_of("linked"), &where, &other));
	is_int(
	    state_of(LINK_INVITE, first.text), LINK_GOOD, "a link of another account ends nothing");
	where = at("B");
	must(person_invite(&c, &tool, email_of("linked"), &where, &second));
	is_int(
	    state_of(LINK_INVITE, first.text), LINK_OVER, "a newer one of the same account does");
	accept(&second);
	is_int(state_of(LINK_INVITE, second.text), LINK_OVER, "it works once");
	is_int(state_of(LINK_INVITE, other.text), LINK_GOOD, "and begins its own account alone");
	must(person_reset(&c, &tool, email_of("linked"), &first));
	is_int(state_after(LINK_RESET, first.text, HOUR - CLOCK_SECOND), LINK_GOOD,
	    "a reset has an hour");
	is_int(state_after(LINK_RESET, first.text, HOUR), LINK_OVER, "no more");
	must(person_reset(&c, &tool, email_of("linked"), &second));
	is_int(state_of(LINK_RESET, first.text), LINK_OVER, "a newer reset ends the older one");
	must(disable(tool, "linked"));
	is_int(state_of(LINK_RESET, second.text), LINK_OVER, "disabling ends all links");
	is_int(state_of(LINK_INVITE, other.text), LINK_OVER, "of all accounts");
}

static void
test_sessions_end(struct person_by by)
{
	char token[SESSION_TOKEN + 1];
	struct session *s;
	struct person *p;

	db_begin_write(&c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	session_insert(&c, by.person_id, false, false, "127.0.0.1", "x", token);
	is_int(session_check(&c, token, &s, &p), SESSION_GOOD, "a session");
	db_commit(&c);
	must(disable(tool, "editor"));
	db_begin_read(&c, DB_CONSOLE);
	is_int(session_check(&c, token, &s, &p), SESSION_NONE, "ends when its person is disabled");
	is_int(membership_rights(&c, by.person_id, NULL, NULL), 0, "without rights");
	db_rollback(&c);
	must(person_switch(&c, &tool, email_of("editor"), false, &p));
	db_begin_read(&c, DB_CONSOLE);
	is_int(session_check(&c, token, &s, &p), SESSION_NONE, "and stays ended afterwards");
	db_rollback(&c);
}

int
main(void)
{
	struct person_by op, owner, editor, other;

	begin();
	op = add("op", "", "operator");
	owner = add("owner", "A", "owner");
	editor = add("editor", "A", "editor");
	other = add("other", "B", "owner");
	test_giving(op, owner, editor, other);
	test_more(op);
	test_acts(op, owner, editor);
	test_links();
	test_sessions_end(editor);
	test_last(op, owner);
	end();
	return done_testing();
}
