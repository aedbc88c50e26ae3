#ifndef STATS_EXPLAIN_H
#define STATS_EXPLAIN_H
/*
 * Explains one request (galley explain): its line in requests.log, the other lines with
 * its id, its key, and what its error means.
 *
 * It must work when everything else fails: a child process asks the database, and what
 * cannot be found is left out.
 */
#include "base/err.h"
#include "stats/logs.h"

struct explain_key {
	const char *id; /* UUID */
	const char *display; /* "ab_live_Xy3k…9QwZ" */
	const char *label;
	const char *scopes;
	const char *state; /* "good", "revoked", "expired" */
	const char *workspace; /* its name */
};

struct explain {
	struct ctx *c;
	const char *id;
	bool found; /* the request's own line */
	struct logs_request request; /* else: at, program and process of the
				  first other line; at NULL: there is none */
	const char *file; /* the log that holds it */
	const char **said; /* other lines, oldest first */
	size_t said_count;
	const char **unread; /* sentences: logs that could not be searched */
	size_t unread_count;
	size_t searched; /* files */
	struct explain_key *key; /* NULL: none, or not known */
};

/* Searches the logs, newest first, until the id is found or, unless it is 0, `until` (boot
 * clock); fills *out but the key. A file that is not searched for want of time is in
 * out->unread. */
void explain_search(struct ctx *c, const char *id, int64_t until, struct explain *out);

/* Does the same, and asks in a child process for the key. */
void explain_find(struct ctx *c, const char *id, struct explain *out);

/* What is known of the code of an error: calls `each` with the cause and the remedy of
 * htdocs/openapi.json that belong to its sentence, or with all of the code where
 * the sentence (it may be NULL) does not tell. Returns its meaning, or NULL. */
const char *explain_code(struct ctx *c, const char *code, const char *sentence,
    void (*each)(void *arg, const char *cause, const char *remedy), void *arg);

#endif
