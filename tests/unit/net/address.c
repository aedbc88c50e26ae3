/* suite: fast */
#include "net/address.h"

#include <netdb.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "tests/tap.h"

/* As a name server, or a number in an address, would give them: getaddrinfo()
 * reads what libcurl does. */
static const struct {
	const char *text;
	enum address_kind kind;
} hosts[] = {
	{ "0.0.0.0", ADDRESS_NEVER },
	{ "0.255.255.255", ADDRESS_NEVER },
	{ "1.0.0.0", ADDRESS_PUBLIC },
	{ "9.255.255.255", ADDRESS_PUBLIC },
	{ "10.0.0.0", ADDRESS_PRIVATE },
	{ "10.255.255.255", ADDRESS_PRIVATE },
	{ "11.0.0.0", ADDRESS_PUBLIC },
	{ "100.63.255.255", ADDRESS_PUBLIC },
	{ "100.64.0.0", ADDRESS_PRIVATE },
	{ "100.127.255.255", ADDRESS_PRIVATE },
	{ "100.128.0.0", ADDRESS_PUBLIC },
	{ "126.255.255.255", ADDRESS_PUBLIC },
	{ "127.0.0.1", ADDRESS_PRIVATE },
	{ "127.255.255.255", ADDRESS_PRIVATE },
	{ "128.0.0.0", ADDRESS_PUBLIC },
	{ "169.253.255.255", ADDRESS_PUBLIC },
	{ "169.254.0.0", ADDRESS_NEVER },
	{ "169.254.169.254", ADDRESS_NEVER },
	{ "169.255.0.0", ADDRESS_PUBLIC },
	{ "172.15.255.255", ADDRESS_PUBLIC },
	{ "172.16.0.0", ADDRESS_PRIVATE },
	{ "172.31.255.255", ADDRESS_PRIVATE },
	{ "172.32.0.0", ADDRESS_PUBLIC },
	{ "192.0.0.255", ADDRESS_NEVER },
	{ "192.0.1.0", ADDRESS_PUBLIC },
	{ "192.0.2.1", ADDRESS_NEVER },
	{ "192.88.99.1", ADDRESS_NEVER },
	{ "192.167.255.255", ADDRESS_PUBLIC },
	{ "192.168.0.0", ADDRESS_PRIVATE },
	{ "192.168.255.255", ADDRESS_PRIVATE },
	{ "192.169.0.0", ADDRESS_PUBLIC },
	{ "198.17.255.255", ADDRESS_PUBLIC },
	{ "198.18.0.0", ADDRESS_NEVER },
	{ "198.19.255.255", ADDRESS_NEVER },
	{ "198.20.0.0", ADDRESS_PUBLIC },
	{ "198.51.100.1", ADDRESS_NEVER },
	{ "203.0.113.1", ADDRESS_NEVER },
	{ "223.255.255.255", ADDRESS_PUBLIC },
	{ "224.0.0.1", ADDRESS_NEVER },
	{ "240.0.0.1", ADDRESS_NEVER },
	{ "255.255.255.255", ADDRESS_NEVER },
	/* Other spellings of the same addresses. */
	{ "2130706433", ADDRESS_PRIVATE },
	{ "0x7f000001", ADDRESS_PRIVATE },
	{ "0x7f.1", ADDRESS_PRIVATE },
	{ "017700000001", ADDRESS_PRIVATE },
	{ "127.1", ADDRESS_PRIVATE },
	{ "0", ADDRESS_NEVER },
	{ "2852039166", ADDRESS_NEVER }, /* 169.254.169.254 */
	{ "0251.0376.0251.0376", ADDRESS_NEVER },
	{ "::", ADDRESS_NEVER },
	{ "::1", ADDRESS_PRIVATE },
	{ "::2", ADDRESS_NEVER },
	{ "::127.0.0.1", ADDRESS_NEVER },
	{ "::ffff:127.0.0.1", ADDRESS_PRIVATE },
	{ "::ffff:7f00:1", ADDRESS_PRIVATE },
	{ "::ffff:10.1.2.3", ADDRESS_PRIVATE },
	{ "::ffff:0.0.0.0", ADDRESS_NEVER },
	{ "::ffff:169.254.169.254", ADDRESS_NEVER },
	{ "::ffff:8.8.8.8", ADDRESS_PUBLIC },
	{ "64:ff9b::7f00:1", ADDRESS_NEVER },
	{ "64:ff9b::808:808", ADDRESS_NEVER },
	{ "64:ff9b:1::1", ADDRESS_NEVER },
	{ "100::1", ADDRESS_NEVER },
	{ "2001::1", ADDRESS_NEVER },
	{ "2001:1ff::1", ADDRESS_NEVER },
	{ "2001:200::1", ADDRESS_PUBLIC },
	{ "2001:db8::1", ADDRESS_NEVER },
	{ "2001:db9::1", ADDRESS_PUBLIC },
	{ "2002:7f00:1::", ADDRESS_NEVER },
	{ "2003::1", ADDRESS_PUBLIC },
	{ "2606:4700::1111", ADDRESS_PUBLIC },
	{ "fbff::1", ADDRESS_PUBLIC },
	{ "fc00::1", ADDRESS_PRIVATE },
	{ "fd12:3456::1", ADDRESS_PRIVATE },
	{ "fe00::1", ADDRESS_PUBLIC },
	{ "fe80::1", ADDRESS_NEVER },
	{ "febf::1", ADDRESS_NEVER },
	{ "fec0::1", ADDRESS_NEVER },
	{ "ff02::1", ADDRESS_NEVER },
};

static void
every_block_has_its_borders(void)
{
	struct addrinfo hints = { .ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM };

	for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
		struct addrinfo *found;
		if (getaddrinfo(hosts[i].text, NULL, &hints, &found) != 0) {
			ok(false, "%s is an address", hosts[i].text);
			continue;
		}
		is_int(address_kind(found->ai_addr), hosts[i].kind, "%s is of its kind",
		    hosts[i].text);
		freeaddrinfo(found);
	}
}

static void
other_families_are_refused(void)
{
	struct sockaddr_un local = { .sun_family = AF_UNIX };
	struct sockaddr none = { .sa_family = AF_UNSPEC };

	is_int(address_kind((struct sockaddr *)&local), ADDRESS_NEVER,
	    "a local socket is no place to connect to");
	is_int(address_kind(&none), ADDRESS_NEVER, "nor is no family at all");
}

int
main(void)
{
	every_block_has_its_borders();
	other_families_are_refused();
	return done_testing();
}
