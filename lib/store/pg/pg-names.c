/*
 * Hosts that have names (docs/postgres.md §7). A confined program asks no name server and reads no
 * file of the system's, so names are looked up before it is confined, and libpq is given the
 * addresses beside the names: a certificate is still compared with the name. Who meets an address
 * that is no longer right answers 503 and ends, and the next process looks up again.
 */
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "store/db-hosts.h"
#include "store/pg/pg-address.h"
#include "system/harden.h"

#define HOSTS_MAX 16
#define ADDRESSES_MAX 8 /* of one name */
#define LIST_MAX 4096

/* What this process was confined with. It is kept as long as the confinement. */
static struct {
	bool confined;
	char info[LIST_MAX], hosts[LIST_MAX], addresses[LIST_MAX], ports[LIST_MAX];
} known;

struct lists {
	struct buf hosts, addresses, ports;
	size_t count;
};

static void
add(struct lists *out, const char *name, const char *address, const char *port)
{
	const char *between = out->count++ > 0 ? "," : "";

	buf_printf(&out->hosts, "%s%s", between, name);
	buf_printf(&out->addresses, "%s%s", between, address);
	buf_printf(&out->ports, "%s%s", between, port);
}

static bool
is_name(const struct pg_host *host)
{
	struct in6_addr address;

	return host->address[0] == '\0' && host->name[0] != '\0' && host->name[0] != '/' &&
	       host->name[0] != '@' && inet_pton(AF_INET, host->name, &address) != 1 &&
	       inet_pton(AF_INET6, host->name, &address) != 1;
}

/* Adds each address of a host's name. One that is not known stays a name: libpq says then that it
 * cannot be looked up, and asks the other hosts. */
static void
look_up(struct lists *out, const struct pg_host *host)
{
	const struct addrinfo wanted = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *found = NULL;
	char text[INET6_ADDRSTRLEN];
	size_t count = 0;

	if (getaddrinfo(host->name, NULL, &wanted, &found) != 0)
		found = NULL;
	for (const struct addrinfo *a = found; a != NULL && count < ADDRESSES_MAX; a = a->ai_next) {
		if (getnameinfo(a->ai_addr, a->ai_addrlen, text, sizeof(text), NULL, 0,
			NI_NUMERICHOST) != 0)
			continue;
		add(out, host->name, text, host->port);
		count++;
	}
	if (found != NULL)
		freeaddrinfo(found);
	if (count == 0)
		add(out, host->name, "", host->port);
}

/* A request waits for the answers: a name server that is silent is asked no longer than a host. */
static void
be_brief(void)
{
	if (res_init() == 0) {
		_res.retrans = 1;
		_res.retry = 2;
	}
}

/* Keeps what was found; what has no room is left to libpq. */
static void
keep(const char *info, const struct lists *found)
{
	const struct {
		char *to;
		const char *text;
	} all[] = { { known.info, info }, { known.hosts, buf_done(&found->hosts) },
		{ known.addresses, buf_done(&found->addresses) },
		{ known.ports, buf_done(&found->ports) } };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (strlen(all[i].text) >= LIST_MAX)
			return;
	}
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		memcpy(all[i].to, all[i].text, strlen(all[i].text) + 1);
}

/* The kernel lets the process reach the ports of the database, and no other port of any host. */
static void
allow_ports(const struct pg_host *hosts, size_t count)
{
	uint16_t ports[HOSTS_MAX];
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		if (hosts[i].name[0] != '/' && hosts[i].name[0] != '@')
			ports[used++] = (uint16_t)strtoul(hosts[i].port, NULL, 10);
	}
	harden_connect(ports, used);
}

void
db_before_confinement(struct ctx *c)
{
	struct pg_host hosts[HOSTS_MAX];
	struct pg_address address;
	struct lists found = { .count = 0 };
	size_t count = 0;
	bool asked = false;

	known.confined = true;
	known.info[0] = '\0';
	if (pg_address_read(c, pg_process_role(), &address) == NULL)
		count = pg_address_hosts(c, address.info, hosts, HOSTS_MAX);
	buf_init(&found.hosts, c->arena, LIST_MAX);
	buf_init(&found.addresses, c->arena, LIST_MAX);
	buf_init(&found.ports, c->arena, LIST_MAX);
	for (size_t i = 0; i < count; i++) {
		if (!is_name(&hosts[i])) {
			add(&found, hosts[i].name, hosts[i].address, hosts[i].port);
			continue;
		}
		if (!asked)
			be_brief();
		asked = true;
		look_up(&found, &hosts[i]);
	}
	if (asked)
		keep(address.info, &found);
	else if (count > 0 && strlen(address.info) < LIST_MAX)
		memcpy(known.info, address.info, strlen(address.info) + 1);
	allow_ports(hosts, count);
}

bool
pg_names_use(struct pg_address *address)
{
	if (!known.confined)
		return false;
	if (strcmp(known.info, address->info) != 0)
		return true;
	if (known.hosts[0] != '\0') {
		address->hosts = known.hosts;
		address->host_addresses = known.addresses;
		address->ports = known.ports;
	}
	return false;
}
