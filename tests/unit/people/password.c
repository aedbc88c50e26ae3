/*
 * What a password must be, and how it is hashed.
 *
 * suite: fast
 */
#include "people/password.h"

#include <poll.h>
#include <sys/wait.h>

#include <argon2.h>

#include "base/encoding.h"
#include "tests/unit/people/place.h"

static const char *const names[] = { "The Garden of Dana Whitfield", "dana@bakery.example",
	"\xc3\x89lo\xc3\xafse" };

/* The sentence of the refusal; NULL: it was accepted, and *out is its normal form. */
static const char *
refusal(const char *typed, bool has_factor, const char **out)
{
	struct err *err =
	    password_read(&c, typed, has_factor, names, sizeof(names) / sizeof(names[0]), out);

	if (err == NULL)
		return NULL;
	if (err->code != ERR_INVALID || strcmp(err->param, "password") != 0)
		return "a refusal of another kind";
	return err->message;
}

static void
a_new_password_is_read(void)
{
	static const char shorter[] = "A password has at least 12 characters.";
	static const char common[] =
	    "This is one of the 10,000 most common passwords. Choose another one.";
	static const char left[] = "Without the names in it a password has at least 8 characters.";
	static const char one[] = "A password must not be one letter again and again.";
	static const struct {
		const char *typed, *refusal;
		bool has_factor;
	} rows[] = {
		{ "quiet river stone", NULL, false },
		{ "quiet river", shorter, false },
		{ "quiet river!", NULL, false },
		{ "quiet ri", NULL, true },
		{ "quiet r", "A password has at least 8 characters.", true },
		/* characters count, not bytes */
		{ "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc", shorter, false },
		{ "password", common, true },
		{ "PassWord", common, true },
		{ "1qaz2wsx3edc", common, false },
		{ "aaaaaaaaaaaaaaaa", one, false },
		{ "aAaAaAaAaAaAaAaA", one, false },
		{ "GardenGarden1234567", left, false },
		{ "garden-quietriver", NULL, false },
		{ "WHITFIELD2024", left, false },
		{ "bakerybakerybakery1", left, false },
		{ "xx\xc3\x89LO\xc3\x8fSExxx12", left, false },
		/* a name of four letters may be in it */
		{ "danadanadana", NULL, false },
		{ "gardenpassword", common, false },
		{ "whitfieldzzzzzzzzz", one, false },
	};
	const char *out = "";

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		is_text(refusal(rows[i].typed, rows[i].has_factor, &out), rows[i].refusal, "%s%s",
		    rows[i].typed, rows[i].has_factor ? " with a factor" : "");
	is_text(refusal("\xef\xbd\x91uiet river\xc2\xa0stone", false, &out), NULL,
	    "a full-width letter is accepted");
	is_text(out, "quiet river stone", "and is the usual one in NFKC");
}

static void
the_longest_password(void)
{
	char text[PASSWORD_MAX + 2];
	const char *out;

	for (size_t i = 0; i < sizeof(text) - 1; i++)
		text[i] = (char)('a' + i % 23);
	text[PASSWORD_MAX + 1] = '\0';
	is_text(refusal(text, false, &out), "A password has at most 256 characters.",
	    "257 characters are too many");
	text[PASSWORD_MAX] = '\0';
	is_text(refusal(text, false, &out), NULL, "256 are accepted");
}

static void
common_passwords_are_known(void)
{
	ok(password_is_common("password"), "the first of the list is known");
	ok(password_is_common("trustno1"), "one of the middle is known");
	ok(!password_is_common("passworc"), "a neighbour is not");
	ok(!password_is_common(""), "nor is the empty text");
}

static const struct password_asker stranger = { .login = "dana@bakery.example" };

static const char *
hash(const char *password)
{
	const char *phc = NULL;
	struct err *err = password_hash(&c, password, stranger, &phc);

	if (err != NULL)
		bail("%s", err->message);
	return phc;
}

static int
check(const char *typed, const char *phc)
{
	enum password_state state;
	struct err *err = password_check(&c, typed, phc, stranger, &state);

	return err != NULL ? -1 : (int)state;
}

static void
a_hash_comes_back(void)
{
	static const char begin[] = "$argon2id$v=19$m=19456,t=2,p=1$";
	const char *phc = hash("quiet river stone");

	ok(strncmp(phc, begin, sizeof(begin) - 1) == 0, "it is a PHC string: %s", phc);
	is_int((int64_t)strlen(phc), (int64_t)sizeof(begin) - 1 + 22 + 1 + 43,
	    "with a salt of 16 bytes and a hash of 32");
	ok(strcspn(phc, "-_") == strlen(phc), "in the usual alphabet");
	is_int(check("quiet river stone", phc), PASSWORD_RIGHT, "the password is right");
	is_int(check("quiet\xc2\xa0river \xef\xbd\x93tone", phc), PASSWORD_RIGHT,
	    "in another spelling, too");
	is_int(check("quiet river stonE", phc), PASSWORD_WRONG, "another one is wrong");
	is_int(check("", phc), PASSWORD_WRONG, "so is none");
	is_int(check("quiet river stone", NULL), PASSWORD_WRONG,
	    "where no password was set every one is wrong");
	ok(strcmp(hash("quiet river stone"), phc) != 0, "each hash has its own salt");
}

/* The usual argon2id without the key must not find the password. */
static void
the_secret_is_needed(void)
{
	char phc[200];

	if (argon2id_hash_encoded(2, 19456, 1, "quiet river stone", 17, "0123456789abcdef", 16, 32,
		phc, sizeof(phc)) != ARGON2_OK)
		bail("argon2");
	is_int(check("quiet river stone", phc), PASSWORD_WRONG,
	    "a hash without the key of people/secret is another one");
	snprintf(phc, sizeof(phc), "%s", hash("quiet river stone"));
	ok(argon2id_verify(phc, "quiet river stone", 17) == ARGON2_VERIFY_MISMATCH,
	    "and argon2 alone reads ours and does not find the password");
}

/* A hash of older parameters, keyed as ours. */
static void
a_hash_of_fewer_passes_is_old(void)
{
	unsigned char key[SECRET_SIZE], out[32], salt[16] = "0123456789abcde";
	char password[] = "quiet river stone", *encoded, *encoded_salt;
	argon2_context a = { .out = out,
		.outlen = sizeof(out),
		.pwd = (uint8_t *)password,
		.pwdlen = sizeof(password) - 1,
		.salt = salt,
		.saltlen = sizeof(salt),
		.secret = key,
		.secretlen = sizeof(key),
		.m_cost = 8192,
		.t_cost = 1,
		.lanes = 1,
		.threads = 1,
		.version = ARGON2_VERSION_13 };

	secret_key(&c, "galley password 1", key);
	if (argon2_ctx(&a, Argon2_id) != ARGON2_OK)
		bail("argon2");
	encoded = base64_encode(&arena, out, sizeof(out));
	encoded_salt = base64_encode(&arena, salt, sizeof(salt));
	for (char *p = encoded; *p != '\0'; p++)
		*p = *p == '-' ? '+' : *p == '_' ? '/' : *p;
	is_int(
	    check("quiet river stone",
		arena_printf(&arena, "$argon2id$v=19$m=8192,t=1,p=1$%s$%s", encoded_salt, encoded)),
	    PASSWORD_RIGHT_OLD, "a right password with old parameters is hashed again");
	is_int(check("another one", arena_printf(&arena, "$argon2id$v=19$m=8192,t=1,p=1$%s$%s",
					encoded_salt, encoded)),
	    PASSWORD_WRONG, "a wrong one is wrong");
}

/* How a process ends that checks against a damaged string. */
static int
end_of_check(const char *phc)
{
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		if (freopen("/dev/null", "w", stderr) == NULL)
			_exit(99);
		(void)!check("quiet river stone", phc);
		_exit(0);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void
a_damaged_hash_is_a_failure(void)
{
	static const char tail[] =
	    "$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY";
	static const struct {
		const char *head, *name;
		bool whole;
	} rows[] = {
		{ "$argon2id$v=19$m=19456,t=2,p=1", "the string of this test", true },
		{ "$argon2i$v=19$m=19456,t=2,p=1", "another algorithm", false },
		{ "$argon2id$v=16$m=19456,t=2,p=1", "another version", false },
		{ "$argon2id$v=19$m=4000000000,t=2,p=1", "too much memory", false },
		{ "$argon2id$v=19$m=19456,t=4000000000,p=1", "too many passes", false },
		{ "$argon2id$v=19$m=19456,t=2,p=0", "no lane", false },
		{ "$argon2id$v=19$m=19456", "missing parameters", false },
		{ "", "no head", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ok((end_of_check(arena_printf(&arena, "%s%s", rows[i].head, tail)) == 0) ==
			rows[i].whole,
		    "%s", rows[i].name);
	ok(end_of_check("$argon2id$v=19$m=19456,t=2,p=1$MDEy$MDEy") != 0,
	    "short bytes are damaged");
}

/* Takes a slot in a child, which keeps it until the pipe is closed; whether it could. */
static bool
child_takes(const char *login, bool is_known, const int until[2], pid_t *child)
{
	int told[2];
	char got = 0;

	if (pipe(told) != 0 || (*child = fork()) < 0)
		bail("no child");
	if (*child == 0) {
		struct password_slot slot;
		struct err *err = password_slot_take(&c, login, is_known, &slot);
		bool refused =
		    err != NULL && err->code == ERR_UNAVAILABLE && err->retry_after_s == 2;
		close(until[1]);
		(void)!write(told[1], err == NULL ? "y" : refused ? "n" : "?", 1);
		(void)!read(until[0], &got, 1);
		_exit(0);
	}
	close(told[1]);
	(void)!read(told[0], &got, 1);
	close(told[0]);
	if (got != 'y' && got != 'n')
		bail("a child said %c", got);
	return got == 'y';
}

static void
four_hash_at_once(void)
{
	struct password_slot slot;
	int until[2];
	pid_t children[6];
	const char *phc;

	if (pipe(until) != 0)
		bail("no pipe");
	for (int i = 0; i < 3; i++)
		ok(child_takes(
		       arena_printf(&arena, "%d@example.com", i), false, until, &children[i]),
		    "stranger %d has a slot", i + 1);
	ok(!child_takes("3@example.com", false, until, &children[3]), "the fourth has none");
	ok(password_hash(&c, "quiet river stone", stranger, &phc) != NULL,
	    "and no password of a stranger is hashed");
	ok(child_takes("4@example.com", true, until, &children[4]), "a known asker has the last");
	ok(!child_takes("5@example.com", true, until, &children[5]), "the fifth process has none");
	close(until[1]);
	for (int i = 0; i < 6; i++)
		waitpid(children[i], NULL, 0);
	close(until[0]);
	ok(password_slot_take(&c, stranger.login, false, &slot) == NULL,
	    "slots of processes that ended are free");
	password_slot_release(&slot);
}

static void
a_login_has_one_slot(void)
{
	int until[2];
	pid_t children[3];

	if (pipe(until) != 0)
		bail("no pipe");
	ok(child_takes("dana@example.com", false, until, &children[0]), "a login has a slot");
	ok(!child_takes("dana@example.com", true, until, &children[1]),
	    "and no second one at the same time, nor one for a known asker");
	ok(child_takes("eve@example.com", false, until, &children[2]), "another login has one");
	close(until[1]);
	for (int i = 0; i < 3; i++)
		waitpid(children[i], NULL, 0);
	close(until[0]);
}

/* A child keeps the login until the pipe is closed, which a second one does soon. */
static void
the_second_press_waits(void)
{
	struct password_slot slot;
	int until[2];
	pid_t first, second;

	if (pipe(until) != 0)
		bail("no pipe");
	if (!child_takes("dana@example.com", false, until, &first))
		bail("the login is not free");
	second = fork();
	if (second == 0) {
		(void)poll(NULL, 0, 20);
		_exit(0);
	}
	close(until[0]);
	close(until[1]);
	ok(password_slot_take(&c, "dana@example.com", false, &slot) == NULL,
	    "a form that is sent twice at once waits for the first");
	password_slot_release(&slot);
	waitpid(first, NULL, 0);
	waitpid(second, NULL, 0);
}

int
main(void)
{
	place_begin();
	a_new_password_is_read();
	the_longest_password();
	common_passwords_are_known();
	a_hash_comes_back();
	the_secret_is_needed();
	a_hash_of_fewer_passes_is_old();
	a_damaged_hash_is_a_failure();
	four_hash_at_once();
	a_login_has_one_slot();
	the_second_press_waits();
	place_end();
	return done_testing();
}
