#include "people/common/common.h"

#include <stdint.h>
#include <string.h>

#include <nettle/sha2.h>

#include "common.gen.h"

/* Five bytes of a digest: of 100 million other passwords one is taken for common. */
#define HASH_BYTES 5
#define COUNT (sizeof(common_hashes) / HASH_BYTES)

_Static_assert(sizeof(common_hashes) == 10000 * HASH_BYTES + 1, "common.txt is whole");

bool
common_has(const char *folded)
{
	uint8_t hash[SHA256_DIGEST_SIZE];
	struct sha256_ctx sha;
	size_t low = 0, high = COUNT;

	sha256_init(&sha);
	sha256_update(&sha, strlen(folded), (const uint8_t *)folded);
	sha256_digest(&sha, sizeof(hash), hash);
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = memcmp(hash, common_hashes + middle * HASH_BYTES, HASH_BYTES);
		if (order == 0)
			return true;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}
