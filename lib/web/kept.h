#ifndef WEB_KEPT_H
#define WEB_KEPT_H
/*
 * Kept answers: a repeated GET is answered from a file, without opening the
 * database, as long as nothing that it could answer has changed (speed.md §3).
 *
 * run/kept/keys/ holds what is known of keys, run/kept/<workspace>/ the answers,
 * each in one of two places that its digest names. Every file begins with all
 * that it depends on: the epoch and counters of run/generation, the boot id, the
 * database file's identity, and the digest of workspace, scopes, route, parsed
 * parameters, program and galley.conf. What does not fit in every byte, is torn,
 * foreign or damaged is not there: the ordinary way answers.
 *
 * A reader notes the counters before it reads anything, and keeps an answer only
 * when they are the same after it: then no commit lay between, so that the
 * answer's snapshot was theirs. (A key that is not known yet tells its workspace
 * too late for that: then only the key is kept, and the next answer.)
 *
 * Only under CGI: a FastCGI process has its statements prepared and its pages
 * warm. Without this file everything works the same, only slower.
 */
#include <stdbool.h>

#include "base/digest.h"
#include "store/generation.h"

struct ctx;
struct reply;
struct req;

struct kept {
	bool on;                /* may be used for this request */
	struct generation seen; /* noted before anything was read */
	unsigned char key[DIGEST_SIZE];  /* names the key's record */
	unsigned char name[DIGEST_SIZE]; /* names the answer */
	unsigned place;         /* where a new answer goes */
};

/* Looks the request's key up. True: r->access holds the key's id and scopes,
 * and of the workspace its ids; that is all. */
bool kept_key(struct ctx *c, struct req *r, struct kept *k);

/* After the scopes and parameters were read: fills the reply with the kept
 * answer, or 304. False: there is none. */
bool kept_find(struct ctx *c, struct req *r, struct kept *k,
    struct reply *reply);

#ifdef GALLEY_TEST
/* In test builds with GALLEY_KEPT=verify in the environment every answer is
 * computed both ways: a kept one that differs from the ordinary one, though no
 * commit lay between, is a BUG. */
bool kept_is_doubted(void);
void kept_compare(struct ctx *c, const struct req *r, const struct kept *k,
    const struct reply *kept, const struct reply *ordinary);
#endif

/* After the snapshot has ended: keeps the answer, or the key. Faults are a line
 * in the log, one a minute. `knew` is what kept_key() said. */
void kept_keep(struct ctx *c, struct req *r, struct kept *k, bool knew,
    const struct reply *reply);

#endif
