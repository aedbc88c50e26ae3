/*
 * How often a password may be tried, and by whom; and the browsers that are known.
 *
 * suite: fast
 */
#include "people/throttle.h"

#include <sys/wait.h>

#include "access/day-key.h"
#include "base/fileio.h"
#include "people/session.h"
#include "tests/unit/people/place.h"

#define MINUTE (60 * CLOCK_SECOND)

static void
write_key(const char *folder, const char *name)
{
	char key[SECRET_SIZE] = { 0 };

	memcpy(key, name, strlen(name));
	if (!fileio_make_folder(folder, 0700) ||
	    !fileio_replace(&arena, fileio_path(&arena, folder, name), key, sizeof(key), 0600))
		bail("%s has no key", folder);
}

/* Keys decide which logins and addresses share a place: with those that an instance draws, two of
 * this test do in one run of three hundred; with these, never. */
static void
write_keys(void)
{
	char date[CLOCK_TEXT];

	write_key(secret_folder(&c), "secret");
	for (int day = -1; day <= 2; day++) {
		clock_format_date(date, PLACE_NOW + day * CLOCK_DAY);
		write_key(day_key_folder(&c), date);
	}
}

/* Takes a try at `at` microseconds after the beginning: 0, or the seconds to wait; -1:
 * the throttle is closed. */
static int
try_with(int64_t at, struct throttle *t)
{
	struct err *err;

	c.now = PLACE_NOW + at;
	err = throttle_take(&c, t);
	if (err == NULL)
		return 0;
	return err->code == ERR_RATE_LIMITED ? err->retry_after_s : -1;
}

static int
tried(int64_t at, const char *login, const char *address)
{
	struct throttle t = { .login = login, .address = address };

	return try_with(at, &t);
}

/* An address of its own for each try. */
static const char *
another_address(void)
{
	static int count;

	count++;
	return arena_printf(&arena, "198.%d.%d.7", 51 + count / 250, count % 250);
}

static void
a_login_waits(void)
{
	static const int waits_s[] = { 60, 120, 240, 480, 900, 900 };
	int64_t at = 0;

	for (int i = 0; i < 10; i++)
		is_int(tried(at, "a@example.com", another_address()), 0, "try %d may come", i + 1);
	for (int i = 0; i < 6; i++) {
		is_int(tried(at, "a@example.com", another_address()), waits_s[i], "then %d s pass",
		    waits_s[i]);
		is_int(
		    tried(at + waits_s[i] * CLOCK_SECOND - 1, "a@example.com", another_address()),
		    1, "all of them");
		at += waits_s[i] * CLOCK_SECOND;
		is_int(tried(at, "a@example.com", another_address()), 0, "and one more may come");
	}
	is_int(tried(at, "b@example.com", another_address()), 0, "another login does not wait");
	throttle_forgive(&c, "a@example.com");
	is_int(tried(at, "a@example.com", another_address()), 0, "a reset ends the wait");
}

/* Ends the tries of a login that may come at `at`, in a browser of its own: all were right.
 * Returns how many that were. */
static int
right_ones(int64_t at, const char *login, int64_t device, int tries)
{
	int count = 0;

	for (int i = 0; i < tries; i++) {
		struct throttle t = { .login = login, .address = "192.0.2.1", .device = device };
		if (try_with(at, &t) == 0) {
			throttle_return(&c, &t, true);
			count++;
		}
	}
	return count;
}

static void
a_right_password_forgets_failures(void)
{
	for (int i = 0; i < 9; i++)
		tried(0, "c@example.com", another_address());
	is_int(right_ones(0, "c@example.com", 0, 15), 15, "right passwords are no failure");
	for (int i = 0; i < 9; i++)
		is_int(tried(0, "c@example.com", another_address()), 0,
		    "nine more may be wrong (%d)", i + 1);
	for (int i = 0; i < 6; i++)
		right_ones(0, arena_printf(&arena, "c%d@example.com", i), 0, 5);
	is_int(tried(0, "other@example.com", "192.0.2.1"), 0, "nor is one of their address");
}

static void
right_passwords_are_counted(void)
{
	const int64_t end = 10 * MINUTE;

	is_int(right_ones(0, "f@example.com", 0, 12), 12, "twelve right passwords may come");
	is_int(right_ones(MINUTE, "f@example.com", 7, 12), 8,
	    "then eight of a browser that is known: twenty of a login");
	is_int(tried(MINUTE, "f@example.com", another_address()), 540, "then all wait");
	throttle_forgive(&c, "f@example.com");
	is_int(tried(end - 1, "f@example.com", another_address()), 1,
	    "until the ten minutes are over");
	is_int(right_ones(0, "g@example.com", 0, 1), 1, "another login does not");
	is_int(right_ones(end, "f@example.com", 0, 25), 20, "then twenty more may come");
}

/* Nothing was compared: no slot was free, or the machine had no memory. */
static void
what_was_not_compared_does_not_count(void)
{
	struct throttle t = { .login = "h@example.com", .address = "192.0.2.33" };
	int refused = 0;

	for (int i = 0; i < 50; i++) {
		refused += try_with(0, &t) != 0;
		throttle_return(&c, &t, false);
	}
	is_int(refused, 0, "fifty tries that came back are no failure, for login and address");
	for (int i = 0; i < 9; i++)
		tried(0, t.login, another_address());
	is_int(try_with(0, &t), 0, "a tenth may come");
	throttle_return(&c, &t, false);
	is_int(try_with(0, &t), 0, "it came back, so another one may");
	is_int(
	    tried(0, t.login, another_address()), 60, "the failures before it are not forgotten");
	is_int(try_with(60 * CLOCK_SECOND, &t), 0, "when they had waited one more may come");
	throttle_return(&c, &t, false);
	is_int(try_with(60 * CLOCK_SECOND, &t), 0, "and again, as it came back");
	is_int(tried(60 * CLOCK_SECOND, t.login, another_address()), 120,
	    "and then the wait is longer");
}

static void
an_address_waits(void)
{
	struct throttle t = { .address = "203.0.113.9" };

	for (int i = 0; i < 30; i++)
		try_with(i * CLOCK_SECOND, &t);
	is_int(try_with(30 * CLOCK_SECOND, &t), 270, "an address has 30 tries in 5 minutes");
	is_int(
	    tried(30 * CLOCK_SECOND, "d@example.com", "::ffff:203.0.113.9"), 270, "in either form");
	is_int(tried(30 * CLOCK_SECOND, "d@example.com", "203.0.113.10"), 0,
	    "its neighbour has its own");
	is_int(try_with(300 * CLOCK_SECOND, &t), 0, "when the first leaves, one may come");
	is_int(try_with(300 * CLOCK_SECOND, &t), 1, "and no more");
}

static void
a_site_waits(void)
{
	int passing = 0;

	for (int i = 0; i < 200; i++)
		passing += tried(0, NULL, arena_printf(&arena, "2001:db8:7:%x::1", i + 1)) == 0;
	is_int(passing, 120, "a /48 has 120 tries");
	passing = 0;
	for (int i = 0; i < 40; i++)
		passing += tried(0, NULL, arena_printf(&arena, "2001:db8:1:1::%x", i + 1)) == 0;
	is_int(passing, 30, "a /64 is one address");
}

static void
most_people_come_from_a_proxy(void)
{
	struct throttle t = { .address = "192.0.2.80" };

	for (int i = 0; i < 40; i++)
		try_with(0, &t);
	for (int i = 0; i < 200; i++)
		throttle_note(&c, "192.0.2.80", 1);
	ok(try_with(0, &t) > 0, "however often a person comes, the address is no proxy");
	for (int i = 0; i < 200; i++)
		throttle_note(&c, "192.0.2.80", 1 + i % 2);
	ok(try_with(0, &t) > 0, "nor with two");
	throttle_note(&c, "192.0.2.80", 3);
	is_int(try_with(0, &t), 0, "where all of three people come from is a proxy");
	throttle_note(&c, "192.0.2.81", 4);
	ok(try_with(0, &t) > 0, "where three of four come from is none");
	for (int i = 5; i < 11; i++)
		throttle_note(&c, "192.0.2.80", i);
	is_int(try_with(0, &t), 0, "where nine of ten come from is one");
	for (int i = 0; i < 10; i++)
		throttle_note(&c, "192.0.2.81", 9);
	ok(try_with(0, &t) > 0, "until one more comes from elsewhere");
	for (int i = 20; i < 120; i++)
		throttle_note(&c, "192.0.2.80", i);
	is_int(try_with(0, &t), 0, "a hundred people are remembered");
}

/* Addresses are keyed by the day; PLACE_NOW is at eight o'clock. */
static void
a_day_ends(void)
{
	const int64_t midnight = 16 * 60 * MINUTE;
	struct throttle t = { .address = "192.0.2.90" };

	for (int i = 0; i < 40; i++)
		try_with(midnight - 2, &t);
	ok(try_with(midnight - 1, &t) > 0, "an address waits until midnight");
	is_int(try_with(midnight, &t), 0, "and is another one then");
	c.now = PLACE_NOW + midnight - 1;
	for (int i = 0; i < 100; i++)
		throttle_note(&c, "192.0.2.90", 200 + i);
	for (int i = 0; i < 40; i++)
		try_with(midnight + MINUTE, &t);
	is_int(try_with(midnight + MINUTE, &t), 0, "who was a proxy still is one");
	for (int i = 0; i < 40; i++)
		try_with(midnight + 12 * 60 * MINUTE, &t);
	ok(try_with(midnight + 12 * 60 * MINUTE, &t) > 0, "until the key of that day is gone");
}

static int64_t
add_device(int64_t at, int64_t person, char token[DEVICE_TOKEN + 1])
{
	int64_t id;

	db_begin_write(&c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	c.now = PLACE_NOW + at;
	device_insert(&c, person, token);
	id = device_find(&c, person, token);
	db_commit(&c);
	return id;
}

static int64_t
find_device(int64_t at, int64_t person, const char *token)
{
	int64_t id;

	db_begin_read(&c, DB_CONSOLE);
	c.now = PLACE_NOW + at;
	id = device_find(&c, person, token);
	db_rollback(&c);
	return id;
}

static void
a_known_browser_is_counted_apart(void)
{
	int64_t dana = place_person("dana@example.com"), eve = place_person("eve@example.com");
	char tokens[11][DEVICE_TOKEN + 1];
	int64_t id = add_device(0, dana, tokens[0]);
	struct throttle t = {
		.login = "dana@example.com", .address = "203.0.113.77", .device = id
	};
	int64_t last;

	ok(id != 0, "a device is known");
	is_int(find_device(0, eve, tokens[0]), 0, "to its person alone");
	is_int(find_device(0, dana, NULL), 0, "without a cookie there is none");
	is_int(find_device(0, dana, "AAAAAAAAAAAAAAAAAAAAAA"), 0, "with another one neither");
	for (int i = 0; i < 40; i++)
		tried(0, arena_printf(&arena, "dana%s@example.com", i < 20 ? "" : "x"),
		    "203.0.113.77");
	ok(tried(0, "dana@example.com", another_address()) > 0, "strangers wait for this login");
	is_int(try_with(0, &t), 0, "the known browser does not");
	for (int i = 0; i < 9; i++)
		try_with(0, &t);
	is_int(try_with(0, &t), 60, "its own failures make it wait");
	is_int(find_device((DEVICE_DAYS - 1) * CLOCK_DAY, dana, tokens[0]), id,
	    "after 399 days it is known");
	is_int(find_device(DEVICE_DAYS * CLOCK_DAY, dana, tokens[0]), 0, "after 400 it is not");
	for (int i = 1; i < 10; i++)
		add_device(i * MINUTE, dana, tokens[i]);
	db_begin_write(&c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	c.now = PLACE_NOW + 20 * MINUTE;
	device_used(&c, id);
	db_commit(&c);
	last = add_device(30 * MINUTE, dana, tokens[10]);
	ok(find_device(0, dana, tokens[0]) == id && find_device(0, dana, tokens[1]) == 0 &&
		find_device(0, dana, tokens[2]) != 0,
	    "of eleven the one that rested longest goes");
	db_begin_write(&c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	device_delete_all(&c, dana, last);
	db_commit(&c);
	ok(find_device(0, dana, tokens[0]) == 0 && find_device(0, dana, tokens[10]) == last,
	    "all but one can be removed");
}

/* Tries each of 100 logins four times; returns how many tries may come. */
static int
try_the_crowd(void)
{
	int count = 0;

	for (int i = 0; i < 400; i++)
		count += tried(0, arena_printf(&arena, "crowd%d@example.com", i / 4),
			     another_address()) == 0;
	return count;
}

/* Five processes try the same logins at once. They begin when the pipe is closed. */
static void
tries_at_once_are_counted(void)
{
	int begin[2], told[2], passing = 0, count;

	if (pipe(begin) != 0 || pipe(told) != 0)
		bail("no pipe");
	for (int i = 0; i < 5; i++) {
		if (fork() == 0) {
			close(begin[1]);
			(void)!read(begin[0], &count, 1);
			count = try_the_crowd();
			_exit(write(told[1], &count, sizeof(count)) < 0);
		}
	}
	close(begin[0]);
	close(begin[1]);
	close(told[1]);
	for (int i = 0; i < 5; i++) {
		if (read(told[0], &count, sizeof(count)) != sizeof(count))
			bail("a child said nothing");
		passing += count;
	}
	while (wait(NULL) > 0)
		;
	/* Two logins may share a place: then fewer may come. */
	ok(passing <= 1000 && passing >= 900,
	    "of 20 tries at a login by five processes ten may come: %d of 100 logins", passing);
}

static void
without_its_file_nobody_may_try(void)
{
	const char *path = arena_printf(&arena, "%s/console/throttle", instance.run);

	if (unlink(path) != 0 || mkdir(path, 0700) != 0)
		bail("%s cannot be a folder", path);
	if (freopen("/dev/null", "w", stderr) == NULL)
		bail("no stderr");
	is_int(tried(0, "new@example.com", another_address()), -1,
	    "where the file cannot be used every try is refused");
}

int
main(void)
{
	place_begin();
	write_keys();
	a_login_waits();
	a_right_password_forgets_failures();
	right_passwords_are_counted();
	what_was_not_compared_does_not_count();
	an_address_waits();
	a_site_waits();
	most_people_come_from_a_proxy();
	a_day_ends();
	a_known_browser_is_counted_apart();
	tries_at_once_are_counted();
	without_its_file_nobody_may_try();
	place_end();
	return done_testing();
}
