#include "screen/tr.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/ctx.h"
#include "languages.gen.h"

static const struct language languages[] = { { "en", "English", NULL, NULL },
	TRANSLATIONS { NULL, NULL, NULL, NULL } };

/* The present request's, which begins with tr_begin(). */
static const struct language *present = languages;

const struct language *
tr_languages(void)
{
	return languages;
}

const struct language *
tr_find(const char *tag)
{
	const struct language *l = languages;

	while (l->tag != NULL && strcasecmp(l->tag, tag) != 0)
		l++;
	return l->tag != NULL ? l : NULL;
}

/* ---- Accept-Language */

/* Returns the language that fits a tag of `len` bytes, the one with the longest tag of several;
 * or NULL. */
static const struct language *
fitting(const char *tag, size_t len)
{
	const struct language *best = NULL;
	size_t longest = 0;

	for (const struct language *l = languages; l->tag != NULL; l++) {
		size_t own = strlen(l->tag);
		if (own > longest && len >= own && strncasecmp(tag, l->tag, own) == 0 &&
		    (len == own || tag[own] == '-')) {
			best = l;
			longest = own;
		}
	}
	return best;
}

/* Returns thousandths of a weight ("; q=0.8"), 1000 if there is none. */
static int
weight(const char *p, const char *end)
{
	int value = 0, digits = 0;

	p += strspn(p, " ;\t");
	if (end - p < 3 || (*p != 'q' && *p != 'Q') || p[1] != '=')
		return 1000;
	for (p += 2; p < end && digits < 4; p++) {
		if (*p < '0' || *p > '9')
			continue;
		value = value * 10 + (*p - '0');
		digits++;
	}
	while (digits++ < 4)
		value *= 10;
	return value;
}

const void *
tr_wanted(const char *header, tr_fits *fits)
{
	const void *best = NULL;
	int most = 0;

	for (const char *p = header; p != NULL && *p != '\0';) {
		const char *end = p + strcspn(p, ",");
		size_t len;
		p += strspn(p, " \t");
		len = strcspn(p, " \t;,");
		if (weight(p + len, end) > most && fits(p, len) != NULL) {
			best = fits(p, len);
			most = weight(p + len, end);
		}
		p = *end == ',' ? end + 1 : end;
	}
	return best;
}

static const void *
fits(const char *tag, size_t len)
{
	return fitting(tag, len);
}

const struct language *
tr_accept(const char *header)
{
	const struct language *found = tr_wanted(header, fits);

	return found != NULL ? found : languages;
}

/* ---- texts */

static uint32_t
number_at(const unsigned char *texts, size_t at)
{
	return (uint32_t)texts[at] | (uint32_t)texts[at + 1] << 8 | (uint32_t)texts[at + 2] << 16 |
	       (uint32_t)texts[at + 3] << 24;
}

static const char *
text_at(const unsigned char *texts, size_t at)
{
	return (const char *)texts + number_at(texts, at);
}

/* Returns the translation, or NULL. */
static const char *
find(const char *english)
{
	const unsigned char *texts = present->texts;
	size_t from = 0, to = number_at(texts, 0);

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		int order = strcmp(english, text_at(texts, 8 + 8 * middle));
		if (order == 0)
			return text_at(texts, 12 + 8 * middle);
		if (order < 0)
			to = middle;
		else
			from = middle + 1;
	}
	return NULL;
}

const char *
tr(const char *english)
{
	const char *found = present->texts != NULL ? find(english) : NULL;

	return found != NULL ? found : english;
}

const char *
tr_count(const char *one, const char *many, int64_t n)
{
	const char *found = present->texts != NULL ? find(one) : NULL;
	unsigned long form;

	if (found == NULL)
		return n == 1 ? one : many;
	form = present->form(n < 0 ? 0ul - (unsigned long)n : (unsigned long)n);
	for (uint32_t last = number_at(present->texts, 4); form > 0 && last > 1; form--, last--)
		found += strlen(found) + 1;
	return found;
}

#define NUMBER_MAX 256 /* bytes: 20 characters, some of them wide, and their groups */

const char *
tr_number(struct arena *a, int64_t n)
{
	/* As the language writes a thousand: it tells the digits and what is between groups. */
	const char *thousand = tr("1,000"), *zero = thousand + strlen(thousand) - 1;
	char plain[24];
	size_t left, wide;
	struct buf out;

	while (((unsigned char)*zero & 0xC0) == 0x80)
		zero--;
	wide = strlen(zero);
	(void)snprintf(plain, sizeof(plain), "%" PRId64, n);
	left = strlen(plain);
	buf_init(&out, a, NUMBER_MAX);
	for (const char *p = plain; *p != '\0'; p++) {
		if (*p == '-') {
			buf_add_char(&out, '-');
		} else {
			buf_add(&out, zero, wide - 1);
			buf_add_char(&out, (char)(zero[wide - 1] + *p - '0'));
		}
		if (--left % 3 == 0 && left > 0 && *p != '-')
			buf_add(&out, thousand + wide, strlen(thousand) - 4 * wide);
	}
	return buf_done(&out);
}

/* ---- the request's language */

/* What a request says its sentences with (base/ctx.h). */
static const char *
say(const char *one, const char *many, int64_t n)
{
	return many == NULL ? tr(one) : tr_count(one, many, n);
}

void
tr_begin(struct ctx *c, const char *tag)
{
	const struct language *l = tag != NULL ? tr_find(tag) : NULL;

	present = l != NULL ? l : languages;
	c->say = present->texts != NULL ? say : NULL;
}

const char *
tr_tag(void)
{
	return present->tag;
}
