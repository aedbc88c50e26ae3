/* Keys that fail, at all hosts of a database of PostgreSQL (store/limit-store.h). */
#ifdef STORE_PG
#include "access/limit.h"

#include "access/address-limit.h"
#include "access/pepper.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "system/conf.h"

#define SITE_BYTES 6

/* Returns the place of a network. A keyed digest decides it, so that no client can choose with
 * whom it shares a place. */
static unsigned
place_of(struct ctx *c, const unsigned char *bytes, size_t len)
{
	unsigned char out[8];
	struct pepper pepper;
	struct digest d;

	pepper_read(c, &pepper);
	digest_begin_keyed(&d, sizeof(out), "galley address 1", pepper.bytes, PEPPER_SIZE);
	digest_bytes(&d, bytes, len);
	digest_end(&d, out);
	pepper_wipe(&pepper);
	return (unsigned)out[0] | (unsigned)out[1] << 8;
}

bool
limit_failure(struct ctx *c, const char *address, int *retry_s)
{
	struct limit_network networks[LIMIT_NETWORKS];
	unsigned char bytes[ADDRESS_NETWORK_MAX];
	size_t len = address_network(address, bytes);
	int count = 0;

	*retry_s = 0;
	if (c->conf->requests_per_minute == 0)
		return false;
	/* Of IPv6, the site is first: so they are locked. */
	if (len > SITE_BYTES)
		networks[count++] = (struct limit_network) { true, place_of(c, bytes, SITE_BYTES) };
	networks[count++] = (struct limit_network) { false, place_of(c, bytes, len) };
	return limit_networks_fail(c, networks, count, retry_s);
}
#endif
