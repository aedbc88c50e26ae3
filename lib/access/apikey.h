#ifndef ACCESS_APIKEY_H
#define ACCESS_APIKEY_H
/*
 * Publishing keys (docs/design.md §6, docs/contract.md §5): "ab_live_", 32 base62 characters and
 * 6 of the CRC-32 of what stands before them. Stored is only a keyed digest.
 */
#include <stdbool.h>
#include <stdint.h>

#include "access/workspace.h"
#include "base/digest.h"
#include "base/err.h"

#define APIKEY_LENGTH 46 /* characters of a key */
#define APIKEY_PREFIX "ab_live_"

struct apikey {
	int64_t id; /* also its place in the limiter's file */
	const char *uuid;
	int64_t workspace_id;
	unsigned scopes; /* bits of enum scope */
	const char *label;
	const char *display; /* "ab_live_Xy3k…9QwZ" */
	int64_t created_at;
	int64_t lifetime;   /* microseconds that the first key of its row of
			       successors was made for; 0: for ever */
	int64_t expires_at; /* 0: never */
	int64_t revoked_at; /* 0: not */
};

/* Who asks: a key that was checked, and its workspace. */
struct access {
	int64_t key_id;
	unsigned scopes;
	int64_t expires_at; /* of the key; 0: never */
	unsigned char digest[DIGEST_SIZE]; /* of the key, as it is stored */
	struct workspace workspace; /* its head: workspace.h, WORKSPACE_HEAD */
};

/*
 * Checks the value of an Authorization header (NULL when there was none). The
 * only authentication in the program. Refuses with ERR_UNAUTHORIZED; the
 * sentence names the cause (docs/design.md §4.4), *failed tells whether a key was given
 * that is not good (counts against the address).
 */
MAY_REFUSE struct err *apikey_check(struct ctx *c, const char *authorization,
    struct access *out, bool *failed);

/* Whether a key that was checked in an earlier transaction is as good in this one, with
 * the same scopes; for less than another check. False tells nothing of why. */
bool apikey_is_still_good(struct ctx *c, const struct access *access);

/* The digest under which the key in an Authorization header is stored; false
 * when there is none, or not a whole one. */
bool apikey_digest(struct ctx *c, const char *authorization,
    unsigned char out[DIGEST_SIZE]);

/* Makes a key. `expires_at` 0: never; else its lifetime is what is left until then.
 * `key` gets the only copy of it. */
MAY_REFUSE struct err *apikey_insert(struct ctx *c, int64_t workspace_id,
    unsigned scopes, const char *label, int64_t expires_at,
    char key[APIKEY_LENGTH + 1], struct apikey **out);

/* A well-formed key that is nobody's (galley doctor asks with it). */
void apikey_random(char key[APIKEY_LENGTH + 1]);

struct apikey *apikey_find(struct ctx *c, const char *uuid);
/* By the id inside; NULL when there is none. */
struct apikey *apikey_of(struct ctx *c, int64_t id);

/* Whether it has the length, the letters and the check characters of a key. */
bool apikey_is_whole(const char *key);

/* Whose a whole key is, also when it is revoked or expired; NULL: nobody's. */
struct apikey *apikey_find_whole(struct ctx *c, const char *key);

/* What is shown of a key: its first 12 and last 4 characters. In the arena; of
 * anything shorter than a key only the first 8. */
const char *apikey_display(struct ctx *c, const char *key);

/* Calls `each` for every key of the instance, oldest first. */
void apikey_list_all(struct ctx *c,
    void (*each)(void *arg, const struct apikey *key), void *arg);

/* Calls `each` for every key of the workspace, oldest first. */
void apikey_list(struct ctx *c, int64_t workspace_id,
    void (*each)(void *arg, const struct apikey *key), void *arg);

/* Revokes at once; a revoked one stays as it was. */
void apikey_revoke(struct ctx *c, int64_t id);

/* Revokes all keys of a workspace; returns how many were not yet. */
int64_t apikey_revoke_all(struct ctx *c, int64_t workspace_id);

/* Another key takes its place: it expires at `at`, or when it would have before,
 * but in any case sooner than its lifetime says. */
void apikey_expire(struct ctx *c, int64_t id, int64_t at);

/* Whether another key has taken its place. */
bool apikey_is_replaced(const struct apikey *key);

/* The first key that was made after this one with its workspace, label and scopes,
 * good or not: its successor, as far as one can tell. NULL: none. */
struct apikey *apikey_find_like(struct ctx *c, const struct apikey *key);

#endif
