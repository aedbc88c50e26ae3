#include "people/password.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <argon2.h>

#include "base/arena.h"
#include "base/base64.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/log.h"
#include "base/utf8.h"
#include "base/uuid.h"
#include "people/common/common.h"
#include "people/normal.h"
#include "people/password-slot.h"
#include "people/secret.h"
#include "screen/tr.h"

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

/* ---- what a new password must be */

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
	const char *folded = normal_fold(c, name);

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
		    c, "password", "%s", tr("A password is not one letter again and again."));
	if (common_has(folded))
		return err_param(c, "password", "%s",
		    tr("This is one of the 10,000 most common passwords. Choose another one."));
	return NULL;
}

struct err *
password_read(struct ctx *c, const char *typed, bool has_factor, const char *const *names,
    size_t count, const char **out)
{
	const char *password = normal_text(c, typed);
	const char *folded = normal_fold(c, typed);
	char *rest = arena_text(c->arena, folded);
	size_t min = has_factor ? PASSWORD_MIN_FACTOR : PASSWORD_MIN;
	struct err *err;

	if (utf8_length(password) < min)
		return err_param(c, "password", tr("A password has at least %zu characters."), min);
	if (utf8_length(password) > PASSWORD_MAX)
		return err_param(
		    c, "password", tr("A password has at most %d characters."), PASSWORD_MAX);
	err = refuse_guessable(c, folded);
	if (err != NULL)
		return err;
	for (size_t i = 0; i < count; i++)
		remove_words(c, rest, names[i]);
	if (utf8_length(rest) < PASSWORD_LEFT)
		return err_param(c, "password",
		    tr("Without the names in it a password has at least %d characters."),
		    PASSWORD_LEFT);
	err = refuse_guessable(c, rest);
	if (err == NULL)
		*out = password;
	return err;
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
	struct err *err = password_slot_take(c, asker.login, asker.is_known, &slot);

	if (err != NULL)
		return err;
	if (!compute(c, password, p, out)) {
		log_line("argon2: no memory");
		err = password_slot_refuse(c);
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

/* Moves *text behind `before` and the number that follows; false if the text is another
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
	struct err *err;

	if (phc == NULL) {
		*state = PASSWORD_WRONG;
		return password_check_nobody(c, typed, asker);
	}
	if (!phc_read(c, phc, &p))
		die("a stored password is damaged: galley person reset sets a new one");
	err = compute_in_slot(c, normal_text(c, typed), &p, asker, hash);
	if (err != NULL)
		return err;
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
	return compute_in_slot(c, normal_text(c, typed), &p, asker, hash);
}
