#ifndef ACTION_PERSON_TRACE_H
#define ACTION_PERSON_TRACE_H
/*
 * What the instance's logs tell of people (docs/console.md §2.3, §4.2): their sign-ins and
 * failures (log/sign-in.log), and their last act in an account (log/operator.log). The last
 * few MiB of a log are read, so what is older is not known. These functions decide nothing
 * about who may read: the caller's place does. They need no transaction.
 */
#include <stddef.h>
#include <stdint.h>

struct ctx;

#define TRACE_EVENTS 20

/* An event of log/sign-in.log. */
struct trace_event {
	int64_t at;
	char kind[24]; /* as sign_log() was told: "wrong-password" */
	char address[64]; /* of the client */
	int64_t times; /* in that minute, as far as it is summed */
};

/* Reads the newest events of one person (a UUID), newest first. Returns how many. */
size_t trace_events(struct ctx *c, const char *person, struct trace_event out[TRACE_EVENTS]);

/* What is known of a person. */
struct trace {
	const char *person; /* UUID */
	int64_t act_at; /* last act in the account; 0: none is known */
	int64_t sign_in_at; /* last sign-in; 0: none is known */
};

/* Fills act_at of everybody in the list. */
void trace_acts(struct ctx *c, const char *account, struct trace *list, size_t count);

/* Fills sign_in_at of everybody in the list. */
void trace_sign_ins(struct ctx *c, struct trace *list, size_t count);

#endif
