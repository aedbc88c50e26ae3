/* suite: fast */
#include "base/digest.h"

#include <string.h>

#include "tests/tap.h"

#define LENGTH 100

/* Returns how many flips of one bit of `bytes` change the sum. */
static int
flips_seen(char *bytes, size_t len)
{
	uint64_t sum = checksum(bytes, len);
	int seen = 0;

	for (size_t bit = 0; bit < 8 * len; bit++) {
		bytes[bit / 8] ^= (char)(1 << bit % 8);
		seen += checksum(bytes, len) != sum;
		bytes[bit / 8] ^= (char)(1 << bit % 8);
	}
	return seen;
}

/* Returns how many swaps of two different neighbours change the sum. */
static int
swaps_seen(char *bytes, size_t len)
{
	uint64_t sum = checksum(bytes, len);
	int seen = 0;

	for (size_t i = 1; i < len; i++) {
		char first = bytes[i - 1];
		bytes[i - 1] = bytes[i];
		bytes[i] = first;
		seen += checksum(bytes, len) != sum;
		bytes[i] = bytes[i - 1];
		bytes[i - 1] = first;
	}
	return seen;
}

int
main(void)
{
	char bytes[LENGTH + 1], moved[LENGTH + 1];
	uint64_t sums[LENGTH + 1];
	int equal = 0;

	for (size_t i = 0; i < LENGTH; i++)
		bytes[i] = (char)(7 * i + 1);
	is_int(flips_seen(bytes, LENGTH), 8 * LENGTH, "every bit counts");
	is_int(swaps_seen(bytes, LENGTH), LENGTH - 1, "and every place");
	memcpy(moved + 1, bytes, LENGTH);
	ok(checksum(moved + 1, LENGTH) == checksum(bytes, LENGTH), "wherever the bytes lie");
	memset(bytes, 0, LENGTH);
	for (size_t len = 0; len <= LENGTH; len++) {
		sums[len] = checksum(bytes, len);
		for (size_t i = 0; i < len; i++)
			equal += sums[i] == sums[len];
	}
	is_int(equal, 0, "zeros are as many as they are");
	return done_testing();
}
