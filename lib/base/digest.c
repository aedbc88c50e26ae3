#include "base/digest.h"

#include <string.h>

#include "base/log.h"

/* Collects bytes before it calls the library: most pieces have a few bytes, and a
 * call of the library costs more than collecting them. */
static void
take(struct digest *d, const void *bytes, size_t len)
{
	if (len > sizeof(d->hold) - d->held) {
		blake2b_update(&d->state, d->hold, d->held);
		d->held = 0;
	}
	if (len > sizeof(d->hold)) {
		blake2b_update(&d->state, bytes, len);
		return;
	}
	memcpy(d->hold + d->held, bytes, len);
	d->held += len;
}

void
digest_begin(struct digest *d, size_t size, const char *domain)
{
	if (blake2b_init(&d->state, size) != 0)
		BUG("digest of %zu bytes", size);
	d->size = size;
	d->held = 0;
	digest_text(d, domain);
}

void
digest_begin_keyed(
    struct digest *d, size_t size, const char *domain, const void *key, size_t key_len)
{
	if (blake2b_init_key(&d->state, size, key, key_len) != 0)
		BUG("digest of %zu bytes with a key of %zu", size, key_len);
	d->size = size;
	d->held = 0;
	digest_text(d, domain);
}

void
digest_int(struct digest *d, int64_t value)
{
	unsigned char le[8];

	for (int i = 0; i < 8; i++)
		le[i] = (unsigned char)((uint64_t)value >> (8 * i));
	take(d, le, sizeof(le));
}

void
digest_fixed(struct digest *d, const void *bytes, size_t len)
{
	take(d, bytes, len);
}

void
digest_bytes(struct digest *d, const void *bytes, size_t len)
{
	digest_int(d, (int64_t)len);
	take(d, bytes, len);
}

void
digest_text(struct digest *d, const char *text)
{
	if (text == NULL)
		digest_int(d, -1);
	else
		digest_bytes(d, text, strlen(text));
}

void
digest_end(struct digest *d, void *out)
{
	blake2b_update(&d->state, d->hold, d->held);
	blake2b_final(&d->state, out, d->size);
}

void
digest_end_hex(struct digest *d, char *out)
{
	unsigned char bytes[BLAKE2B_OUTBYTES];

	digest_end(d, bytes);
	digest_hex(out, bytes, d->size);
}

void
digest_hex(char *out, const void *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *p = bytes;

	for (size_t i = 0; i < len; i++) {
		out[2 * i] = digits[p[i] >> 4];
		out[2 * i + 1] = digits[p[i] & 15];
	}
	out[2 * len] = '\0';
}

int
digest_compare(const void *a, const void *b, size_t len)
{
	const volatile unsigned char *x = a, *y = b;
	unsigned char differs = 0;

	for (size_t i = 0; i < len; i++)
		differs |= (unsigned char)(x[i] ^ y[i]);
	return differs;
}
