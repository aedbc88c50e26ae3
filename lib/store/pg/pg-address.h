#ifndef STORE_PG_PG_ADDRESS_H
#define STORE_PG_PG_ADDRESS_H
/* Where the database is. Private to this folder. */
#include <stdbool.h>

#include <libpq-fe.h>

struct ctx;

/* What db/galley.db begins with. The address may follow in a line, and as whom others sign in. */
#define PG_MARK "PostgreSQL\n"
#define PG_MARK_API "api="
#define PG_MARK_OWNER "owner="
/* What galley init reads these from where galley.conf does not name the database. */
#define PG_API_VARIABLE "GALLEY_DATABASE_API"
#define PG_OWNER_VARIABLE "GALLEY_DATABASE_OWNER"

/* As whom a connection signs in (docs/postgres.md §9). */
enum pg_role {
	PG_PROGRAMS, /* the user of the address: console, tool, runners */
	PG_API, /* the API's programs, pages, pictures */
	PG_OWNER /* whose the tables are */
};

/* What galley.conf says; texts are in the arena. */
struct pg_address {
	const char *info; /* what libpq takes apart */
	const char *user; /* in place of the programs', or NULL */
	const char *programs; /* the user of the programs; "": nobody is named */
	const char *passwords; /* the file of passwords, or NULL */
	const char *sslmode; /* where the address says none; NULL: libpq's */
	const char *authority; /* the certificate that signs the server's, where the address names
				  none; NULL: libpq's */
	bool by_sockets; /* all hosts are sockets of this machine */
	bool unproved; /* a host may be another one: the address says a weaker sslmode */
	/* As lists that replace the address's; NULL: the address's own. */
	const char *hosts, *host_addresses, *ports;
};

#define PG_PARAMETERS 20

/* What libpq is given: names and values, the last one NULL. */
struct pg_parameters {
	const char *names[PG_PARAMETERS], *values[PG_PARAMETERS];
};

/* Returns as whom this process signs in. */
enum pg_role pg_process_role(void);

/* Reads galley.conf for a role; one that it does not name is that of the programs. Returns NULL, or
 * a sentence without a dot: what is wrong. Then the rest of *out may be missing. */
const char *pg_address_read(struct ctx *c, enum pg_role role, struct pg_address *out);

/* Writes how to connect: to a host that is such a `target` (target_session_attrs), for a session
 * with these settings. What it writes lives as long as the address. */
void pg_address_parameters(const struct pg_address *address, const char *target,
    const char *settings, struct pg_parameters *out);

/* A host of an address; texts are in the arena. */
struct pg_host {
	const char *name; /* a name, an address or a folder with a socket; "": libpq's standard */
	const char *address; /* its IP address, if the address says it besides; or "" */
	const char *port;
};

/* Takes the hosts of an address apart, at most `max`. Returns how many there are; 0: libpq cannot
 * read it. */
size_t pg_address_hosts(struct ctx *c, const char *info, struct pg_host *out, size_t max);

/* pg-names.c: gives the address the hosts as they were looked up before this process was confined.
 * Returns whether the process was confined with another address. */
bool pg_names_use(struct pg_address *address);

#endif
