#include "content/punycode.h"

#include <string.h>

/* The numbers of RFC 3492 §5. */
enum { BASE = 36, T_MIN = 1, T_MAX = 26, SKEW = 38, DAMP = 700, BIAS = 72, FIRST = 0x80 };

#define POINT_MAX 0x10FFFF

static uint32_t
adapt(uint32_t delta, uint32_t count, bool first)
{
	uint32_t k = 0;

	delta = first ? delta / DAMP : delta / 2;
	delta += delta / count;
	for (; delta > (BASE - T_MIN) * T_MAX / 2; k += BASE)
		delta /= BASE - T_MIN;
	return k + (BASE - T_MIN + 1) * delta / (delta + SKEW);
}

static uint32_t
threshold(uint32_t k, uint32_t bias)
{
	if (k <= bias)
		return T_MIN;
	return k >= bias + T_MAX ? T_MAX : k - bias;
}

static char
digit(uint32_t value)
{
	return (char)(value < 26 ? 'a' + value : '0' + (value - 26));
}

/* Adds a character; false if there is no room for it. */
static bool
put(char *out, size_t *len, char ch)
{
	if (*len == PUNYCODE_MAX)
		return false;
	out[(*len)++] = ch;
	return true;
}

/* Adds a number of variable length. */
static bool
put_number(char *out, size_t *len, uint32_t q, uint32_t bias)
{
	for (uint32_t k = BASE;; k += BASE) {
		uint32_t t = threshold(k, bias);
		if (q < t)
			return put(out, len, digit(q));
		if (!put(out, len, digit(t + (q - t) % (BASE - t))))
			return false;
		q = (q - t) / (BASE - t);
	}
}

/* Returns the smallest code point from `n` on. */
static uint32_t
smallest(const int32_t *points, size_t count, uint32_t n)
{
	uint32_t found = UINT32_MAX;

	for (size_t i = 0; i < count; i++) {
		uint32_t point = (uint32_t)points[i];
		if (point >= n && point < found)
			found = point;
	}
	return found;
}

bool
punycode_encode(const int32_t *points, size_t count, char out[PUNYCODE_MAX + 1])
{
	uint32_t n = FIRST, delta = 0, bias = BIAS;
	size_t len = 0, plain, done;

	/* A label of so many characters is too long; no number below overflows. */
	if (count > PUNYCODE_MAX)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (points[i] < FIRST && !put(out, &len, (char)points[i]))
			return false;
	}
	plain = done = len;
	if (plain > 0 && !put(out, &len, '-'))
		return false;
	for (; done < count; delta++, n++) {
		uint32_t next = smallest(points, count, n);
		delta += (next - n) * (uint32_t)(done + 1);
		n = next;
		for (size_t i = 0; i < count; i++) {
			if ((uint32_t)points[i] < n)
				delta++;
			if ((uint32_t)points[i] != n)
				continue;
			if (!put_number(out, &len, delta, bias))
				return false;
			bias = adapt(delta, (uint32_t)done + 1, done == plain);
			delta = 0;
			done++;
		}
	}
	out[len] = '\0';
	return true;
}

static int
value_of(char ch)
{
	if (ch >= 'a' && ch <= 'z')
		return ch - 'a';
	return ch >= '0' && ch <= '9' ? ch - '0' + 26 : -1;
}

/* Reads a number of variable length and adds it to *i. Returns false if there is none. */
static bool
read_number(const char **p, uint64_t *i, uint32_t bias)
{
	uint64_t weight = 1;

	for (uint32_t k = BASE;; k += BASE) {
		uint32_t t = threshold(k, bias);
		int value = value_of(**p);
		if (value < 0)
			return false;
		(*p)++;
		*i += (uint64_t)value * weight;
		if (*i > UINT32_MAX)
			return false;
		if ((uint32_t)value < t)
			return true;
		weight *= BASE - t;
		if (weight > UINT32_MAX)
			return false;
	}
}

int
punycode_decode(const char *text, int32_t *points, size_t max)
{
	const char *hyphen = strrchr(text, '-'), *p = text;
	uint32_t bias = BIAS;
	size_t count = 0;
	uint64_t n = FIRST, i = 0, before;

	for (; hyphen != NULL && p < hyphen; p++) {
		if (count == max)
			return -1;
		points[count++] = *p;
	}
	p += hyphen != NULL ? 1 : 0;
	while (*p != '\0') {
		before = i;
		if (count == max || !read_number(&p, &i, bias))
			return -1;
		bias = adapt((uint32_t)(i - before), (uint32_t)count + 1, before == 0);
		n += i / (count + 1);
		i %= count + 1;
		if (n > POINT_MAX)
			return -1;
		memmove(points + i + 1, points + i, (count - i) * sizeof(*points));
		points[i++] = (int32_t)n;
		count++;
	}
	return (int)count;
}
