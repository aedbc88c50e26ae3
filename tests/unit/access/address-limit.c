/*
 * How many requests come from an address in a minute, and who is a proxy.
 *
 * suite: fast
 */
#include "access/address-limit.h"

#include <dirent.h>

#include "base/fileio.h"
#include "tests/unit/access/place.h"

#define HOUR (3600 * CLOCK_SECOND)

static int retry_s;

static bool
take_from(const char *file, const char *address, int64_t at, bool forwarded)
{
	const struct address_limit l = { .file = file,
		.per_minute = 5,
		.address = address,
		.now = PLACE_NOW + at,
		.forwarded = forwarded };

	return address_limit_take(&c, &l, &retry_s);
}

static bool
take(const char *address, int64_t at)
{
	return take_from("test.rl", address, at, false);
}

static int
take_many(const char *address, int64_t at, int count)
{
	int passed = 0;

	for (int i = 0; i < count; i++)
		passed += take(address, at);
	return passed;
}

static void
a_minute_has_a_limit(void)
{
	is_int(take_many("192.0.2.1", 0, 20), 5, "as many pass as may");
	ok(retry_s > 50 && retry_s <= 60, "the others wait (%d s)", retry_s);
	for (int i = 0; i < 4; i++) {
		int64_t at = (300 + i) * CLOCK_SECOND + (i > 0 ? CLOCK_SECOND - 1 : 0);
		const char *address = arena_printf(&arena, "192.0.2.1%d", i);
		int wait;
		is_int(take_many(address, at, 6), 5, "one more is refused");
		wait = retry_s;
		is_int(wait, 60 - i, "until a minute after its step of four seconds");
		ok(!take(address, at + (wait - 1) * CLOCK_SECOND), "a second early, too");
		ok(take(address, at + wait * CLOCK_SECOND), "%d s later it may come", wait);
	}
	ok(take("192.0.2.2", 0), "another address is not meant");
	ok(!take("192.0.2.1", 30 * CLOCK_SECOND), "half a minute later it is as full");
	is_int(take_many("192.0.2.1", 60 * CLOCK_SECOND, 20), 5, "a minute later not");
	for (int i = 0; i < 40; i++) {
		if (!take("192.0.2.3", i * 13 * CLOCK_SECOND))
			bail("request %d is refused", i);
	}
	ok(true, "who stays below the limit is never refused");
}

static void
networks_have_one_place(void)
{
	unsigned char a[ADDRESS_NETWORK_MAX], b[ADDRESS_NETWORK_MAX];

	is_int(take_many("2001:db8:1:2::1", 0, 3) + take_many("2001:db8:1:2:ffff::9", 0, 9), 5,
	    "the addresses of a /64 are one");
	is_int(take_many("2001:db8:1:3::1", 0, 9), 5, "another /64 is another");
	is_int(take_many("::ffff:198.51.100.7", 0, 3) + take_many("198.51.100.7", 0, 9), 5,
	    "IPv4 in the form of IPv6 is IPv4");
	is_int((int64_t)address_network("192.0.2.1", a), 4, "IPv4 has four bytes");
	is_int((int64_t)address_network("nonsense", b), 8, "and nonsense eight");
	is_int(take_many("nonsense", 0, 3) + take_many("", 0, 9), 5, "which are one place");
}

static void
clocks_may_be_set_back(void)
{
	is_int(take_many("192.0.2.9", 1000 * CLOCK_SECOND, 9), 5, "an address is full");
	ok(take("192.0.2.9", 0), "a clock that was set back locks nobody out");
	is_int(take_many("192.0.2.8", 8 * CLOCK_SECOND, 5), 5, "another one is full");
	ok(!take("192.0.2.8", 4 * CLOCK_SECOND - 1 + CLOCK_SECOND),
	    "who took the time a little earlier does not empty it");
}

static void
what_says_that_it_was_forwarded_has_ten_times_the_limit(void)
{
	int passed = 0;

	is_int(address_limit_passed_at(&c, "proxy.rl"), 0, "nobody came through a proxy");
	for (int i = 0; i < 5; i++)
		passed += take_from("proxy.rl", "203.0.113.1", 0, true);
	is_int(address_limit_passed_at(&c, "proxy.rl"), 0, "nor while the limit is not reached");
	for (int i = 0; i < 95; i++)
		passed += take_from("proxy.rl", "203.0.113.1", 0, true);
	is_int(passed, 50, "with a header ten times as many pass, and no more");
	is_int(address_limit_passed_at(&c, "proxy.rl"), PLACE_NOW, "and doctor sees it");
	ok(!take_from("proxy.rl", "203.0.113.1", 0, false), "without the header it is refused");
}

/* As many requests of each minute of 26 hours as the limit lets pass; `others` of 20 come from
 * addresses of their own. Returns how many of ten more pass. */
static int
after_a_day(const char *file, int others)
{
	int64_t at = 0;
	int passed = 0;

	for (int i = 0; at < 26 * HOUR; i++, at += 20 * CLOCK_SECOND) {
		(void)take_from(file,
		    i % 20 < others ? arena_printf(&arena, "10.0.%d.%d", i / 250 % 250, i % 250)
				    : "203.0.113.9",
		    at, false);
		if (others == 1 && (at == 24 * HOUR - 20 * CLOCK_SECOND || at == 24 * HOUR)) {
			passed = 0;
			for (int j = 0; j < 10; j++)
				passed += take_from(file, "203.0.113.9", at, false);
			ok((passed == 10) == (at == 24 * HOUR),
			    "until a day is over it is refused (%d)", passed);
		}
	}
	passed = 0;
	for (int i = 0; i < 10; i++)
		passed += take_from(file, "203.0.113.9", at, false);
	return passed;
}

static void
who_makes_most_requests_is_a_proxy(void)
{
	is_int(after_a_day("most.rl", 1), 10, "95 of 100: a proxy");
	is_int(after_a_day("nine.rl", 2), 10, "90 of 100, too");
	ok(after_a_day("some.rl", 3) < 10, "85 of 100: none");
}

/* Returns whether a file below run/ has these bytes. */
static bool
is_written(const void *bytes, size_t len)
{
	size_t size;
	const char *text = fileio_read(
	    &arena, fileio_path(&arena, instance.run, "test.rl"), (size_t)64 << 20, &size);

	return text != NULL && memmem(text, size, bytes, len) != NULL;
}

static void
no_address_is_in_the_file(void)
{
	unsigned char network[ADDRESS_NETWORK_MAX];
	size_t len = address_network("2001:db8:1:2::1", network);

	ok(!is_written(network, len) && !is_written("2001:db8", 8) && !is_written("192.0.2.1", 9),
	    "no address is in the file");
}

static void
what_cannot_be_counted_passes(void)
{
	const struct address_limit none = {
		.file = "test.rl", .address = "192.0.2.1", .now = PLACE_NOW
	};

	ok(address_limit_take(&c, &none, &retry_s), "a limit of 0 is none");
	is_int(take_many("192.0.2.77", 0, 9), 5, "an address is full");
	instance.run = "/nowhere";
	ok(take("192.0.2.77", 0), "without the file everybody passes");
	instance.run = arena_printf(&arena, "%s/run", instance.home);
}

int
main(void)
{
	place_begin();
	a_minute_has_a_limit();
	networks_have_one_place();
	clocks_may_be_set_back();
	what_says_that_it_was_forwarded_has_ten_times_the_limit();
	who_makes_most_requests_is_a_proxy();
	no_address_is_in_the_file();
	what_cannot_be_counted_passes();
	return place_end();
}
