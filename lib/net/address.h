#ifndef NET_ADDRESS_H
#define NET_ADDRESS_H
/*
 * Decides where a program of ours may connect to (docs/platform.md §6, SSRF).
 *
 * It looks at the address that a name was resolved to, just before the connection: so
 * neither a name whose address changes nor a number in an unusual form (2130706433,
 * 0x7f.1) gets past it.
 */

struct sockaddr;

enum address_kind {
	ADDRESS_PUBLIC, /* anywhere on the internet */
	ADDRESS_PRIVATE, /* this machine, or one's own network */
	ADDRESS_NEVER /* no place for a server: unspecified, link-local
			    (a cloud's metadata), multicast, reserved, and
			    tunnels into any of these */
};

/* Returns the kind of an address. An IPv4 address inside an IPv6 address
 * (::ffff:a.b.c.d) has the kind of the IPv4 address. A family other than IPv4 and IPv6
 * is ADDRESS_NEVER. */
enum address_kind address_kind(const struct sockaddr *address);

#endif
