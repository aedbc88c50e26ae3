/* A cleaned picture is still a picture, of the same visible size and without metadata;
 * cleaning it again changes nothing. */
#include "content/picture-clean.h"
#include "tests/fuzz/fuzz.h"

static bool
is_one_of(const unsigned char *name, const char *names)
{
	for (; *names != '\0'; names += 5) {
		if (memcmp(name, names, 4) == 0)
			return true;
	}
	return false;
}

static void
png(const unsigned char *p)
{
	size_t at = 8;

	for (; memcmp(p + at + 4, "IEND", 4) != 0;) {
		MUST(is_one_of(p + at + 4,
		    "IHDR PLTE IDAT tRNS gAMA cHRM sRGB cICP sBIT iCCP acTL fcTL fdAT "));
		at += 12 + ((size_t)p[at] << 24 | (size_t)p[at + 1] << 16 | (size_t)p[at + 2] << 8 |
			       p[at + 3]);
	}
}

static void
jpeg(const unsigned char *p)
{
	size_t at = 2, len;

	for (; p[at + 1] != 0xDA; at += 2 + len) {
		len = (size_t)p[at + 2] << 8 | p[at + 3];
		MUST(p[at] == 0xFF);
		MUST(p[at + 1] != 0xFE);
		if (p[at + 1] == 0xE0)
			MUST(len == 16 && p[at + 16] == 0 && p[at + 17] == 0);
		else if (p[at + 1] == 0xE1)
			MUST(len == 34);
		else if (p[at + 1] == 0xE2)
			MUST(memcmp(p + at + 4, "ICC_PROFILE", 12) == 0);
		else
			MUST(p[at + 1] < 0xE0 || (p[at + 1] == 0xEE && len == 14));
	}
}

static void
webp(const unsigned char *p, size_t len)
{
	for (size_t at = 12; at < len;) {
		size_t size = (size_t)p[at + 4] | (size_t)p[at + 5] << 8 | (size_t)p[at + 6] << 16 |
			      (size_t)p[at + 7] << 24;
		MUST(is_one_of(p + at, "VP8X VP8  VP8L ALPH ANIM ANMF ICCP "));
		if (memcmp(p + at, "VP8X", 4) == 0)
			MUST(size == 10 && (p[at + 8] & ~0x32) == 0);
		at += 8 + size + (size & 1);
	}
}

static void
gif(const unsigned char *p)
{
	size_t at = 13;

	at += (p[10] & 0x80) != 0 ? (size_t)3 << ((p[10] & 7) + 1) : 0;
	while (p[at] != ';') {
		if (p[at] == '!') {
			MUST(p[at + 1] == 0xF9 ||
			     (p[at + 1] == 0xFF && memcmp(p + at + 3, "NETSCAPE2.0", 11) == 0));
			at += 2;
		} else {
			unsigned char flags = p[at + 9];
			at += 11;
			at += (flags & 0x80) != 0 ? (size_t)3 << ((flags & 7) + 1) : 0;
		}
		for (; p[at] != 0; at += 1 + (size_t)p[at])
			;
		at++;
	}
}

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	struct picture_clean once, again;
	struct picture before;

	if (picture_clean(c, text, len, &once) != NULL)
		return;
	MUST(picture_read(c, text, len, &before) == NULL);
	MUST(strcmp(before.type, once.is.type) == 0);
	MUST(before.width == once.is.width && before.height == once.is.height);
	MUST(once.len <= PICTURE_BYTES_MAX);
	MUST(once.changed || once.bytes == text);
	MUST(picture_clean(c, once.bytes, once.len, &again) == NULL);
	MUST(!again.changed);
	if (strcmp(once.is.type, "image/png") == 0)
		png(once.bytes);
	else if (strcmp(once.is.type, "image/jpeg") == 0)
		jpeg(once.bytes);
	else if (strcmp(once.is.type, "image/webp") == 0)
		webp(once.bytes, once.len);
	else
		gif(once.bytes);
}
