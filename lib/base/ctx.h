#ifndef BASE_CTX_H
#define BASE_CTX_H
/*
 * The first argument of every function of one request, or of one command of the
 * operator's tool. Only web/serve.c, command/galley.c and the programs of bin/
 * make one.
 */
#include <stdbool.h>
#include <stdint.h>

struct arena;
struct conf;
struct db;
struct instance;

struct ctx {
	struct arena *arena; /* memory until the end of the request */
	const struct instance *instance; /* where the files are */
	const struct conf *conf; /* galley.conf as read for this request */
	struct db *db; /* NULL until the database is open */
	int64_t now;   /* microseconds since 1970, UTC; set by db_begin() */
	const char *request_id; /* a UUID; "" for commands */
	bool lasting; /* one of many requests of this process */
};

#endif
