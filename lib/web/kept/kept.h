#ifndef WEB_KEPT_H
#define WEB_KEPT_H
/*
 * Kept answers: a repeated GET is answered from a file, without opening the
 * database, as long as nothing that it could answer has changed (docs/speed.md §3).
 *
 * run/kept/keys/ holds the records of keys, run/kept/<workspace>/ the answers, each in
 * one of two places that its digest names. Every file begins with all that it depends
 * on: the epoch and counters of run/generation, the boot id, the identity of the
 * database's file (its number and its birth), and the digest of workspace, scopes,
 * route, parsed parameters, program and galley.conf. A file that differs in one byte, or
 * is torn, foreign or damaged, counts as missing: the ordinary way answers.
 *
 * A reader notes the counters before it reads anything, and keeps an answer only if they
 * are the same after it: then there was no commit in between, and the answer's snapshot
 * belongs to the counters. (The workspace of a key without a record is known too late
 * for that: then only the key is kept, and the answer at the next request.)
 *
 * Kept answers take bounded room, and none if the disk has little left (kept-room.h);
 * the job runner removes stale ones.
 *
 * A FastCGI process keeps its answers by the same rules in its own memory, without files
 * (kept-memory.h): files would cost it more than they save. Without all of this
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

/* The record of a key, which the key's digest names. */
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
	uint64_t keys; /* counter of slot 0 */
	uint64_t workspace; /* counter of the workspace; 0 in a key's record */
	struct fileio_identity database; /* galley.db, asked by path */
};

struct kept {
	bool on; /* may be used for this request */
	struct generation seen; /* noted before anything was read */
	struct kept_moment moment; /* the same, and which file galley.db was */
	unsigned char key[DIGEST_SIZE]; /* names the key's record */
	unsigned char name[DIGEST_SIZE]; /* names the answer */
	unsigned place; /* where a new answer goes */
};

/* Looks the request's key up. If it is found, r->access holds the key's id and scopes,
 * and the ids of the workspace, and nothing else. */
bool kept_key(struct ctx *c, struct req *r, struct kept *k);

/* The same of a page below /pages/WORD/ (pages/pages.h): the word, which names the workspace, is
 * in the place of a key. It belongs to slot 0, so who changes a word declares DB_CHANGES_ALL. */
bool kept_word(struct ctx *c, struct req *r, struct kept *k, const char *word);

/* Fills the reply with the kept answer, or 304; false if there is none. Call it after
 * the scopes and parameters were read. */
bool kept_find(struct ctx *c, struct req *r, struct kept *k, struct reply *reply);

/* Notes the moment in k, for the workspace (0: only the keys). Private to the files of
 * this folder. */
void kept_note(struct ctx *c, struct kept *k, int64_t workspace_id);

#ifdef GALLEY_TEST
/* In test builds with GALLEY_KEPT=verify in the environment every answer is
 * computed both ways: a kept one that differs from the ordinary one, though no
 * commit was in between, is a BUG. `ordinary` is NULL if the ordinary way refused. */
bool kept_is_doubted(void);
void kept_compare(struct ctx *c, const struct req *r, const struct kept *k,
    const struct reply *kept, const struct reply *ordinary);
#endif

/* Keeps the answer, or the key. Call it after the snapshot has ended. Faults are a line
 * in the log, one a minute. `knew` is the result of kept_key(). */
void kept_keep(struct ctx *c, struct req *r, struct kept *k, bool knew, const struct reply *reply);

#endif
