#include "stats/hit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/base64.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/log.h"
#include "base/percent.h"
#include "base/utf8.h"

#define WORDS_MAX 12
#define UUID_BYTES 16

/* 1 TIME DAY WORKSPACE ARTICLE PATH REFERRER CAMPAIGN WIDTH LANGUAGE BOT VISITOR, with the
 * UUIDs and the visitor in base64: 12 words, 11 tabs. */
_Static_assert(1 + 10 + 5 + 22 + 22 + HIT_PATH_MAX + HIT_REFERRER_MAX + HIT_CAMPAIGN_MAX +
		       HIT_WIDTH_MAX + HIT_LANGUAGE_MAX + HIT_BOT_MAX + 11 + WORDS_MAX - 1 <=
		   HIT_LINE_MAX,
    "a line holds all of it");

/* ---- writing */

/* Returns the UUID in 22 characters, and a prefix or "" as it is. */
static const char *
packed(struct arena *a, const char *uuid)
{
	unsigned char bytes[UUID_BYTES];
	size_t count = 0;

	if (strlen(uuid) <= HIT_PREFIX)
		return uuid;
	for (const char *p = uuid; *p != '\0' && count < UUID_BYTES; p++) {
		if (*p == '-')
			continue;
		bytes[count++] = (unsigned char)(percent_digit(p[0]) << 4 | percent_digit(p[1]));
		p++;
	}
	return base64_encode(a, bytes, sizeof(bytes));
}

static void
check(const char *text)
{
	for (; *text != '\0'; text++) {
		if ((unsigned char)*text < ' ')
			BUG("a control character in a hit");
	}
}

size_t
hit_write(struct arena *a, const struct hit *h, char line[HIT_LINE_MAX + 1])
{
	int len = snprintf(line, HIT_LINE_MAX + 1, "%d\t%" PRId64 "\t%" PRId64 "\t%s", (int)h->kind,
	    h->at / CLOCK_SECOND, h->day, packed(a, h->workspace));

	if (h->kind != HIT_VIEW)
		return (size_t)len;
	check(h->path);
	check(h->referrer);
	check(h->campaign);
	len += snprintf(line + len, (size_t)(HIT_LINE_MAX + 1 - len),
	    "\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", packed(a, h->article), h->path, h->referrer,
	    h->campaign, h->width, h->language, h->bot, base64_encode(a, h->visitor, HIT_VISITOR));
	if (len > HIT_LINE_MAX)
		BUG("a hit of %d bytes", len);
	return (size_t)len;
}

/* ---- reading */

/* Splits a line into words. Returns how many there are, or 0 if there are too many. */
static size_t
split(char *line, const char *words[WORDS_MAX])
{
	size_t count = 0;

	while (count < WORDS_MAX) {
		char *tab = strchr(line, '\t');

		words[count++] = line;
		if (tab == NULL)
			return count;
		*tab = '\0';
		line = tab + 1;
	}
	return 0;
}

static bool
read_number(const char *word, int64_t max, int64_t *out)
{
	*out = 0;
	if (word[0] == '\0')
		return false;
	for (; *word != '\0'; word++) {
		if (*word < '0' || *word > '9')
			return false;
		*out = *out * 10 + (*word - '0');
		if (*out > max)
			return false;
	}
	return true;
}

/* Reads bytes of a fixed length in base64. */
static bool
read_bytes(struct arena *a, const char *word, void *out, size_t size)
{
	size_t len;
	const unsigned char *bytes = base64_decode(a, word, &len);

	if (bytes == NULL || len != size)
		return false;
	memcpy(out, bytes, size);
	return true;
}

static bool
read_uuid(struct arena *a, const char *word, char out[UUID_TEXT])
{
	unsigned char bytes[UUID_BYTES];
	char hex[2 * UUID_BYTES + 1];

	if (!read_bytes(a, word, bytes, sizeof(bytes)))
		return false;
	digest_hex(hex, bytes, sizeof(bytes));
	(void)snprintf(out, UUID_TEXT, "%.8s-%.4s-%.4s-%.4s-%.12s", hex, hex + 8, hex + 12,
	    hex + 16, hex + 20);
	return true;
}

/* Reads the UUID of an article, its prefix, or nothing. */
static bool
read_article(struct arena *a, const char *word, char out[UUID_TEXT])
{
	size_t len = strlen(word);

	if (len != 0 && len != HIT_PREFIX)
		return read_uuid(a, word, out);
	memcpy(out, word, len + 1);
	return strspn(word, "0123456789abcdef") == len;
}

static bool
read_text(const char *word, size_t max, char *out)
{
	size_t len = strlen(word);

	if (len > max)
		return false;
	memcpy(out, word, len + 1);
	return true;
}

static bool
read_words(struct arena *a, const char *const *words, size_t count, struct hit *out)
{
	int64_t kind;

	if (count < 4 || !read_number(words[0], HIT_WITHOUT_CONSENT, &kind) || kind == 0 ||
	    !read_number(words[1], INT64_MAX / CLOCK_SECOND / 100, &out->at) ||
	    !read_number(words[2], 99999, &out->day) || !read_uuid(a, words[3], out->workspace))
		return false;
	out->at *= CLOCK_SECOND;
	out->kind = (enum hit_kind)kind;
	if (kind != HIT_VIEW)
		return count == 4;
	return count == WORDS_MAX && read_article(a, words[4], out->article) &&
	       words[5][0] == '/' && read_text(words[5], HIT_PATH_MAX, out->path) &&
	       read_text(words[6], HIT_REFERRER_MAX, out->referrer) &&
	       read_text(words[7], HIT_CAMPAIGN_MAX, out->campaign) &&
	       read_text(words[8], HIT_WIDTH_MAX, out->width) &&
	       read_text(words[9], HIT_LANGUAGE_MAX, out->language) &&
	       read_text(words[10], HIT_BOT_MAX, out->bot) &&
	       read_bytes(a, words[11], out->visitor, HIT_VISITOR);
}

bool
hit_read(struct arena *a, const char *line, size_t len, struct hit *out)
{
	char copy[HIT_LINE_MAX + 1];
	const char *words[WORDS_MAX];

	memset(out, 0, sizeof(*out));
	if (len > HIT_LINE_MAX || !utf8_valid(line, len))
		return false;
	memcpy(copy, line, len);
	copy[len] = '\0';
	return read_words(a, words, split(copy, words), out);
}
