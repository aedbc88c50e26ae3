#include "net/address.h"

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

struct block {
	unsigned char prefix[16];
	unsigned bits;
	enum address_kind kind;
};

/* Special-purpose addresses (RFC 6890 and its registries). */
static const struct block ipv4_blocks[] = {
	{ { 0 }, 8, ADDRESS_NEVER }, /* "this network"; Linux: this host */
	{ { 10 }, 8, ADDRESS_PRIVATE },
	{ { 100, 64 }, 10, ADDRESS_PRIVATE }, /* carrier-grade NAT */
	{ { 127 }, 8, ADDRESS_PRIVATE },
	{ { 169, 254 }, 16, ADDRESS_NEVER }, /* link-local, metadata */
	{ { 172, 16 }, 12, ADDRESS_PRIVATE }, { { 192, 0, 0 }, 24, ADDRESS_NEVER },
	{ { 192, 0, 2 }, 24, ADDRESS_NEVER }, /* documentation */
	{ { 192, 88, 99 }, 24, ADDRESS_NEVER }, /* 6to4 relays */
	{ { 192, 168 }, 16, ADDRESS_PRIVATE }, { { 198, 18 }, 15, ADDRESS_NEVER }, /* benchmarks */
	{ { 198, 51, 100 }, 24, ADDRESS_NEVER }, { { 203, 0, 113 }, 24, ADDRESS_NEVER },
	{ { 224 }, 3, ADDRESS_NEVER }, /* multicast, reserved, broadcast */
};

static const struct block ipv6_blocks[] = {
	/* ::1 comes before ::/96, which holds it: the first match counts. */
	{ { [15] = 1 }, 128, ADDRESS_PRIVATE },
	{ { 0 }, 96, ADDRESS_NEVER }, /* unspecified, IPv4-compatible */
	{ { 0x00, 0x64, 0xff, 0x9b }, 96, ADDRESS_NEVER }, /* NAT64 */
	{ { 0x00, 0x64, 0xff, 0x9b, 0x00, 0x01 }, 48, ADDRESS_NEVER },
	{ { 0x01, 0x00 }, 64, ADDRESS_NEVER }, /* discard */
	{ { 0x20, 0x01, 0x00, 0x00 }, 23, ADDRESS_NEVER }, /* Teredo, ORCHID */
	{ { 0x20, 0x01, 0x0d, 0xb8 }, 32, ADDRESS_NEVER }, /* documentation */
	{ { 0x20, 0x02 }, 16, ADDRESS_NEVER }, /* 6to4 */
	{ { 0xfc }, 7, ADDRESS_PRIVATE },
	{ { 0xfe, 0x80 }, 10, ADDRESS_NEVER },
	{ { 0xfe, 0xc0 }, 10, ADDRESS_NEVER }, /* site-local, withdrawn */
	{ { 0xff }, 8, ADDRESS_NEVER },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool
begins_with(const unsigned char *bytes, const struct block *block)
{
	size_t whole = block->bits / 8;
	unsigned rest = block->bits % 8;

	if (memcmp(bytes, block->prefix, whole) != 0)
		return false;
	return rest == 0 || ((bytes[whole] ^ block->prefix[whole]) >> (8 - rest)) == 0;
}

static enum address_kind
look_up(const unsigned char *bytes, const struct block *blocks, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (begins_with(bytes, &blocks[i]))
			return blocks[i].kind;
	}
	return ADDRESS_PUBLIC;
}

static enum address_kind
ipv4_kind(const unsigned char *bytes)
{
	return look_up(bytes, ipv4_blocks, COUNT(ipv4_blocks));
}

static enum address_kind
ipv6_kind(const unsigned char *bytes)
{
	static const struct block mapped = { { [10] = 0xff, [11] = 0xff }, 96, ADDRESS_PUBLIC };

	if (begins_with(bytes, &mapped))
		return ipv4_kind(bytes + 12);
	return look_up(bytes, ipv6_blocks, COUNT(ipv6_blocks));
}

enum address_kind
address_kind(const struct sockaddr *address)
{
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;

	if (address->sa_family == AF_INET) {
		memcpy(&v4, address, sizeof(v4));
		return ipv4_kind((const unsigned char *)&v4.sin_addr);
	}
	if (address->sa_family == AF_INET6) {
		memcpy(&v6, address, sizeof(v6));
		return ipv6_kind(v6.sin6_addr.s6_addr);
	}
	return ADDRESS_NEVER;
}
