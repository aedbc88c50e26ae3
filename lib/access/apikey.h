#ifndef ACCESS_APIKEY_H
#define ACCESS_APIKEY_H
/*
 * Publishing keys (docs/design.md §6, docs/contract.md §5): "ab_live_", 32 base62 characters and
 * 6 of the CRC-32 of the characters before them. The database holds only a keyed digest.
 */
#include <stdbool.h>
#include <stdint.h>

#include "access/workspace.h"
#include "base/digest.h"
#include "base/err.h"

struct arena;

/* Bits of a set of scopes: what a key may do (docs/contract.md §5.6). */
enum scope {
	SCOPE_READ = 1, /* articles:read */
	SCOPE_DRAFTS = 2, /* drafts:read: never replaces articles:read */
	SCOPE_GENERATE = 4 /* articles:generate */
};

/* Returns the name of one scope. */
const char *scope_name(enum scope scope);

/* Returns the bit of one name, or 0 if there is no such scope. */
unsigned scope_from_name(const char *name);

/* Returns the text of a set, in the order above. In the arena. */
const char *scope_to_text(struct arena *a, unsigned scopes);

#define APIKEY_LENGTH 46 /* characters of a key */
#define APIKEY_PREFIX "ab_live_"

struct apikey {
	int64_t id; /* internal; also the key's place in the limiter's file */
	const char *uuid;
	int64_t workspace_id;
	unsigned scopes; /* bits of enum scope */
	const char *label;
	const char *display; /* "ab_live_Xy3k…9QwZ" */
	int64_t created_at;
	int64_t lifetime; /* microseconds for which the first key of its row of
			       successors was created; 0: for ever */
	int64_t expires_at; /* 0: never */
	int64_t revoked_at; /* 0: not */
};

/* The caller of a request: a checked key, and its workspace. */
struct access {
	int64_t key_id;
	unsigned scopes;
	int64_t expires_at; /* of the key; 0: never */
	struct workspace workspace; /* its head: workspace.h, WORKSPACE_HEAD */
};

/*
 * Checks the value of an Authorization header (NULL: there was none). This is the
 * only authentication in the program. Refuses with ERR_UNAUTHORIZED; the
 * sentence names the cause (docs/design.md §4.4). *failed is true if the caller sent a
 * key that is not good: this counts against the caller's address. With PostgreSQL it is also called
 * outside of a transaction, and counts a request of the key (store/remote-store.h, remote_key()).
 */
MAY_REFUSE struct err *
apikey_check(struct ctx *c, const char *authorization, struct access *out, bool *failed);

/* Computes the digest under which the key of an Authorization header is stored.
 * Returns false if the header holds no whole key. */
bool apikey_digest(struct ctx *c, const char *authorization, unsigned char out[DIGEST_SIZE]);

/* Creates a key. `expires_at` 0: it never expires; else its lifetime is the time until
 * then. `key` gets the only copy of the key. */
MAY_REFUSE struct err *apikey_insert(struct ctx *c, int64_t workspace_id, unsigned scopes,
    const char *label, int64_t expires_at, char key[APIKEY_LENGTH + 1], struct apikey **out);

/* Makes a well-formed key that is in no database. `galley doctor` asks with it. */
void apikey_random(char key[APIKEY_LENGTH + 1]);

/* Returns the key with this UUID, or NULL. */
struct apikey *apikey_find(struct ctx *c, const char *uuid);

/* Returns the key with this internal id, or NULL. */
struct apikey *apikey_of(struct ctx *c, int64_t id);

/* Returns whether `key` has the length, the letters and the check characters of a
 * key. */
bool apikey_is_whole(const char *key);

/* Returns the row of a whole key, also if it is revoked or expired; NULL: there is
 * none. */
struct apikey *apikey_find_whole(struct ctx *c, const char *key);

/* Returns the form of a key that people see: its first 12 and last 4 characters. A
 * text that is shorter than a key shows only its first 8. In the arena. */
const char *apikey_display(struct ctx *c, const char *key);

/* Calls `each` for every key of the instance, oldest first. */
void apikey_list_all(struct ctx *c, void (*each)(void *arg, const struct apikey *key), void *arg);

/* Calls `each` for the keys of the instance that nobody revoked and that end after `from` and
 * before `to`, oldest first. */
void apikey_list_ending(struct ctx *c, int64_t from, int64_t to,
    void (*each)(void *arg, const struct apikey *key), void *arg);

/* Calls `each` for every key of the workspace, oldest first. */
void apikey_list(struct ctx *c, int64_t workspace_id,
    void (*each)(void *arg, const struct apikey *key), void *arg);

/* Revokes a key at once. A key that is already revoked stays as it was. */
void apikey_revoke(struct ctx *c, int64_t id);

/* Revokes all keys of a workspace. Returns how many were not revoked before. */
int64_t apikey_revoke_all(struct ctx *c, int64_t workspace_id);

/* Sets the expiry of a key that another key replaces: `at`, or its own expiry if that
 * is earlier, but always before the end of its lifetime. */
void apikey_expire(struct ctx *c, const struct apikey *k, int64_t at);

/* Returns whether another key has replaced this key. */
bool apikey_is_replaced(const struct apikey *key);

/* Returns the first key that was created after this one with the same workspace, label
 * and scopes, good or not: its probable successor. NULL: none. */
struct apikey *apikey_find_like(struct ctx *c, const struct apikey *key);

/*
 * Who made a key in the console (table key_more; docs/console.md §2.4): when a person's rights
 * end, the keys that the person made are named. No route of the API reads it. A person is a
 * UUID of the console's store.
 */

/* Notes who made a key, in its transaction. */
void keymaker_insert(struct ctx *c, int64_t key_id, const char *person);

/* Returns the UUID of who made a key; NULL: the tool, or it is not known. */
const char *keymaker_find(struct ctx *c, int64_t key_id);

/* Calls `each` for the keys that the person made and nobody revoked, the newest first, at
 * most `max` of them; those whose time is over are among them. */
void keymaker_list(struct ctx *c, const char *person, int64_t max,
    void (*each)(void *arg, const struct apikey *key), void *arg);

#endif
