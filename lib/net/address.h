#ifndef NET_ADDRESS_H
#define NET_ADDRESS_H
/*
 * Where a program of ours may connect to (docs/platform.md §6, SSRF).
 *
 * The question is asked about the address that a name was resolved to, just
 * before connecting: neither a name that changes its mind nor a number in an
 * odd form (2130706433, 0x7f.1) gets past it.
 */

struct sockaddr;

enum address_kind {
	ADDRESS_PUBLIC, /* anywhere on the internet */
	ADDRESS_PRIVATE, /* this machine, or one's own network */
	ADDRESS_NEVER /* no place for a server: unspecified, link-local
			    (a cloud's metadata), multicast, reserved, and
			    tunnels into any of these */
};

/* An IPv4 address inside an IPv6 one (::ffff:a.b.c.d) counts as what it holds.
 * Families other than IPv4 and IPv6 are ADDRESS_NEVER. */
enum address_kind address_kind(const struct sockaddr *address);

#endif
