/*
 * Persons, what they may do, their sessions, and the numbers of forms, in stores of the
 * test's own.
 *
 * suite: fast
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/pepper.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "people/formnumber.h"
#include "people/membership.h"
#include "people/person.h"
#include "people/secret.h"
#include "people/session.h"
#include "store/db.h"
#include "store/migrate.h"
#include "system/conf.h"
#include "system/instance.h"
#include "tests/tap.h"

#define ACCOUNT "11111111-1111-4111-8111-111111111111"
#define OTHER "22222222-2222-4222-8222-222222222222"
#define WORKSPACE "33333333-3333-4333-8333-333333333333"

static struct arena arena;
static struct instance instance;
static struct conf conf;
static struct ctx c = { .arena = &arena, .request_id = "" };
static char folder[] = "/tmp/people-XXXXXX";

static void
must(struct err *err)
{
	if (err != NULL)
		bail("%s", err->message);
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
}

static void
end(void)
{
	db_close(&c);
	if (system(arena_printf(&arena, "rm -r %s", folder)) != 0)
		printf("# %s stays\n", folder);
}

static void
write_begin(void)
{
	db_begin_write(&c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
}

/* ---- the files */

static void
test_files(void)
{
	unsigned char key[SECRET_SIZE], same[SECRET_SIZE], other[SECRET_SIZE];
	struct stat st;

	ok(!secret_exists(&c), "a new instance has no people");
	secret_create(&c);
	ok(secret_exists(&c), "they are created");
	secret_key(&c, "one", key);
	secret_create(&c);
	secret_key(&c, "one", same);
	secret_key(&c, "two", other);
	ok(memcmp(key, same, sizeof(key)) == 0, "creating them again changes nothing");
	ok(memcmp(key, other, sizeof(key)) != 0, "a key belongs to its purpose");
	ok(stat(arena_printf(&arena, "%s/people", folder), &st) == 0 &&
		(st.st_mode & 0777) == 0700 &&
		stat(arena_printf(&arena, "%s/people/secret", folder), &st) == 0 &&
		(st.st_mode & 0777) == 0600 &&
		stat(arena_printf(&arena, "%s/people/console.db", folder), &st) == 0 &&
		(st.st_mode & 0777) == 0600,
	    "nobody else can read them");
}

/* ---- persons */

static void
test_emails(void)
{
	static const char *const good[] = { "dana@example.com", " Dana.Roe+x@Mail.example.org ",
		"d@b\xc3\xbc"
		"cher.example",
		"!#$%&'*+-/=?^_`{|}~@example.com" };
	static const char *const bad[] = { "", "dana", "dana@", "@example.com", "dana@example",
		"dana roe@example.com", "dana..roe@example.com", ".dana@example.com",
		"dana.@example.com", "dana@-example.com", "dana@example-.com", "dana@exa_mple.com",
		"\"dana\"@example.com", "dana@[127.0.0.1]",
		"dana@example.com\r\nBcc: eve@example.com", "dana\x01@example.com",
		"dana@example.com\xe2\x80\xae", "\xff@example.com" };
	const char *email, *login;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		ok(person_read_email(&c, good[i], &email, &login) == NULL, "an address: %s",
		    good[i]);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err *err = person_read_email(&c, bad[i], &email, &login);
		/* What comes after the end of a line is not read. */
		if (i == 14)
			ok(err == NULL && strcmp(email, "dana@example.com") == 0, "no second line");
		else
			ok(err != NULL && strcmp(err->param, "email") == 0,
			    "no address: number %zu", i);
	}
	must(person_read_email(&c, "DANA@Example.COM", &email, &login));
	is_text(email, "DANA@Example.COM", "an address stays as it was typed");
	is_text(login, "dana@example.com", "a login has no case");
	memset(arena_alloc(&arena, 300), 'a', 255);
	ok(person_read_email(&c, arena_printf(&arena, "%0250d@example.com", 1), &email, &login) !=
		NULL,
	    "an address is at most %d bytes", PERSON_EMAIL_MAX);
}

static struct person *
make_person(const char *text)
{
	struct person *p = arena_alloc(&arena, sizeof(*p));

	must(person_read_email(&c, text, &p->email, &p->login));
	p->name = "Dana";
	p->language = "en";
	must(person_insert(&c, p));
	return p;
}

static void
test_persons(void)
{
	struct person *p, *q, twin;
	struct err *err;

	write_begin();
	p = make_person("Dana@example.com");
	is_text(person_state(p), "invited", "who has no password was invited");
	twin = *p;
	twin.id = 0;
	err = person_insert(&c, &twin);
	ok(err != NULL && err->code == ERR_CONFLICT, "an address belongs to one person");
	person_set_password(&c, p->id, "$argon2id$…");
	db_commit(&c);

	db_begin_read(&c, DB_CONSOLE);
	q = person_find(&c, "DANA@EXAMPLE.com");
	ok(q != NULL && q->id == p->id, "a person is found by the address in any case");
	q = person_find(&c, p->uuid);
	ok(q != NULL && strcmp(q->email, "Dana@example.com") == 0, "and by the id");
	is_text(person_state(q), "active", "with a password a person is active");
	ok(person_find(&c, "eve@example.com") == NULL, "nobody else is found");
	err = person_get(&c, "eve@example.com", &q);
	ok(err != NULL && err->code == ERR_NOT_FOUND, "and nobody is refused");
	db_rollback(&c);
}

/* ---- rights */

static struct membership *
join(struct person *p, enum membership_kind kind, const char *place, const char *account,
    const char *role)
{
	struct membership *m = arena_alloc(&arena, sizeof(*m));

	m->person_id = p->id;
	m->kind = kind;
	m->place = place;
	m->account = account;
	m->rights = membership_role_rights(role);
	m->invited_name = "D.";
	m->invited_email = "";
	m->invited_by = "";
	membership_insert(&c, m);
	return m;
}

static void
test_rights(void)
{
	struct person *p, *operator;
	struct membership *m;

	write_begin();
	p = make_person("w@example.com");
	m = join(p, MEMBERSHIP_WORKSPACE, WORKSPACE, ACCOUNT, "writer");
	is_int(membership_rights(&c, p->id, ACCOUNT, WORKSPACE), 0, "an invitation gives no right");
	membership_begin(&c, m->id);
	is_int(membership_rights(&c, p->id, ACCOUNT, WORKSPACE), RIGHT_READ | RIGHT_WRITE,
	    "a membership that began gives its rights");
	is_int(membership_rights(&c, p->id, ACCOUNT, NULL), 0,
	    "a workspace's membership does not reach the account");
	is_int(membership_rights(&c, p->id, OTHER, WORKSPACE), RIGHT_READ | RIGHT_WRITE,
	    "the place itself counts");
	is_int(membership_rights(&c, p->id, OTHER, OTHER), 0, "another customer's place is closed");
	membership_begin(&c, join(p, MEMBERSHIP_ACCOUNT, ACCOUNT, ACCOUNT, "reviewer")->id);
	is_int(membership_rights(&c, p->id, ACCOUNT, WORKSPACE),
	    RIGHT_READ | RIGHT_WRITE | RIGHT_PUBLISH,
	    "rights of an account and its workspace add up");
	is_int(membership_rights(&c, p->id, NULL, NULL), 0, "neither reaches the instance");

	operator= make_person("o@example.com");
	membership_begin(&c, join(operator, MEMBERSHIP_INSTANCE, "", "", "operator")->id);
	is_int(membership_rights(&c, operator->id, OTHER, OTHER), RIGHT_ALL,
	    "an operator reaches everything");
	ok(!person_operator_exists(&c), "an operator without a password is none yet");
	person_set_password(&c, operator->id, "x");
	ok(person_operator_exists(&c), "with one there is an operator");
	is_int(membership_count(&c, "", RIGHT_MANAGE), 1, "operators are counted");
	person_disable(&c, operator->id, true);
	is_int(
	    membership_rights(&c, operator->id, OTHER, OTHER), 0, "who is disabled may do nothing");
	ok(!person_operator_exists(&c), "and is no operator");
	person_disable(&c, operator->id, false);
	is_int(membership_rights(&c, operator->id, OTHER, OTHER), RIGHT_ALL,
	    "enabled again it is as before");

	m = membership_find(&c, p->id, WORKSPACE);
	is_text(membership_role(m), "writer", "a preset has a name");
	membership_set(&c, m->id, RIGHT_READ | RIGHT_MANAGE);
	m = membership_of(&c, m->id);
	is_text(membership_role(m), "", "another mix has none");
	membership_delete(&c, m->id);
	ok(membership_find(&c, p->id, WORKSPACE) == NULL, "a membership ends");
	is_int(membership_role_rights("king"), 0, "there is no other role");
	db_commit(&c);
}

/* ---- sessions */

static void
test_sessions(void)
{
	char token[SESSION_TOKEN + 1], other[SESSION_TOKEN + 1], form[33], again[33];
	struct session *s;
	struct person *p, *who;
	int64_t began;

	write_begin();
	p = make_person("s@example.com");
	session_insert(&c, p->id, true, false, "192.0.2.1", "Browser", token);
	db_commit(&c);
	began = c.now;

	db_begin_read(&c, DB_CONSOLE);
	is_int(session_check(&c, token, &s, &who), SESSION_HALF,
	    "before the second step a session is half");
	ok(who != NULL && who->id == p->id, "it is the person's");
	is_int(session_check(&c, "no token", &s, &who), SESSION_NONE, "another text is no token");
	memcpy(other, token, sizeof(other));
	other[3] = other[3] == 'a' ? 'b' : 'a';
	is_int(session_check(&c, other, &s, &who), SESSION_NONE,
	    "a token with another letter is none");
	(void)session_check(&c, token, &s, &who);
	db_rollback(&c);

	write_begin();
	is_int(session_attempt(&c, s, 1), 1, "attempts are counted");
	is_int(session_attempt(&c, s, 1), 2, "each of them");
	is_int(session_attempt(&c, s, -1), 1, "and may come back");
	session_renew(&c, s, other);
	is_int(session_check(&c, token, &s, &who), SESSION_NONE,
	    "a renewed session has another token");
	is_int(session_check(&c, other, &s, &who), SESSION_GOOD, "which is good");
	ok(session_is_live(&c, s), "the session lives");
	session_form_token(s, form);
	session_form_token(s, again);
	is_text(form, again, "its forms have one token");
	db_commit(&c);

	session_used(&c, s);
	db_begin_read(&c, DB_CONSOLE);
	c.now = began + (int64_t)11 * 3600 * CLOCK_SECOND;
	is_int(session_check(&c, other, &s, &who), SESSION_GOOD, "it lives for hours without use");
	c.now = began + (int64_t)13 * 3600 * CLOCK_SECOND;
	is_int(session_check(&c, other, &s, &who), SESSION_ENDED, "and ends by time after twelve");
	db_rollback(&c);

	write_begin();
	session_insert(
	    &c, p->id, false, true, "192.0.2.1", arena_printf(&arena, "%0199d\xc3\xbc", 1), token);
	(void)session_check(&c, token, &s, &who);
	is_int((long long)strlen(s->browser), 199, "a long browser is cut between letters");
	session_delete_all(&c, p->id, s->id);
	is_int(session_check(&c, other, &s, &who), SESSION_NONE, "all others can be ended");
	is_int(session_check(&c, token, &s, &who), SESSION_GOOD, "this one stays");
	person_disable(&c, p->id, true);
	is_int(
	    session_check(&c, token, &s, &who), SESSION_NONE, "a disabled person has no session");
	ok(who == NULL && s == NULL, "and nobody is told");
	db_commit(&c);
}

/* ---- numbers of forms */

static void
test_numbers(enum db_store store)
{
	char number[FORMNUMBER_TEXT], bent[FORMNUMBER_TEXT];
	struct formnumber f = { .number = number, .person = ACCOUNT, .route = "/x/keys" };
	struct formnumber other;
	const char *answer = NULL;

	db_begin_write(&c, store, DB_CHANGES_NOTHING, 0, 0);
	formnumber_draw(&c, ACCOUNT, "/x/keys", number);
	is_int(formnumber_check(&c, &f), FORMNUMBER_GOOD, "a fresh number is good");
	other = f;
	other.route = "/x/people";
	is_int(formnumber_check(&c, &other), FORMNUMBER_FOREIGN, "it belongs to its address");
	other = f;
	other.person = OTHER;
	is_int(formnumber_check(&c, &other), FORMNUMBER_FOREIGN, "and to its person");
	memcpy(bent, number, sizeof(bent));
	bent[2] = bent[2] == '0' ? '1' : '0';
	other = f;
	other.number = bent;
	is_int(formnumber_check(&c, &other), FORMNUMBER_FOREIGN, "nobody makes it younger");
	other.number = NULL;
	is_int(formnumber_check(&c, &other), FORMNUMBER_FOREIGN, "none is none");

	is_int(formnumber_spend(&c, &f, "/x/keys", &answer), FORMNUMBER_FRESH, "it is spent once");
	is_int(formnumber_spend(&c, &f, "/elsewhere", &answer), FORMNUMBER_SAME,
	    "the same form is known");
	is_text(answer, "/x/keys", "with its first answer");
	other = f;
	other.digest[0] = 1;
	is_int(formnumber_spend(&c, &other, "", &answer), FORMNUMBER_OTHER,
	    "another content is not the same form");
	formnumber_answer(&c, &f, "/x/keys/new");
	(void)formnumber_spend(&c, &f, "", &answer);
	is_text(answer, "/x/keys/new", "an answer may be known later");

	c.now += (int64_t)24 * 3600 * CLOCK_SECOND + 1;
	is_int(formnumber_check(&c, &f), FORMNUMBER_OLD, "after a day it is old");
	formnumber_sweep(&c);
	is_int(formnumber_spend(&c, &f, "", &answer), FORMNUMBER_FRESH, "old numbers are removed");
	db_rollback(&c);
}

/* ---- two stores */

static struct err *
count_people(struct ctx *ctx, void *arg)
{
	int64_t *count = arg;

	*count = db_one_int(ctx, -1, "SELECT count(*) FROM person /*scan*/");
	return NULL;
}

static struct err *
no_entry(struct ctx *ctx, struct gate *gate)
{
	(void)gate;
	return refuse(ctx, ERR_FORBIDDEN, "Not now.");
}

static void
test_stores(void)
{
	struct gate gate = { .enter = no_entry };
	int64_t count = -1, now;
	struct err *err;

	db_begin_write(&c, DB_CONTENT, DB_CHANGES_NOTHING, 0, 0);
	now = c.now;
	must(db_aside(&c, DB_CONSOLE, count_people, &count));
	ok(count > 0, "a change of content can look at people");
	ok(c.now == now && db_present(&c) == DB_CONTENT, "and goes on where it was");
	c.gate = &gate;
	err = gate_pass(&c);
	ok(err != NULL && gate.passed, "a gate refuses");
	c.gate = NULL;
	db_rollback(&c);
}

int
main(void)
{
	begin();
	test_files();
	test_emails();
	test_persons();
	test_rights();
	test_sessions();
	test_numbers(DB_CONSOLE);
	test_numbers(DB_CONTENT);
	test_stores();
	end();
	return done_testing();
}
