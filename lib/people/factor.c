#include "people/factor.h"

#include <nettle/hmac.h>
#include <qrencode.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/encoding.h"
#include "base/log.h"
#include "base/uuid.h"
#include "people/secret.h"
#include "people/throttle.h"
#include "screen/tr.h"
#include "store/db.h"

#define TOTP_DIGITS 6
#define TOTP_STEP_S 30
#define FACTOR_CODE 16 /* letters, or digits from 2 to 7: 80 random bits */
#define QUIET 4 /* modules around a QR code */

#define PURPOSE "galley factor 1"
#define OFFER "galley factor offer 1"
#define CODE_BYTES (FACTOR_CODE / 8 * 5)
#define SEALED (TOTP_SECRET + SEAL_MORE)
#define LONGEST_WAIT CLOCK_DAY

/* ---- codes of an authenticator, and its secret as it is shown */

int64_t
totp_step(int64_t at)
{
	return at / (TOTP_STEP_S * CLOCK_SECOND);
}

uint32_t
totp_code(const unsigned char secret[TOTP_SECRET], int64_t step)
{
	unsigned char counter[8], mac[SHA1_DIGEST_SIZE];
	struct hmac_sha1_ctx hmac;
	size_t at;
	uint32_t number;

	for (int i = 0; i < 8; i++)
		counter[i] = (unsigned char)((uint64_t)step >> (56 - 8 * i));
	hmac_sha1_set_key(&hmac, TOTP_SECRET, secret);
	hmac_sha1_update(&hmac, sizeof(counter), counter);
	hmac_sha1_digest(&hmac, sizeof(mac), mac);
	explicit_bzero(&hmac, sizeof(hmac));
	/* RFC 4226 §5.3: the last four bits say which 31 bits are taken. */
	at = mac[SHA1_DIGEST_SIZE - 1] & 15;
	number = (uint32_t)(mac[at] & 127) << 24 | (uint32_t)mac[at + 1] << 16 |
		 (uint32_t)mac[at + 2] << 8 | mac[at + 3];
	return number % 1000000;
}

/* Reads six digits; false for any other text. */
static bool
read_code(const char *typed, uint32_t *code)
{
	int digits = 0;

	*code = 0;
	for (; *typed != '\0'; typed++) {
		if (*typed == ' ' || *typed == '-')
			continue;
		if (*typed < '0' || *typed > '9' || ++digits > TOTP_DIGITS)
			return false;
		*code = *code * 10 + (uint32_t)(*typed - '0');
	}
	return digits == TOTP_DIGITS;
}

int64_t
totp_check(const unsigned char secret[TOTP_SECRET], int64_t at, int64_t spent, const char *typed)
{
	int64_t now = totp_step(at), found = 0;
	uint32_t code;

	if (!read_code(typed, &code))
		return 0;
	for (int64_t step = now - 1; step <= now + 1; step++) {
		if (totp_code(secret, step) == code && step > spent)
			found = step;
	}
	return found;
}

char *
totp_base32(struct arena *a, const unsigned char *bytes, size_t len)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
	char *text = arena_alloc(a, len / 5 * 8 + 1), *p = text;

	for (size_t i = 0; i + 5 <= len; i += 5) {
		uint64_t five = 0;
		for (size_t j = 0; j < 5; j++)
			five = five << 8 | bytes[i + j];
		for (int shift = 35; shift >= 0; shift -= 5)
			*p++ = letters[five >> shift & 31];
	}
	return text;
}

const char *
totp_grouped(struct arena *a, const char *text)
{
	struct buf out;

	buf_init(&out, a, 2 * strlen(text) + 1);
	for (size_t i = 0; text[i] != '\0'; i++) {
		if (i > 0 && i % 4 == 0)
			buf_add_char(&out, ' ');
		buf_add_char(&out, text[i]);
	}
	return buf_done(&out);
}

/* Returns the text with all bytes escaped but those that RFC 3986 leaves unreserved. */
static const char *
escape(struct arena *a, const char *text)
{
	struct buf out;

	buf_init(&out, a, 3 * strlen(text) + 1);
	for (const char *p = text; *p != '\0'; p++) {
		if ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
		    (*p >= '0' && *p <= '9') || strchr("-._~", *p) != NULL)
			buf_add_char(&out, *p);
		else
			buf_printf(&out, "%%%02X", (unsigned)(unsigned char)*p);
	}
	return buf_done(&out);
}

/* The parameters beyond the secret are the usual ones; some programs want to be told. */
const char *
totp_address(
    struct arena *a, const unsigned char secret[TOTP_SECRET], const char *issuer, const char *email)
{
	const char *by = escape(a, issuer);

	return arena_printf(a,
	    "otpauth://totp/%s:%s?secret=%s&issuer=%s&algorithm=SHA1&digits=%d&period=%d", by,
	    escape(a, email), totp_base32(a, secret, TOTP_SECRET), by, TOTP_DIGITS, TOTP_STEP_S);
}

/* Adds the dark runs of one row. */
static void
add_row(struct buf *out, const QRcode *qr, int y)
{
	const unsigned char *row = qr->data + (size_t)y * (size_t)qr->width;

	for (int x = 0, from; x < qr->width; x++) {
		if ((row[x] & 1) == 0)
			continue;
		from = x;
		while (x + 1 < qr->width && (row[x + 1] & 1) != 0)
			x++;
		buf_printf(
		    out, "M%d %dh%dv1h-%dz", from + QUIET, y + QUIET, x + 1 - from, x + 1 - from);
	}
}

const char *
totp_qr(struct arena *a, const char *text, int *size)
{
	QRcode *qr = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M);
	struct buf out;

	if (qr == NULL)
		die("libqrencode makes no code of %zu bytes", strlen(text));
	buf_init(&out, a, (size_t)1 << 20);
	for (int y = 0; y < qr->width; y++)
		add_row(&out, qr, y);
	*size = qr->width + 2 * QUIET;
	QRcode_free(qr);
	return buf_done(&out);
}

/* ---- setting it up */

const char *
factor_offer(struct ctx *c, const char *person, unsigned char secret[TOTP_SECRET])
{
	uuid_random_bytes(secret, TOTP_SECRET);
	return base64_encode(c->arena, seal_make(c, OFFER, person, secret, TOTP_SECRET), SEALED);
}

bool
factor_offered(
    struct ctx *c, const char *person, const char *offer, unsigned char secret[TOTP_SECRET])
{
	const unsigned char *sealed, *bytes = NULL;
	size_t len;

	sealed = base64_decode(c->arena, offer, &len);
	if (sealed != NULL && len == SEALED)
		bytes = seal_open(c, OFFER, person, sealed, len);
	if (bytes != NULL)
		memcpy(secret, bytes, TOTP_SECRET);
	return bytes != NULL;
}

/* Returns the person's UUID: the place of the seal. */
static const char *
uuid_of(struct ctx *c, int64_t person_id)
{
	struct stmt *q =
	    db_prepare(c, "SELECT uuid FROM person WHERE id = :id", db_i(":id", person_id));
	const char *uuid;

	if (!db_row(q))
		BUG("there is no such person");
	uuid = db_text(q, 0);
	db_reset(q);
	return uuid;
}

struct err *
factor_set(
    struct ctx *c, int64_t person_id, const unsigned char secret[TOTP_SECRET], const char *typed)
{
	int64_t step = totp_check(secret, c->now, 0, typed);

	if (step == 0)
		return err_param(
		    c, "code", "%s", tr("This is not the code that the authenticator shows now."));
	db_run(c,
	    "UPDATE person SET factor = :factor, factor_step = :step,"
	    " factor_failures = 0, factor_wait_until = 0 WHERE id = :id",
	    db_b(":factor", seal_make(c, PURPOSE, uuid_of(c, person_id), secret, TOTP_SECRET),
		SEALED),
	    db_i(":step", step), db_i(":id", person_id));
	return NULL;
}

static void
delete_codes(struct ctx *c, int64_t person_id)
{
	db_run(
	    c, "DELETE FROM recovery WHERE person_id = :person_id", db_i(":person_id", person_id));
}

void
factor_remove(struct ctx *c, int64_t person_id)
{
	db_run(c,
	    "UPDATE person SET factor = NULL,"
	    " factor_step = 0, factor_failures = 0, factor_wait_until = 0 WHERE id = :id",
	    db_i(":id", person_id));
	delete_codes(c, person_id);
}

/* ---- recovery codes */

/* Computes what is stored of a code, in upper case and without spaces. */
static void
digest_code(struct ctx *c, int64_t person_id, const char *code, unsigned char out[DIGEST_SIZE])
{
	unsigned char key[SECRET_SIZE];
	struct digest d;

	secret_key(c, "galley recovery code 1", key);
	digest_begin_keyed(&d, DIGEST_SIZE, "galley recovery code 1", key, sizeof(key));
	digest_int(&d, person_id);
	digest_text(&d, code);
	digest_end(&d, out);
	explicit_bzero(key, sizeof(key));
}

void
factor_draw_codes(struct ctx *c, int64_t person_id, const char *codes[FACTOR_CODES])
{
	delete_codes(c, person_id);
	for (int i = 0; i < FACTOR_CODES; i++) {
		unsigned char bytes[CODE_BYTES], digest[DIGEST_SIZE];
		const char *code;

		uuid_random_bytes(bytes, sizeof(bytes));
		code = totp_base32(c->arena, bytes, sizeof(bytes));
		explicit_bzero(bytes, sizeof(bytes));
		digest_code(c, person_id, code, digest);
		db_run(c, "INSERT INTO recovery (person_id, digest) VALUES (:person_id, :digest)",
		    db_i(":person_id", person_id), db_b(":digest", digest, sizeof(digest)));
		codes[i] = totp_grouped(c->arena, code);
	}
}

/* Reads a recovery code as it was typed: in any case, with spaces and hyphens. */
static bool
read_recovery(const char *typed, char code[FACTOR_CODE + 1])
{
	size_t len = 0;

	for (; *typed != '\0'; typed++) {
		char ch = *typed;
		if (ch == ' ' || ch == '-')
			continue;
		if (ch >= 'a' && ch <= 'z')
			ch = (char)(ch - 'a' + 'A');
		if (len == FACTOR_CODE || !((ch >= 'A' && ch <= 'Z') || (ch >= '2' && ch <= '7')))
			return false;
		code[len++] = ch;
	}
	code[len] = '\0';
	return len == FACTOR_CODE;
}

static bool
spend_recovery(struct ctx *c, int64_t person_id, const char *typed)
{
	char code[FACTOR_CODE + 1];
	unsigned char digest[DIGEST_SIZE];

	if (!read_recovery(typed, code))
		return false;
	digest_code(c, person_id, code, digest);
	return db_run_counted(c,
		   "UPDATE recovery SET used_at = :used_at"
		   " WHERE digest = :digest AND person_id = :person_id AND used_at IS NULL",
		   db_i(":used_at", c->now), db_b(":digest", digest, sizeof(digest)),
		   db_i(":person_id", person_id)) == 1;
}

/* ---- checking a code */

/* The row of the person. */
struct row {
	unsigned char secret[TOTP_SECRET];
	int64_t step;
	struct wait wait;
};

/* Reads the person's row; false if the person has no factor. */
static bool
read_row(struct ctx *c, int64_t person_id, struct row *out)
{
	struct stmt *q = db_prepare(c,
	    "SELECT uuid, factor, factor_step, factor_failures, factor_since, factor_wait_until"
	    " FROM person WHERE id = :id AND factor IS NOT NULL",
	    db_i(":id", person_id));
	const unsigned char *sealed, *secret;
	const char *uuid;
	size_t len;

	if (!db_row(q))
		return false;
	uuid = db_text(q, 0);
	sealed = db_bytes(q, 1, &len);
	secret = seal_open(c, PURPOSE, uuid, sealed, len);
	if (secret == NULL || len != SEALED)
		die("the second factor of person %s does not open: people/secret is another one, or the row was changed",
		    uuid);
	memcpy(out->secret, secret, TOTP_SECRET);
	out->step = db_int(q, 2);
	out->wait.failures = db_int(q, 3);
	out->wait.since = db_int(q, 4);
	out->wait.until = db_int(q, 5);
	db_reset(q);
	return true;
}

/* Spends the step, unless another session did so: then the code is wrong. */
static bool
spend_step(struct ctx *c, int64_t person_id, int64_t step)
{
	return db_run_counted(c,
		   "UPDATE person SET factor_step = :step WHERE id = :id AND factor_step < :step",
		   db_i(":step", step), db_i(":id", person_id)) == 1;
}

static void
write_wait(struct ctx *c, int64_t person_id, const struct wait *w)
{
	db_run(c,
	    "UPDATE person SET factor_failures = :failures, factor_since = :since,"
	    " factor_wait_until = :until WHERE id = :id",
	    db_i(":failures", w->failures), db_i(":since", w->since), db_i(":until", w->until),
	    db_i(":id", person_id));
}

enum factor_result
factor_check(struct ctx *c, int64_t person_id, const char *typed, int *wait_s)
{
	enum factor_result result = FACTOR_WRONG;
	struct row r;
	int64_t step;

	*wait_s = 0;
	if (!read_row(c, person_id, &r))
		return FACTOR_WRONG;
	*wait_s = wait_left_s(&r.wait, c->now, LONGEST_WAIT);
	if (*wait_s > 0) {
		explicit_bzero(&r, sizeof(r));
		return FACTOR_WAIT;
	}
	step = totp_check(r.secret, c->now, r.step, typed);
	if (step != 0 && spend_step(c, person_id, step))
		result = FACTOR_RIGHT;
	else if (step == 0 && spend_recovery(c, person_id, typed))
		result = FACTOR_RECOVERED;
	if (result == FACTOR_WRONG)
		wait_count(&r.wait, c->now, LONGEST_WAIT);
	else
		r.wait = (struct wait) { 0 };
	write_wait(c, person_id, &r.wait);
	explicit_bzero(&r, sizeof(r));
	return result;
}

void
factor_forgive(struct ctx *c, int64_t person_id)
{
	write_wait(c, person_id, &(struct wait) { 0 });
}

void
factor_state(struct ctx *c, int64_t person_id, struct factor_state *out)
{
	struct stmt *q;

	memset(out, 0, sizeof(*out));
	q = db_prepare(c,
	    "SELECT CASE WHEN factor IS NULL THEN 0 ELSE 1 END, factor_failures,"
	    " factor_wait_until, (SELECT count(*) FROM recovery"
	    " WHERE recovery.person_id = person.id AND used_at IS NULL) FROM person WHERE id = :id",
	    db_i(":id", person_id));
	if (db_row(q)) {
		out->exists = db_int(q, 0) != 0;
		out->failures = db_int(q, 1);
		out->wait_until = db_int(q, 2) > c->now ? db_int(q, 2) : 0;
		out->codes_left = db_int(q, 3);
	}
	db_reset(q);
}
