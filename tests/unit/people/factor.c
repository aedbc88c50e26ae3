/*
 * The second factor of a person, and the waits after failures.
 *
 * suite: fast
 */
#include "people/factor.h"

#include "people/throttle.h"
#include "tests/unit/people/place.h"

#define UUID "3f2a9c10-5b7e-4c8d-9a41-6f0d2e7b8c55"
#define MINUTE (60 * CLOCK_SECOND)

static unsigned char secret[TOTP_SECRET];
static int64_t dana;

/* Checks a code at `at` microseconds after the beginning, as a sign-in does. */
static int
checked(int64_t at, const char *typed, int *wait_s)
{
	int result;

	db_begin_write(&c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	c.now = PLACE_NOW + at;
	result = (int)factor_check(&c, dana, typed, wait_s);
	db_commit(&c);
	return result;
}

static const char *
code_at(int64_t at)
{
	return arena_printf(&arena, "%06u", (unsigned)totp_code(secret, totp_step(PLACE_NOW + at)));
}

static struct factor_state
state_at(int64_t at)
{
	struct factor_state s;

	db_begin_read(&c, DB_CONSOLE);
	c.now = PLACE_NOW + at;
	factor_state(&c, dana, &s);
	db_rollback(&c);
	return s;
}

static void
an_offer_belongs_to_its_person(void)
{
	unsigned char again[TOTP_SECRET];
	const char *offer = factor_offer(&c, UUID, secret);

	ok(factor_offered(&c, UUID, offer, again) && memcmp(again, secret, TOTP_SECRET) == 0,
	    "the offer of a secret opens for the person");
	ok(!factor_offered(&c, "3f2a9c10-5b7e-4c8d-9a41-6f0d2e7b8c56", offer, again),
	    "not for another one");
	ok(!factor_offered(&c, UUID, "", again) && !factor_offered(&c, UUID, "x y", again),
	    "no other text is an offer");
}

static void
it_is_set_with_a_code(void)
{
	struct err *err;
	int wait_s;

	is_int(checked(0, "123456", &wait_s), FACTOR_WRONG, "without a factor no code is right");
	db_begin_write(&c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	c.now = PLACE_NOW;
	err = factor_set(&c, dana, secret, code_at(5 * MINUTE));
	ok(err != NULL && err->code == ERR_INVALID && strcmp(err->param, "code") == 0,
	    "another code sets nothing");
	ok(!person_of(&c, dana)->has_factor, "there is no factor then");
	ok(factor_set(&c, dana, secret, code_at(0)) == NULL, "the code of now sets it");
	ok(person_of(&c, dana)->has_factor, "there is one then");
	db_commit(&c);
	is_int(checked(0, code_at(0), &wait_s), FACTOR_WRONG, "that code is spent");
	is_int(checked(MINUTE, code_at(MINUTE), &wait_s), FACTOR_RIGHT, "the next one is right");
	is_int(checked(MINUTE, code_at(MINUTE), &wait_s), FACTOR_WRONG, "once");
	is_int(state_at(MINUTE).failures, 1, "a spent code counts as a failure");
}

static void
the_secret_is_not_in_the_file(void)
{
	struct stmt *q;
	const void *bytes;
	size_t len;

	db_begin_read(&c, DB_CONSOLE);
	q = db_prepare(&c, "SELECT factor FROM person WHERE id = :id", db_i(":id", dana));
	if (!db_row(q))
		bail("no row");
	bytes = db_bytes(q, 0, &len);
	ok(len > TOTP_SECRET && memmem(bytes, len, secret, TOTP_SECRET) == NULL,
	    "the secret is stored sealed");
	db_rollback(&c);
}

static void
recovery_codes_work_once(void)
{
	const char *codes[FACTOR_CODES], *older;
	int wait_s;

	db_begin_write(&c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	factor_draw_codes(&c, dana, codes);
	older = codes[0];
	factor_draw_codes(&c, dana, codes);
	db_commit(&c);
	is_int(state_at(0).codes_left, 10, "there are ten");
	is_int((int64_t)strlen(codes[0]), 19, "of four groups: 16 letters");
	is_int(checked(0, older, &wait_s), FACTOR_WRONG, "older codes work no more");
	is_int(checked(0, codes[3], &wait_s), FACTOR_RECOVERED, "one works");
	is_int(checked(0, codes[3], &wait_s), FACTOR_WRONG, "once");
	is_int(checked(0,
		   arena_printf(&arena, "%.4s-%.4s-%.4s-%.4s", codes[4], codes[4] + 5,
		       codes[4] + 10, codes[4] + 15),
		   &wait_s),
	    FACTOR_RECOVERED, "with hyphens, too");
	is_int(state_at(0).codes_left, 8, "eight are left");
	is_int(checked(0, "AAAA AAAA AAAA AAA", &wait_s), FACTOR_WRONG, "no shorter code");
}

static void
failures_make_the_person_wait(void)
{
	static const int waits_s[] = { 60, 120, 240, 480, 960 };
	int64_t at = 60 * MINUTE;
	int wait_s;

	is_int(checked(at - MINUTE, code_at(at - MINUTE), &wait_s), FACTOR_RIGHT,
	    "a right code forgets failures");
	for (int i = 0; i < 9; i++)
		checked(at, "000000", &wait_s);
	is_int(checked(at, code_at(at), &wait_s), FACTOR_RIGHT, "nine failures are borne");
	at += 2 * MINUTE;
	for (int i = 0; i < 10; i++)
		checked(at, "000000", &wait_s);
	for (int i = 0; i < 5; i++) {
		is_int(checked(at + CLOCK_SECOND, code_at(at), &wait_s), FACTOR_WAIT,
		    "a right code must wait as well");
		is_int(wait_s, waits_s[i] - 1, "for %d s", waits_s[i]);
		at += waits_s[i] * CLOCK_SECOND;
		is_int(checked(at, "000000", &wait_s), FACTOR_WRONG, "then the next may come");
	}
	ok(state_at(at).wait_until > PLACE_NOW + at, "the person is told");
	db_begin_write(&c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	factor_forgive(&c, dana);
	db_commit(&c);
	is_int(checked(at, code_at(at), &wait_s), FACTOR_RIGHT, "a reset ends the wait");
	db_begin_write(&c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	factor_remove(&c, dana);
	db_commit(&c);
	at += 2 * MINUTE;
	is_int(checked(at, code_at(at), &wait_s), FACTOR_WRONG, "a removed factor is none");
	ok(!state_at(at).exists && state_at(at).codes_left == 0, "nor are its codes there");
}

static void
waits_have_an_end(void)
{
	struct wait w = { 0 };
	int64_t longest = 15 * MINUTE, now = PLACE_NOW;

	for (int i = 0; i < 9; i++)
		wait_count(&w, now, longest);
	is_int(wait_left_s(&w, now, longest), 0, "nine failures make nobody wait");
	wait_count(&w, now + 10 * MINUTE, longest);
	is_int(w.failures, 1, "after ten minutes the count begins again");
	now += 10 * MINUTE;
	for (int i = 0; i < 60; i++)
		wait_count(&w, now, longest);
	is_int(wait_left_s(&w, now, longest), 900, "no wait is longer than the longest");
	is_int(wait_left_s(&w, now - CLOCK_DAY, longest), 0,
	    "a clock that was set back locks nobody out");
	wait_count(&w, now + 15 * MINUTE + CLOCK_DAY - 1, longest);
	is_int(wait_left_s(&w, now + 15 * MINUTE + CLOCK_DAY - 1, longest), 900,
	    "they are remembered for a day");
	wait_count(&w, w.until + CLOCK_DAY, longest);
	is_int(w.failures, 1, "and then forgotten");
}

int
main(void)
{
	place_begin();
	dana = place_person("dana@example.com");
	an_offer_belongs_to_its_person();
	it_is_set_with_a_code();
	the_secret_is_not_in_the_file();
	recovery_codes_work_once();
	failures_make_the_person_wait();
	waits_have_an_end();
	place_end();
	return done_testing();
}
