#include "access/apikey.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "access/pepper.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/log.h"
#include "base/uuid.h"
#include "store/db.h"
#include "store/remote-store.h"
#include "system/conf.h"
#include "system/fault.h"

/* ---- scopes */

static const struct {
	enum scope scope;
	const char *name;
} scope_names[] = {
	{ SCOPE_READ, "articles:read" },
	{ SCOPE_DRAFTS, "drafts:read" },
	{ SCOPE_GENERATE, "articles:generate" },
};

#define COUNT (sizeof(scope_names) / sizeof(scope_names[0]))

const char *
scope_name(enum scope scope)
{
	for (size_t i = 0; i < COUNT; i++) {
		if (scope_names[i].scope == scope)
			return scope_names[i].name;
	}
	return "";
}

static unsigned
named(const char *name, size_t len)
{
	for (size_t i = 0; i < COUNT; i++) {
		if (strlen(scope_names[i].name) == len &&
		    memcmp(scope_names[i].name, name, len) == 0)
			return scope_names[i].scope;
	}
	return 0;
}

unsigned
scope_from_name(const char *name)
{
	return named(name, strlen(name));
}

/* Reads the set from a stored text: names separated by spaces. A word that is no
 * scope's name is ignored: it grants nothing. */
static unsigned
scope_from_text(const char *text)
{
	unsigned scopes = 0;

	while (*text != '\0') {
		size_t len = strcspn(text, " ");
		scopes |= named(text, len);
		text += len;
		text += strspn(text, " ");
	}
	return scopes;
}

const char *
scope_to_text(struct arena *a, unsigned scopes)
{
	const char *text = "";

	for (size_t i = 0; i < COUNT; i++) {
		if ((scopes & scope_names[i].scope) != 0)
			text = arena_printf(
			    a, "%s%s%s", text, text[0] != '\0' ? " " : "", scope_names[i].name);
	}
	return text;
}

/* ---- the characters of a key: how they are drawn, checked and shown */

#define PREFIX_LENGTH (sizeof(APIKEY_PREFIX) - 1)
#define RANDOM_LENGTH 32
#define CHECK_LENGTH 6

static const char base62[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

static bool
is_base62(char ch)
{
	return (ch >= '0' && ch <= '9') || (ch >= 'A' && ch <= 'Z') || (ch >= 'a' && ch <= 'z');
}

/* Returns the CRC-32 (ISO 3309), computed four bits at a time: for 40 bytes a
 * larger table is not worth its room. */
static uint32_t
crc32(const char *bytes, size_t len)
{
	static const uint32_t step[16] = { 0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC,
		0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8,
		0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C };
	uint32_t crc = 0xFFFFFFFF;

	for (size_t i = 0; i < len; i++) {
		crc ^= (unsigned char)bytes[i];
		crc = crc >> 4 ^ step[crc & 15];
		crc = crc >> 4 ^ step[crc & 15];
	}
	return ~crc;
}

/* Writes the six characters that end a key. */
static void
key_checksum(const char *key, char out[CHECK_LENGTH])
{
	uint32_t crc = crc32(key, PREFIX_LENGTH + RANDOM_LENGTH);

	for (int i = CHECK_LENGTH - 1; i >= 0; i--, crc /= 62)
		out[i] = base62[crc % 62];
}

bool
apikey_is_whole(const char *key)
{
	char check[CHECK_LENGTH];

	if (strlen(key) != APIKEY_LENGTH || memcmp(key, APIKEY_PREFIX, PREFIX_LENGTH) != 0)
		return false;
	for (const char *p = key + PREFIX_LENGTH; *p != '\0'; p++) {
		if (!is_base62(*p))
			return false;
	}
	key_checksum(key, check);
	return memcmp(check, key + PREFIX_LENGTH + RANDOM_LENGTH, CHECK_LENGTH) == 0;
}

/* Draws 32 characters by rejection: all characters are equally likely. */
void
apikey_random(char key[APIKEY_LENGTH + 1])
{
	size_t n = PREFIX_LENGTH;
	unsigned char byte;

	memcpy(key, APIKEY_PREFIX, PREFIX_LENGTH);
	while (n < PREFIX_LENGTH + RANDOM_LENGTH) {
		uuid_random_bytes(&byte, 1);
		if (byte < 248)
			key[n++] = base62[byte % 62];
	}
	key_checksum(key, key + n);
	key[APIKEY_LENGTH] = '\0';
}

const char *
apikey_display(struct ctx *c, const char *key)
{
	size_t len = strlen(key);

	if (len < APIKEY_LENGTH)
		return arena_printf(c->arena, "%.8s…", key);
	return arena_printf(c->arena, "%.12s…%s", key, key + len - 4);
}

/* ---- keys */

#define LABEL_MAX_BYTES 400

static void
digest_with(struct pepper *pepper, const char *key, unsigned char out[DIGEST_SIZE])
{
	struct digest d;

	digest_begin_keyed(&d, DIGEST_SIZE, "galley api key 1", pepper->bytes, PEPPER_SIZE);
	digest_text(&d, key);
	digest_end(&d, out);
	pepper_wipe(pepper);
	explicit_bzero(&d, sizeof(d));
}

static void
digest_key(struct ctx *c, const char *key, unsigned char out[DIGEST_SIZE])
{
	struct pepper pepper;

	pepper_read(c, &pepper);
	digest_with(&pepper, key, out);
}

/* Takes the key out of the header's value, in the arena (RFC 6750 §2.1; the case of
 * the scheme's name does not matter). */
static struct err *
bearer(struct ctx *c, const char *authorization, const char **key)
{
	const char *p = authorization;

	if (p == NULL || p[0] == '\0')
		return refuse(c, ERR_UNAUTHORIZED,
		    "No Authorization header reached the program. Send Authorization: Bearer with your key; if you do, the web server drops it: its configuration needs CGIPassAuth On.");
	if (strncasecmp(p, "Bearer ", 7) != 0)
		return refuse(c, ERR_UNAUTHORIZED,
		    "The Authorization header must be: Bearer, a blank, and your key.");
	p += 7;
	p += strspn(p, " ");
	*key = arena_text_n(c->arena, p, strcspn(p, " "));
	if (p[strlen(*key) + strspn(p + strlen(*key), " ")] != '\0' || !apikey_is_whole(*key))
		return refuse(c, ERR_UNAUTHORIZED,
		    "The key is damaged: a key is ab_live_ and %d letters and digits. Copy it again, whole.",
		    APIKEY_LENGTH - (int)PREFIX_LENGTH);
	return NULL;
}

/* Reads the key's row and its workspace's in one statement (docs/speed.md §2.5). The
 * program compares what the row holds: conditions in the text would cost SQLite's
 * planning. */
#define KEY                                                                                        \
	REMOTE_KEY("SELECT k.id, k.digest, k.scopes, k.expires_at, " WORKSPACE_HEAD                \
		   " FROM api_key k JOIN workspace w ON w.id = k.workspace_id"                     \
		   " WHERE k.digest = :digest AND k.revoked_at IS NULL")

static inline struct stmt *
look_for(struct ctx *c, const unsigned char digest[DIGEST_SIZE])
{
	return STORE_IS_REMOTE ? remote_key(c, KEY, digest)
			       : db_prepare(c, KEY, db_b(":digest", digest, DIGEST_SIZE));
}

static bool
look_up(struct ctx *c, const unsigned char digest[DIGEST_SIZE], struct access *out)
{
	struct stmt *q = look_for(c, digest);
	unsigned char stored[DIGEST_SIZE];
	bool found = db_row(q) && (!STORE_IS_REMOTE || !db_is_null(q, 0));

	if (found) {
		out->key_id = db_int(q, 0);
		db_blob(q, 1, stored, sizeof(stored));
		found = digest_compare(stored, digest, DIGEST_SIZE) == 0 &&
			(db_is_null(q, 3) || db_int(q, 3) > c->now);
		out->scopes = scope_from_text(db_text(q, 2));
		out->expires_at = db_int(q, 3);
		workspace_head_from_row(q, 4, &out->workspace);
	}
	db_reset(q);
	return found;
}

/* Looks the key up with the other pepper (pepper.h): while a restore runs, the
 * key may belong to it. */
static bool
look_up_next(struct ctx *c, const char *key, struct access *out)
{
	unsigned char digest[DIGEST_SIZE];
	struct pepper next;

	if (!pepper_read_next(c, &next))
		return false;
	digest_with(&next, key, digest);
	return look_up(c, digest, out);
}

bool
apikey_digest(struct ctx *c, const char *authorization, unsigned char out[DIGEST_SIZE])
{
	const char *key;

	if (authorization == NULL || bearer(c, authorization, &key) != NULL)
		return false;
	digest_key(c, key, out);
	return true;
}

/* ---- the check of a request */

struct err *
apikey_check(struct ctx *c, const char *authorization, struct access *out, bool *failed)
{
	unsigned char digest[DIGEST_SIZE];
	const char *key = NULL;
	struct err *err;

	*failed = false;
	err = bearer(c, authorization, &key);
	if (err != NULL) {
		*failed = key != NULL;
		return err;
	}
	(void)FAULT("key-snapshot");
	digest_key(c, key, digest);
	if (look_up(c, digest, out) || look_up_next(c, key, out))
		return NULL;
	*failed = true;
	return refuse(c, ERR_UNAUTHORIZED,
	    "The key is unknown, revoked or expired. Ask the publisher for a new one.");
}

#define COLUMNS                                                                                    \
	"id, uuid, workspace_id, scopes, label, display, created_at,"                              \
	" expires_at, revoked_at, lifetime"

static struct apikey *
from_row(struct ctx *c, struct stmt *q)
{
	struct apikey *k = arena_alloc(c->arena, sizeof(*k));

	k->id = db_int(q, 0);
	k->uuid = db_text(q, 1);
	k->workspace_id = db_int(q, 2);
	k->scopes = scope_from_text(db_text(q, 3));
	k->label = db_text(q, 4);
	k->display = db_text(q, 5);
	k->created_at = db_int(q, 6);
	k->expires_at = db_int(q, 7);
	k->revoked_at = db_int(q, 8);
	k->lifetime = db_int(q, 9);
	return k;
}

struct apikey *
apikey_find(struct ctx *c, const char *uuid)
{
	struct stmt *q;
	char canonical[UUID_TEXT];
	struct apikey *found = NULL;

	if (!uuid_parse(uuid, canonical))
		return NULL;
	q = db_prepare(
	    c, "SELECT " COLUMNS " FROM api_key WHERE uuid = :uuid", db_t(":uuid", canonical));
	if (db_row(q))
		found = from_row(c, q);
	db_reset(q);
	return found;
}

struct apikey *
apikey_find_whole(struct ctx *c, const char *key)
{
	struct stmt *q;
	unsigned char digest[DIGEST_SIZE];
	struct apikey *found;

	digest_key(c, key, digest);
	q = db_prepare(c, "SELECT " COLUMNS " FROM api_key WHERE digest = :digest",
	    db_b(":digest", digest, DIGEST_SIZE));
	found = db_row(q) ? from_row(c, q) : NULL;
	db_reset(q);
	return found;
}

struct apikey *
apikey_of(struct ctx *c, int64_t id)
{
	struct stmt *q =
	    db_prepare(c, "SELECT " COLUMNS " FROM api_key WHERE id = :id", db_i(":id", id));
	struct apikey *found = NULL;

	if (db_row(q))
		found = from_row(c, q);
	db_reset(q);
	return found;
}

void
apikey_list_ending(struct ctx *c, int64_t from, int64_t to,
    void (*each)(void *arg, const struct apikey *key), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM api_key /*scan*/"
	    " WHERE expires_at > :from AND expires_at < :to AND revoked_at IS NULL ORDER BY id",
	    db_i(":from", from), db_i(":to", to));

	while (db_row(q))
		each(arg, from_row(c, q));
}

void
apikey_list_all(struct ctx *c, void (*each)(void *arg, const struct apikey *key), void *arg)
{
	struct stmt *q = db_prepare(c, "SELECT " COLUMNS " FROM api_key /*scan*/ ORDER BY id");

	while (db_row(q))
		each(arg, from_row(c, q));
}

void
apikey_list(struct ctx *c, int64_t workspace_id, void (*each)(void *arg, const struct apikey *key),
    void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM api_key /*scan*/ WHERE workspace_id = :workspace ORDER BY id",
	    db_i(":workspace", workspace_id));

	while (db_row(q))
		each(arg, from_row(c, q));
}

static int64_t
insert_row(struct ctx *c, const struct apikey *k, const unsigned char digest[DIGEST_SIZE])
{
	return db_insert(c,
	    "INSERT INTO api_key (uuid, workspace_id, digest, scopes, label,"
	    " display, created_at, expires_at, lifetime)"
	    " VALUES (:uuid, :workspace, :digest, :scopes, :label, :display,"
	    " :now, :expires, :lifetime) RETURNING id",
	    db_t(":uuid", k->uuid), db_i(":workspace", k->workspace_id),
	    db_b(":digest", digest, DIGEST_SIZE),
	    db_t(":scopes", scope_to_text(c->arena, k->scopes)), db_t(":label", k->label),
	    db_t(":display", k->display), db_i(":now", c->now),
	    db_i_or_null(":expires", k->expires_at),
	    k->expires_at != 0 ? db_i(":lifetime", k->lifetime) : db_null(":lifetime"));
}

struct err *
apikey_insert(struct ctx *c, int64_t workspace_id, unsigned scopes, const char *label,
    int64_t expires_at, char key[APIKEY_LENGTH + 1], struct apikey **out)
{
	unsigned char digest[DIGEST_SIZE];
	struct apikey *k = arena_alloc(c->arena, sizeof(*k));
	struct pepper next;

	if (scopes == 0)
		return err_param(c, "scope",
		    "A key needs at least one scope: articles:read, drafts:read or articles:generate.");
	if (strlen(label) > LABEL_MAX_BYTES)
		return err_param(
		    c, "label", tr_mark("A label has at most %d bytes."), LABEL_MAX_BYTES);
	if (pepper_read_next(c, &next)) {
		pepper_wipe(&next);
		return refuse(
		    c, ERR_CONFLICT, "A restore is at work: make the key when it is done.");
	}
	apikey_random(key);
	digest_key(c, key, digest);
	k->uuid = arena_alloc(c->arena, UUID_TEXT);
	uuid_random((char *)k->uuid);
	k->workspace_id = workspace_id;
	k->scopes = scopes;
	k->label = label;
	k->display = apikey_display(c, key);
	k->created_at = c->now;
	k->expires_at = expires_at;
	k->lifetime = expires_at == 0 ? 0 : expires_at - c->now;
	k->id = insert_row(c, k, digest);
	*out = k;
	return NULL;
}

void
apikey_revoke(struct ctx *c, int64_t id)
{
	db_run(c, "UPDATE api_key SET revoked_at = :now WHERE id = :id AND revoked_at IS NULL",
	    db_i(":now", c->now), db_i(":id", id));
}

int64_t
apikey_revoke_all(struct ctx *c, int64_t workspace_id)
{
	return db_run_counted(c,
	    "UPDATE api_key /*scan*/ SET revoked_at = :now WHERE workspace_id = :workspace"
	    " AND revoked_at IS NULL",
	    db_i(":now", c->now), db_i(":workspace", workspace_id));
}

void
apikey_expire(struct ctx *c, const struct apikey *k, int64_t at)
{
	if (k->expires_at != 0 && k->expires_at < at)
		at = k->expires_at;
	if (k->lifetime != 0 && k->created_at + k->lifetime - 1 < at)
		at = k->created_at + k->lifetime - 1;
	db_run(c, "UPDATE api_key SET expires_at = :at WHERE id = :id", db_i(":at", at),
	    db_i(":id", k->id));
}

bool
apikey_is_replaced(const struct apikey *k)
{
	return k->expires_at != 0 &&
	       (k->lifetime == 0 || k->expires_at < k->created_at + k->lifetime);
}

struct apikey *
apikey_find_like(struct ctx *c, const struct apikey *key)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM api_key /*scan*/ WHERE workspace_id = :workspace"
	    " AND id > :id AND label = :label AND scopes = :scopes ORDER BY id LIMIT 1",
	    db_i(":workspace", key->workspace_id), db_i(":id", key->id), db_t(":label", key->label),
	    db_t(":scopes", scope_to_text(c->arena, key->scopes)));
	struct apikey *found = db_row(q) ? from_row(c, q) : NULL;

	db_reset(q);
	return found;
}

/* ---- who made a key in the console */

void
keymaker_insert(struct ctx *c, int64_t key_id, const char *person)
{
	db_run(c, "INSERT INTO key_more (key_id, person) VALUES (:key, :person)",
	    db_i(":key", key_id), db_t(":person", person));
}

const char *
keymaker_find(struct ctx *c, int64_t key_id)
{
	return db_one_text(
	    c, NULL, "SELECT person FROM key_more WHERE key_id = :key", db_i(":key", key_id));
}

void
keymaker_list(struct ctx *c, const char *person, int64_t max,
    void (*each)(void *arg, const struct apikey *key), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT m.key_id FROM key_more m"
	    " JOIN api_key k ON k.id = m.key_id WHERE m.person = :person"
	    " AND k.revoked_at IS NULL ORDER BY m.key_id DESC LIMIT :max",
	    db_t(":person", person), db_i(":max", max));

	while (db_row(q))
		each(arg, apikey_of(c, db_int(q, 0)));
}
