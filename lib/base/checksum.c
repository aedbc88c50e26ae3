#include "base/checksum.h"

#include <string.h>

#define LANES 4
#define ODD UINT64_C(0x9E3779B97F4A7C15)

/* Computed with as many at once as the processor has room for. */
typedef uint64_t lanes __attribute__((vector_size(LANES * sizeof(uint64_t))));

/* Loses nothing of either: an odd factor and this shift can be undone. */
static uint64_t
mix(uint64_t mixed, uint64_t more)
{
	mixed = (mixed ^ more) * ODD;
	return mixed ^ mixed >> 32;
}

/* Fletcher's sums of 64-bit words in four lanes. */
uint64_t
checksum(const char *bytes, size_t len)
{
	char rest[sizeof(lanes)] = { 0 };
	size_t whole = len / sizeof(rest) * sizeof(rest);
	lanes word, sum = { len }, sums = { 0 };
	uint64_t mixed = 0;

	for (size_t i = 0; i < whole; i += sizeof(word)) {
		memcpy(&word, bytes + i, sizeof(word));
		sum += word;
		sums += sum;
	}
	memcpy(rest, bytes + whole, len - whole);
	memcpy(&word, rest, sizeof(word));
	sum += word;
	sums += sum;
	for (int i = 0; i < LANES; i++)
		mixed = mix(mix(mixed, sums[i]), sum[i]);
	return mixed;
}
