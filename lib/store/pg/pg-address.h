#ifndef STORE_PG_PG_ADDRESS_H
#define STORE_PG_PG_ADDRESS_H
/* Where the database is. Private to this folder. */
#include <libpq-fe.h>

struct ctx;

/* What db/galley.db begins with. */
#define PG_MARK "PostgreSQL\n"

/* What galley.conf says; texts are in the arena. */
struct pg_address {
	const char *info;      /* what libpq takes apart */
	const char *passwords; /* the file of passwords, or NULL */
	const char *sslmode;   /* where the address says none; NULL: libpq's */
};

/* Reads galley.conf. Returns NULL, or a sentence without a dot: what is wrong. Then the rest of
 * *out may be missing. */
const char *pg_address_read(struct ctx *c, struct pg_address *out);

#endif
