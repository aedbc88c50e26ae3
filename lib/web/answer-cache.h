#ifndef WEB_ANSWER_CACHE_H
#define WEB_ANSWER_CACHE_H
/*
 * Cached answers: a repeated GET is answered from a file, without opening the
 * database, as long as nothing that it could answer has changed (docs/speed.md §3).
 *
 * run/kept/keys/ holds the records of keys, run/kept/<workspace>/ the answers, each in
 * one of two places that its digest names. Every file begins with all that it depends
 * on: the epoch and counters of run/generation, the boot id, the identity of the
 * database's file (its number and its birth), and the digest of workspace, scopes,
 * route, parsed parameters, program and galley.conf. A file that differs in one byte, or
 * is torn, foreign or damaged, counts as missing: the ordinary way answers.
 *
 * A reader notes the counters before it reads anything, and caches an answer only if they
 * are the same after it: then there was no commit in between, and the answer's snapshot
 * belongs to the counters. (The workspace of a key without a record is known too late
 * for that: then only the key is cached, and the answer at the next request.)
 *
 * Cached answers take bounded room, and none if the disk has little left (cache-space.h);
 * the job runner removes stale ones.
 *
 * A FastCGI process caches its answers by the same rules in its own memory, without files:
 * files would cost it more than they save. Without all of this
 * everything works the same, only slower.
 *
 * With PostgreSQL the look at the key brings the counters (store/remote-store.h): all that a file
 * would begin with. An answer is cached in memory.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"
#include "base/fileio.h"
#include "store/generation.h"
#include "web/reply.h"

struct ctx;
struct req;

/* The record of a key, which the key's digest names. */
struct cache_key {
	int64_t key_id;
	int64_t workspace_id;
	int64_t expires_at; /* 0: never */
	uint64_t scopes;
	char workspace_uuid[40];
};

/* What an answer depends on besides its name and the machine's start. Compared byte
 * by byte, so it has no padding and is zeroed before it is filled. */
struct cache_moment {
	unsigned char epoch[GENERATION_EPOCH];
	uint64_t keys; /* counter of slot 0 */
	uint64_t workspace; /* counter of the workspace; 0 in a key's record */
	struct fileio_identity database; /* galley.db, asked by path */
};

struct cache {
	bool on; /* may be used for this request */
	struct generation seen; /* noted before anything was read */
	struct cache_moment moment; /* the same, and which file galley.db was */
	unsigned char key[DIGEST_SIZE]; /* names the key's record */
	unsigned char name[DIGEST_SIZE]; /* names the answer */
	unsigned place; /* where a new answer goes */
};

/* Looks the request's key up. If it is found, r->access holds the key's id and scopes,
 * and the ids of the workspace, and nothing else. With PostgreSQL the key was checked before. */
bool cache_key(struct ctx *c, struct req *r, struct cache *k);

/* The same of a page below /pages/WORD/ (pages/pages-service.h): the word, which names the
 * workspace, is in the place of a key. It belongs to slot 0, so who changes a word declares
 * DB_CHANGES_ALL. */
bool cache_word(struct ctx *c, struct req *r, struct cache *k, const char *word);

/* Fills the reply with the cached answer, or 304; false if there is none. Call it after
 * the scopes and parameters were read. */
bool cache_find(struct ctx *c, struct req *r, struct cache *k, struct reply *reply);

#ifdef GALLEY_TEST
/* In test builds with GALLEY_KEPT=verify in the environment every answer is
 * computed both ways: a cached one that differs from the ordinary one, though no
 * commit was in between, is a BUG. `ordinary` is NULL if the ordinary way refused. */
bool cache_is_doubted(void);
void cache_compare(struct ctx *c, const struct req *r, const struct cache *k,
    const struct reply *cached, const struct reply *ordinary);
#endif

/* Caches the answer, or the key. Call it after the snapshot has ended. Faults are a line
 * in the log, one a minute. `knew` is the result of cache_key(). */
void
cache_keep(struct ctx *c, struct req *r, struct cache *k, bool knew, const struct reply *reply);

/* ---- for cache-space.c: the head of a file */

/* Everything that a file depends on. It is compared byte by byte, so it has no padding
 * and is zeroed before it is filled. */
struct cache_head {
	char magic[8];
	char boot[40];
	struct cache_moment moment;
	unsigned char name[DIGEST_SIZE];
};

/* Fills a head from the noted moment, the counter of the workspace and the digest that
 * names the file. */
void cache_head_make(const struct cache *k, uint64_t workspace,
    const unsigned char name[DIGEST_SIZE], struct cache_head *out);

/* Returns whether both are of the same moment; they may be of different answers. */
bool cache_head_as_fresh(const struct cache_head *a, const struct cache_head *b);

/* Notes the moment in k, for the workspace (0: only the keys). */
void cache_note(struct ctx *c, struct cache *k, int64_t workspace_id);

/*
 * The memo of a process that answers many requests: bytes under names, which can be
 * made again at any time. Their number and their bytes are bounded; if there is no
 * room, a new entry replaces any other. A memo of zeros with `max` set is empty; it has
 * no memory until something is put in.
 *
 * The memo never checks freshness; the caller does.
 */

struct memo_place {
	unsigned char name[DIGEST_SIZE];
	void *bytes; /* NULL: free */
	size_t len;
};

struct memo {
	size_t max; /* bytes of all together */
	size_t used;
	unsigned hand; /* the place that gives way next */
	struct memo_place *places; /* NULL at first */
};

/* Returns the bytes under a name and their length, or NULL. They are valid until the
 * next memo_put() or memo_clear(). */
void *memo_find(const struct memo *m, const unsigned char name[DIGEST_SIZE], size_t *len);

/* Returns room for `len` bytes under a name, aligned for any type, which the caller
 * fills; the earlier entry is gone. Returns NULL if they are more than an eighth of
 * `max` or the system has no memory: then nothing is under that name. */
void *memo_put(struct memo *m, const unsigned char name[DIGEST_SIZE], size_t len);

/* Forgets everything. */
void memo_clear(struct memo *m);

#endif
