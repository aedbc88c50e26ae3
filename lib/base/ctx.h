#ifndef BASE_CTX_H
#define BASE_CTX_H
/*
 * The first argument of every function of one request, or of one command of the
 * operator's tool. Only web/serve.c, command/commands.c and the programs of bin/
 * make one.
 *
 * lib/base: memory, text, time, digests, JSON, files, the log. Not here: what knows an instance or
 * a setting (lib/system). Begin with ctx.h, arena.h and err.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hint.h"

struct arena;
struct conf;
struct err;
struct db;
struct instance;
struct text_room;

struct ctx {
	struct arena *arena; /* memory until the end of the request */
	const struct instance *instance; /* where the files are */
	const struct conf *conf; /* galley.conf as read for this request */
	struct db *db; /* NULL until the database is open */
	int64_t now; /* microseconds since 1970, UTC; when the transaction began */
	const char *request_id; /* a UUID; "" for commands */
	bool lasting; /* one of many requests of this process */
	struct gate *gate; /* what each change must pass, or NULL */
	struct text_room *room; /* of an account's texts (article/text-room.h), or NULL */
	/* Returns a text that was marked with tr_mark() in the reader's language, or its form
	 * for `n` things (`many` NULL: it has none). NULL: English, as the API and the tool
	 * speak. */
	const char *(*say)(const char *one, const char *many, int64_t n);
	/* Returns a sentence with the words of a hint (base/hint.h) for a shell or a browser. NULL:
	 * the sentence alone, as the API and what is stored for later have it. */
	const char *(*hint)(struct ctx *c, const char *sentence, enum hint hint, const char *about);
};

/* Returns a text in the language of the one who reads the answer. */
static inline const char *
tr_for(const struct ctx *c, const char *english) __attribute__((format_arg(2)));
static inline const char *
tr_for(const struct ctx *c, const char *english)
{
	return c->say == NULL ? english : c->say(english, NULL, 1);
}

/* Returns the form of a text for `n` things in that language. */
static inline const char *tr_count_for(const struct ctx *c, const char *one, const char *many,
    int64_t n) __attribute__((format_arg(2), format_arg(3)));
static inline const char *
tr_count_for(const struct ctx *c, const char *one, const char *many, int64_t n)
{
	if (c->say == NULL)
		return n == 1 ? one : many;
	return c->say(one, many, n);
}

/* Returns a sentence with the words of a hint (`about`: its id, or NULL), as the reader's skin has
 * them. A refusal gets them by err_hint(). */
static inline const char *
hint_say(struct ctx *c, const char *sentence, enum hint hint, const char *about)
{
	return c->hint == NULL ? sentence : c->hint(c, sentence, hint, about);
}

/*
 * What a change must pass once its transaction holds the lock: a person's session and
 * rights may have ended while the request waited (docs/console.md §2.4). Every function that
 * begins a change for a person calls gate_pass() right after the lock; a commit without
 * it is a BUG. c->gate is set once, when a request or a step begins. A change whose answer
 * depends on what was done calls gate_leave() before the commit.
 */
struct gate {
	struct err *(*enter)(struct ctx *c, struct gate *gate);
	void (*leave)(struct ctx *c, struct gate *gate); /* or NULL */
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

/* Says that this transaction is not the person's change: it ends or notes one that passed already.
 * Call it right after the lock. */
static inline void
gate_skip(struct ctx *c)
{
	if (c->gate != NULL)
		c->gate->passed = true;
}

/* Leaves the gate, if there is one: everything is done, and the commit follows. */
static inline void
gate_leave(struct ctx *c)
{
	if (c->gate != NULL && c->gate->leave != NULL)
		c->gate->leave(c, c->gate);
}

#endif
