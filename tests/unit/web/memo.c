/* suite: fast */
#include "web/answer-cache.h"

#include "tests/tap.h"

#define NAMES 5000

static struct memo memo;

static const unsigned char *
name_of(int n)
{
	static unsigned char name[DIGEST_SIZE];
	struct digest d;

	digest_begin(&d, DIGEST_SIZE, "test");
	digest_int(&d, n);
	digest_end(&d, name);
	return name;
}

/* Bytes that identify a name. */
static bool
put(int n, size_t len)
{
	char *room = memo_put(&memo, name_of(n), len);

	if (room == NULL)
		return false;
	memset(room, n % 251, len);
	return true;
}

/* Returns 1: whole, 0: not there, -1: another answer or damaged. */
static int
get(int n, size_t len)
{
	size_t found_len;
	const unsigned char *found = memo_find(&memo, name_of(n), &found_len);

	if (found == NULL)
		return 0;
	if (found_len != len)
		return -1;
	for (size_t i = 0; i < len; i++) {
		if (found[i] != n % 251)
			return -1;
	}
	return 1;
}

static int
count(int from, int to, size_t len, int result)
{
	int all = 0;

	for (int n = from; n < to; n++)
		all += get(n, len) == result;
	return all;
}

static void
what_is_put_in_is_found(void)
{
	memo.max = 1024 * 1024;
	ok(get(1, 10) == 0, "an empty memo has nothing");
	for (int n = 0; n < 500; n++)
		put(n, 100);
	ok(count(0, 500, 100, 1) >= 495, "what is put in is found, whole");
	is_int(count(500, 1000, 100, 0), 500, "and nothing else is");
	put(7, 200);
	is_int(get(7, 200), 1, "another under the same name takes its place");
	put(8, 0);
	is_int(get(8, 0), 1, "no bytes can be put in, too");
}

static void
it_stays_within_its_bounds(void)
{
	size_t len = 1000;

	for (int n = 0; n < NAMES; n++) {
		put(n, len);
		if (memo.used > memo.max || get(n, len) != 1)
			break;
		if (n == NAMES - 1)
			ok(true, "the newest is always there, within the bytes");
	}
	is_int(count(0, NAMES, len, -1), 0, "none is another's");
	ok(count(0, NAMES, len, 1) > 900, "and most of the room is used");
	ok(!put(1, memo.max / 8 + 1), "what is too long is not put in");
	is_int(get(1, len), 0, "nor is the earlier answer in this place");
	memo_clear(&memo);
	is_int(count(0, NAMES, len, 0), NAMES, "cleared, it has nothing");
	is_int((int)memo.used, 0, "and holds no memory");
}

int
main(void)
{
	what_is_put_in_is_found();
	it_stays_within_its_bounds();
	return done_testing();
}
