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

#define ODD UINT64_C(0x9E3779B97F4A7C15)

/* Fletcher's sums of 64-bit words, in as many parallel lanes as every x86-64 has
 * registers for. With wider lanes the compiler would keep them in memory between
 * two steps. */
typedef uint64_t lanes __attribute__((vector_size(2 * sizeof(uint64_t))));

struct sums {
	lanes simple, weighted;
};

/* Mixes two words. No information of either is lost: the multiplication by an odd
 * factor and this shift can be reversed. */
static uint64_t
mix(uint64_t mixed, uint64_t more)
{
	mixed = (mixed ^ more) * ODD;
	return mixed ^ mixed >> 32;
}

static struct sums
add(struct sums s, const char *bytes)
{
	lanes words;

	memcpy(&words, bytes, sizeof(words));
	s.simple += words;
	s.weighted += s.simple;
	return s;
}

uint64_t
checksum(const char *bytes, size_t len)
{
	struct sums even = { .simple = { len, len } }, odd = even;
	char rest[2 * sizeof(lanes)] = { 0 };
	size_t whole = len / sizeof(rest) * sizeof(rest);
	uint64_t mixed = 0;

	for (size_t i = 0; i < whole; i += sizeof(rest)) {
		even = add(even, bytes + i);
		odd = add(odd, bytes + i + sizeof(lanes));
	}
	memcpy(rest, bytes + whole, len - whole);
	even = add(even, rest);
	odd = add(odd, rest + sizeof(lanes));
	for (int i = 0; i < 2; i++) {
		mixed = mix(mix(mixed, even.weighted[i]), even.simple[i]);
		mixed = mix(mix(mixed, odd.weighted[i]), odd.simple[i]);
	}
	return mixed;
}
