#ifndef BASE_CTX_H
#define BASE_CTX_H
/*
 * The first argument of every function of one request, or of one command of the
 * operator's tool. Only web/serve.c, command/galley.c and the programs of bin/
 * make one.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct conf;
struct err;
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
	struct gate *gate; /* what each change must pass, or NULL */
};

/*
 * What a change must pass once its transaction holds the lock: a person's session and
 * rights may have ended while the request waited (docs/console.md §2.4). Every function that
 * begins a change for a person calls gate_pass() right after the lock; a commit without
 * it is a BUG.
 */
struct gate {
	struct err *(*enter)(struct ctx *c, struct gate *gate);
	bool passed; /* in the present transaction */
};

/* Passes the gate, if there is one. Returns its refusal: the caller must then roll back. */
static inline struct err *
gate_pass(struct ctx *c)
{
	if (c->gate == NULL)
		return NULL;
	c->gate->passed = true;
	return c->gate->enter(c, c->gate);
}

#endif
