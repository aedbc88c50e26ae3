#include "people/totp.h"

#include <string.h>

#include <nettle/hmac.h>
#include <qrencode.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"

#define QUIET 4 /* modules */

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
