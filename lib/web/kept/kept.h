#ifndef WEB_KEPT_H
#define WEB_KEPT_H
/*
 * Kept answers: a repeated GET is answered from a file, without opening the
 * database, as long as nothing that it could answer has changed (docs/speed.md §3).
 *
 * run/kept/keys/ holds what is known of keys, run/kept/<workspace>/ the answers,
 * each in one of two places that its digest names. Every file begins with all
 * that it depends on: the epoch and counters of run/generation, the boot id, which
 * file the database is (its number and its birth), and the digest of workspace,
 * scopes, route, parsed parameters, program and galley.conf. What does not fit in
 * every byte, is torn, foreign or damaged is not there: the ordinary way answers.
 *
 * A reader notes the counters before it reads anything, and keeps an answer only
 * when they are the same after it: then no commit lay between, so that the
 * answer's snapshot was theirs. (A key that is not known yet tells its workspace
 * too late for that: then only the key is kept, and the next answer.)
 *
 * What is kept takes bounded room, and none where the disk has little left
 * (kept-room.h); the job runner removes what is stale.
 *
 * A FastCGI process keeps its answers by the same rules in its own memory, and no
 * files (kept-memory.h): these cost it more than they save. Without all of this
 * everything works the same, only slower.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/digest.h"
#include "base/fileio.h"
#include "store/generation.h"

struct ctx;
struct reply;
struct req;

/* What is kept of a key, which its own digest names. */
struct kept_key {
	int64_t key_id;
	int64_t workspace_id;
	int64_t expires_at; /* 0: never */
	uint64_t scopes;
	char workspace_uuid[40];
};

/* What an answer depends on besides its name and the machine's start. Compared byte
 * by byte, so it has no padding and is zeroed before it is filled. */
struct kept_moment {
	unsigned char epoch[GENERATION_EPOCH];
	uint64_t keys;      /* counter of slot 0 */
	uint64_t workspace; /* counter of the workspace; 0 in a key's record */
	struct fileio_identity database; /* galley.db, asked by path */
};

struct kept {
	bool on;                /* may be used for this request */
	struct generation seen; /* noted before anything was read */
	struct kept_moment moment; /* the same, and which file galley.db was */
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

/* For the files of this part: notes the moment in k, for the workspace (0: the keys
 * alone). */
void kept_note(struct ctx *c, struct kept *k, int64_t workspace_id);

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
