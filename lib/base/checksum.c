#include "base/checksum.h"

#include <string.h>

#define ODD UINT64_C(0x9E3779B97F4A7C15)

/* Fletcher's sums of 64-bit words, in as many parallel lanes as every x86-64 has
 * registers for. With wider lanes the compiler would keep them in memory between
 * two steps. */
typedef uint64_t lanes __attribute__((vector_size(2 * sizeof(uint64_t))));

struct sums {
	lanes simple, weighted;
};

/* Mixes two words. No information of either is lost: the multiplication by an odd
 * factor and this shift can be reversed. */
static uint64_t
mix(uint64_t mixed, uint64_t more)
{
	mixed = (mixed ^ more) * ODD;
	return mixed ^ mixed >> 32;
}

static struct sums
add(struct sums s, const char *bytes)
{
	lanes words;

	memcpy(&words, bytes, sizeof(words));
	s.simple += words;
	s.weighted += s.simple;
	return s;
}

uint64_t
checksum(const char *bytes, size_t len)
{
	struct sums even = { .simple = { len, len } }, odd = even;
	char rest[2 * sizeof(lanes)] = { 0 };
	size_t whole = len / sizeof(rest) * sizeof(rest);
	uint64_t mixed = 0;

	for (size_t i = 0; i < whole; i += sizeof(rest)) {
		even = add(even, bytes + i);
		odd = add(odd, bytes + i + sizeof(lanes));
	}
	memcpy(rest, bytes + whole, len - whole);
	even = add(even, rest);
	odd = add(odd, rest + sizeof(lanes));
	for (int i = 0; i < 2; i++) {
		mixed = mix(mix(mixed, even.weighted[i]), even.simple[i]);
		mixed = mix(mix(mixed, odd.weighted[i]), odd.simple[i]);
	}
	return mixed;
}
