#include "people/password.h"

#include <argon2.h>
#include <errno.h>
#include <inttypes.h>
#include <nettle/sha2.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utf8proc.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/encoding.h"
#include "base/fileio.h"
#include "base/log.h"
#include "base/utf8.h"
#include "base/uuid.h"
#include "common-passwords.gen.h"
#include "people/secret.h"
#include "screen/tr.h"
#include "system/filelock.h"
#include "system/instance.h"

#define PASSWORD_MIN 12 /* characters */
#define PASSWORD_MIN_FACTOR 8 /* the same, with a second factor */
#define PASSWORD_LEFT 8 /* characters that must be left without the names */
#define PASSWORD_NAME_MIN 5 /* characters of the shortest name that is removed */

/* Five bytes of a digest: of 100 million other passwords one is taken for common. */
#define HASH_BYTES 5
#define COUNT (sizeof(common_hashes) / HASH_BYTES)

_Static_assert(sizeof(common_hashes) == 10000 * HASH_BYTES + 1, "common-passwords.txt is whole");

/* The first is for known askers, who take the others, too. */
#define SLOTS 4
#define RETRY_AFTER_S 2
#define LOGIN_TIME CLOCK_SECOND

/* What separates the words of a name or an address. */
#define BETWEEN_WORDS " .,:;@-_/'\"()&"

/* The parameters of a new hash, and the greatest that a stored one may have: a damaged row
 * must not take the machine's memory. */
enum {
	MEMORY_KIB = 19 * 1024,
	MEMORY_KIB_MAX = 256 * 1024,
	PASSES = 2,
	PASSES_MAX = 16,
	LANES = 1,
	LANES_MAX = 4,
	SALT = 16,
	HASH = 32
};

struct phc {
	uint32_t memory_kib;
	uint32_t passes;
	uint32_t lanes;
	unsigned char salt[SALT];
	unsigned char hash[HASH];
};

/* ---- forms in which two spellings of one word are the same bytes */

static const char *
transform(struct ctx *c, const char *text, unsigned options)
{
	utf8proc_uint8_t *made = NULL;
	const char *out;
	utf8proc_ssize_t len = utf8proc_map((const utf8proc_uint8_t *)text, 0, &made,
	    (utf8proc_option_t)(options | UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE |
				UTF8PROC_COMPAT));

	if (len < 0)
		die("utf8proc_map: a valid text was refused");
	out = arena_text_n(c->arena, (const char *)made, (size_t)len);
	explicit_bzero(made, (size_t)len);
	free(made);
	return out;
}

/* Returns the text in NFKC, in the arena: the form in which a password is hashed. */
static const char *
normal(struct ctx *c, const char *text)
{
	return transform(c, text, 0);
}

/* Returns the text in NFKC with its case folded, in the arena: the form in which words
 * are compared. */
static const char *
fold(struct ctx *c, const char *text)
{
	return transform(c, text, UTF8PROC_CASEFOLD);
}

/* ---- what a new password must be */

bool
password_is_common(const char *folded)
{
	uint8_t hash[SHA256_DIGEST_SIZE];
	struct sha256_ctx sha;
	size_t low = 0, high = COUNT;

	sha256_init(&sha);
	sha256_update(&sha, strlen(folded), (const uint8_t *)folded);
	sha256_digest(&sha, sizeof(hash), hash);
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = memcmp(hash, common_hashes + middle * HASH_BYTES, HASH_BYTES);
		if (order == 0)
			return true;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}

static bool
is_one_letter(const char *text)
{
	uint32_t first = utf8_next(&text), next;

	while ((next = utf8_next(&text)) != 0) {
		if (next != first)
			return false;
	}
	return true;
}

/* Removes a name from all places of the text, if it is long enough. */
static void
remove_name(char *text, const char *name)
{
	size_t len = strlen(name);
	char *at;

	if (utf8_length(name) < PASSWORD_NAME_MIN)
		return;
	while ((at = strstr(text, name)) != NULL)
		memmove(at, at + len, strlen(at + len) + 1);
}

/* Removes a name and its words. */
static void
remove_words(struct ctx *c, char *text, const char *name)
{
	const char *folded = fold(c, name);

	remove_name(text, folded);
	while (*folded != '\0') {
		size_t len;
		folded += strspn(folded, BETWEEN_WORDS);
		len = strcspn(folded, BETWEEN_WORDS);
		remove_name(text, arena_text_n(c->arena, folded, len));
		folded += len;
	}
}

static struct err *
refuse_guessable(struct ctx *c, const char *folded)
{
	if (is_one_letter(folded))
		return err_param(
		    c, "password", "%s", tr("A password must not be one letter again and again."));
	if (password_is_common(folded))
		return err_param(c, "password", "%s",
		    tr("This is one of the 10,000 most common passwords. Choose another one."));
	return NULL;
}

struct err *
password_read(struct ctx *c, const char *typed, bool has_factor, const char *const *names,
    size_t count, const char **out)
{
	const char *password = normal(c, typed);
	const char *folded = fold(c, typed);
	char *rest = arena_text(c->arena, folded);
	size_t min = has_factor ? PASSWORD_MIN_FACTOR : PASSWORD_MIN;

	if (utf8_length(password) < min)
		return err_param(c, "password", tr("A password has at least %zu characters."), min);
	if (utf8_length(password) > PASSWORD_MAX)
		return err_param(
		    c, "password", tr("A password has at most %d characters."), PASSWORD_MAX);
	TRY(refuse_guessable(c, folded));
	for (size_t i = 0; i < count; i++)
		remove_words(c, rest, names[i]);
	if (utf8_length(rest) < PASSWORD_LEFT)
		return err_param(c, "password",
		    tr("Without the names in it a password has at least %d characters."),
		    PASSWORD_LEFT);
	TRY(refuse_guessable(c, rest));
	*out = password;
	return NULL;
}

/* ---- who may hash now */

/* Refuses because no password can be hashed now. */
static struct err *
refuse_busy(struct ctx *c)
{
	struct err *err = refuse(c, ERR_UNAVAILABLE, "%s",
	    tr("Too many people are signing in at this moment. Try again."));

	err->retry_after_s = RETRY_AFTER_S;
	return err;
}

static struct err *
refuse_unusable(struct ctx *c, const char *path)
{
	log_line("%s: %s; no password can be hashed", path, strerror(errno));
	return refuse_busy(c);
}

/* Returns where a login has a byte of its own, however many logins there are. */
static off_t
byte_of(const char *login)
{
	struct digest d;
	uint64_t number;

	digest_begin(&d, sizeof(number), "galley hashing 1");
	digest_text(&d, login);
	digest_end(&d, &number);
	return (off_t)(number >> 2);
}

/* Takes the login. */
static struct err *
take_login(struct ctx *c, const char *folder, const char *login, struct password_slot *out)
{
	const char *path = fileio_path(c->arena, folder, "hashing-logins");
	const struct timespec between = { .tv_nsec = 10 * 1000 * 1000 };
	int64_t until = clock_boot() + LOGIN_TIME;
	off_t at = byte_of(login);

	while ((out->login = filelock_take_byte(path, at)) < 0) {
		if (errno != EAGAIN)
			return refuse_unusable(c, path);
		if (clock_boot() >= until)
			return refuse_busy(c);
		(void)nanosleep(&between, NULL);
	}
	return NULL;
}

struct err *
password_slot_take(struct ctx *c, const char *login, bool is_known, struct password_slot *out)
{
	const char *folder = arena_printf(c->arena, "%s/console", c->instance->run);

	if (!fileio_make_folder(folder, 0700))
		return refuse_unusable(c, folder);
	TRY(take_login(c, folder, login, out));
	for (int i = is_known ? 0 : 1; i < SLOTS; i++) {
		const char *path = arena_printf(c->arena, "%s/hashing-%d", folder, i);
		pid_t holder;

		out->slot = filelock_take(path, &holder);
		if (out->slot >= 0)
			return NULL;
		if (holder == 0)
			TRY(refuse_unusable(c, path));
	}
	filelock_release(out->login);
	return refuse_busy(c);
}

void
password_slot_release(const struct password_slot *slot)
{
	filelock_release(slot->slot);
	filelock_release(slot->login);
}

/* ---- argon2id */

/* Computes the hash of a password with the parameters and the salt of `p`. False: there is no
 * memory for it. */
static bool
compute(struct ctx *c, const char *password, const struct phc *p, unsigned char out[HASH])
{
	unsigned char key[SECRET_SIZE], salt[SALT];
	char *bytes = arena_text(c->arena, password);
	argon2_context a = {
		.outlen = HASH,
		.pwd = (uint8_t *)bytes,
		.pwdlen = (uint32_t)strlen(bytes),
		.salt = salt,
		.saltlen = SALT,
		.secret = key,
		.secretlen = SECRET_SIZE,
		.m_cost = p->memory_kib,
		.t_cost = p->passes,
		.lanes = p->lanes,
		.threads = 1,
		.version = ARGON2_VERSION_13,
		/* argon2 clears `bytes` and `key`. */
		.flags = ARGON2_FLAG_CLEAR_PASSWORD | ARGON2_FLAG_CLEAR_SECRET,
	};
	int fault;

	a.out = out;
	memcpy(salt, p->salt, SALT);
	secret_key(c, "galley password 1", key);
	fault = argon2_ctx(&a, Argon2_id);
	explicit_bzero(key, sizeof(key));
	if (fault != ARGON2_OK && fault != ARGON2_MEMORY_ALLOCATION_ERROR)
		die("argon2: %s", argon2_error_message(fault));
	return fault == ARGON2_OK;
}

/* The same in a slot. */
static struct err *
compute_in_slot(struct ctx *c, const char *password, const struct phc *p,
    struct password_asker asker, unsigned char out[HASH])
{
	struct password_slot slot;
	struct err *err = NULL;

	TRY(password_slot_take(c, asker.login, asker.is_known, &slot));
	if (!compute(c, password, p, out)) {
		log_line("argon2: no memory");
		err = refuse_busy(c);
	}
	password_slot_release(&slot);
	return err;
}

static void
draw(struct phc *p)
{
	p->memory_kib = MEMORY_KIB;
	p->passes = PASSES;
	p->lanes = LANES;
	uuid_random_bytes(p->salt, SALT);
}

/* ---- PHC strings: base64 of the usual alphabet, without padding */

static const char *
encode(struct ctx *c, const unsigned char *bytes, size_t len)
{
	char *text = base64_encode(c->arena, bytes, len);

	for (char *p = text; *p != '\0'; p++)
		*p = *p == '-' ? '+' : *p == '_' ? '/' : *p;
	return text;
}

/* Decodes the text up to `end`; false if that are not `len` bytes. */
static bool
decode(struct ctx *c, const char *text, const char *end, unsigned char *out, size_t len)
{
	char *copy = arena_text_n(c->arena, text, (size_t)(end - text));
	const unsigned char *bytes;
	size_t got;

	for (char *p = copy; *p != '\0'; p++)
		*p = *p == '+' ? '-' : *p == '/' ? '_' : *p;
	bytes = base64_decode(c->arena, copy, &got);
	if (bytes == NULL || got != len)
		return false;
	memcpy(out, bytes, len);
	return true;
}

static const char *
phc_write(struct ctx *c, const struct phc *p)
{
	return arena_printf(c->arena,
	    "$argon2id$v=%d$m=%" PRIu32 ",t=%" PRIu32 ",p=%" PRIu32 "$%s$%s", ARGON2_VERSION_13,
	    p->memory_kib, p->passes, p->lanes, encode(c, p->salt, SALT), encode(c, p->hash, HASH));
}

/* Moves *text past `before` and the number that follows; false if the text is another
 * one. */
static bool
read_number(const char **text, const char *before, uint32_t *out)
{
	const char *p = *text;
	char *end;
	unsigned long long number;

	if (strncmp(p, before, strlen(before)) != 0)
		return false;
	p += strlen(before);
	if (*p < '1' || *p > '9')
		return false;
	number = strtoull(p, &end, 10);
	*text = end;
	*out = (uint32_t)number;
	return number <= UINT32_MAX;
}

static bool
phc_read(struct ctx *c, const char *text, struct phc *p)
{
	const char *hash;
	uint32_t version;

	if (!read_number(&text, "$argon2id$v=", &version) ||
	    !read_number(&text, "$m=", &p->memory_kib) || !read_number(&text, ",t=", &p->passes) ||
	    !read_number(&text, ",p=", &p->lanes) || *text++ != '$' || version != ARGON2_VERSION_13)
		return false;
	if (p->lanes > LANES_MAX || p->passes > PASSES_MAX || p->memory_kib < 8 * p->lanes ||
	    p->memory_kib > MEMORY_KIB_MAX)
		return false;
	hash = strchr(text, '$');
	return hash != NULL && decode(c, text, hash, p->salt, SALT) &&
	       decode(c, hash + 1, hash + strlen(hash), p->hash, HASH);
}

static bool
is_old(const struct phc *p)
{
	return p->memory_kib < MEMORY_KIB || p->passes < PASSES || p->lanes < LANES;
}

/* ---- the three verbs */

struct err *
password_hash(struct ctx *c, const char *password, struct password_asker asker, const char **phc)
{
	struct phc p;
	struct err *err;

	draw(&p);
	err = compute_in_slot(c, password, &p, asker, p.hash);
	if (err == NULL)
		*phc = phc_write(c, &p);
	explicit_bzero(&p, sizeof(p));
	return err;
}

struct err *
password_check(struct ctx *c, const char *typed, const char *phc, struct password_asker asker,
    enum password_state *state)
{
	unsigned char hash[HASH] = { 0 };
	struct phc p;

	if (phc == NULL) {
		*state = PASSWORD_WRONG;
		return password_check_nobody(c, typed, asker);
	}
	if (!phc_read(c, phc, &p))
		die("a stored password is damaged: galley person reset sets a new one");
	TRY(compute_in_slot(c, normal(c, typed), &p, asker, hash));
	*state = PASSWORD_WRONG;
	if (digest_compare(hash, p.hash, HASH) == 0)
		*state = is_old(&p) ? PASSWORD_RIGHT_OLD : PASSWORD_RIGHT;
	explicit_bzero(hash, sizeof(hash));
	return NULL;
}

struct err *
password_check_nobody(struct ctx *c, const char *typed, struct password_asker asker)
{
	unsigned char hash[HASH];
	struct phc p;

	draw(&p);
	return compute_in_slot(c, normal(c, typed), &p, asker, hash);
}
