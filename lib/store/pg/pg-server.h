#ifndef STORE_PG_PG_SERVER_H
#define STORE_PG_PG_SERVER_H
/* Connections for questions about the server (store/server.h), which never end the process. Private
 * to this folder. */
#include <stdbool.h>

#include <libpq-fe.h>

#include "store/pg/pg-address.h"
#include "store/server.h"

#define PG_HOSTS_MAX 16

/* What came of one host of the address. */
struct pg_answer {
	struct pg_host host;
	PGconn *handle; /* NULL: there is none */
	bool takes_writes;
	bool full; /* none, because the server has no connection left */
	const char *message; /* a sentence without a dot, if there is none */
	const char *fix;
};

/* The answers of all hosts. */
struct pg_answers {
	struct pg_address address;
	struct pg_answer each[PG_HOSTS_MAX];
	size_t count;
	PGconn *writer; /* one of them that takes writes, or NULL */
	enum pg_role role; /* as whom */
};

/* Asks all hosts of galley.conf's address, as that user. Returns NULL, or a sentence without a dot:
 * the address is wrong. Close it all the same. */
const char *pg_server_ask(struct ctx *c, enum pg_role role, struct pg_answers *out);
void pg_server_close(struct pg_answers *answers);

/* Returns a host in words: `10.0.0.1, port 5432`. In the arena. */
const char *pg_server_name(struct ctx *c, const struct pg_host *host);

/* Returns the rows of a question, which the caller clears; NULL with *wrong, a sentence, if there
 * is no answer. */
PGresult *pg_server_rows(struct ctx *c, PGconn *handle, const char *sql, const char **wrong);

#endif
