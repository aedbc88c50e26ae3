#include "picture/picture-clean.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"

enum {
	SOF0 = 0xC0,
	SOF2 = 0xC2,
	DHT = 0xC4,
	RST0 = 0xD0,
	RST7 = 0xD7,
	EOI = 0xD9,
	SOS = 0xDA,
	DQT = 0xDB,
	DNL = 0xDC,
	DRI = 0xDD,
	APP0 = 0xE0,
	APP1 = 0xE1,
	APP2 = 0xE2,
	APP14 = 0xEE
};

#define PROFILE_NAME                                                                               \
	"ICC_PROFILE" /* bytes of this name and its NUL, a number, and
                                    * the count */
#define PROFILE_HEAD (sizeof(PROFILE_NAME) + 2)

struct jpeg {
	struct cleaning *cl;
	size_t at; /* of the next segment */
	bool profile; /* the color profile is kept */
	bool jfif, exif, adobe, scan; /* these were seen */
};

struct segment {
	int marker;
	const unsigned char *p; /* the bytes behind its length */
	size_t len;
};

static size_t
big16(const unsigned char *p)
{
	return (size_t)(p[0] << 8 | p[1]);
}

/* Returns the next segment, without fill bytes; false at the end. picture_read()
 * has seen that every length fits. */
static bool
next(struct jpeg *j, struct segment *out)
{
	const unsigned char *p = j->cl->p;

	while (p[j->at + 1] == 0xFF || p[j->at + 1] == 0x01)
		j->at += p[j->at + 1] == 0xFF ? 1 : 2;
	out->marker = p[j->at + 1];
	j->at += 2;
	if (out->marker == EOI)
		return false;
	out->p = p + j->at + 2;
	out->len = big16(p + j->at) - 2;
	j->at += out->len + 2;
	return true;
}

static bool
begins(const struct segment *s, const char *text, size_t len)
{
	return s->len >= len && memcmp(s->p, text, len) == 0;
}

/* Returns the length of the coded data behind the head of a scan. */
static size_t
data_length(const struct jpeg *j)
{
	const unsigned char *p = j->cl->p;
	size_t at = j->at;

	while (p[at] != 0xFF || p[at + 1] == 0 || p[at + 1] == 0xFF ||
	       (p[at + 1] >= RST0 && p[at + 1] <= RST7))
		at++;
	return at - j->at;
}

static bool
is_profile(const struct segment *s)
{
	return s->marker == APP2 && begins(s, PROFILE_NAME, sizeof(PROFILE_NAME)) &&
	       s->len > PROFILE_HEAD;
}

/* Returns whether the parts of the color profile, put together in order, are a
 * profile that is kept. */
static bool
profile_stays(struct cleaning *cl)
{
	struct jpeg j = { .cl = cl, .at = 2 };
	struct segment s;
	struct buf whole;
	unsigned count = 0;

	buf_init(&whole, cl->c->arena, PICTURE_PROFILE_MAX + 1);
	while (next(&j, &s) && s.marker != SOS) {
		if (!is_profile(&s))
			continue;
		if (s.p[sizeof(PROFILE_NAME)] != ++count)
			return false;
		buf_add(&whole, s.p + PROFILE_HEAD, s.len - PROFILE_HEAD);
		if (s.p[sizeof(PROFILE_NAME) + 1] < count)
			return false;
	}
	/* A part that did not fit into `whole` would be written without a check. */
	return !buf_full(&whole) &&
	       picture_profile_stays((const unsigned char *)whole.data, whole.len);
}

static void
add_segment(struct jpeg *j, int marker, const void *bytes, size_t len)
{
	struct buf *out = &j->cl->out;

	buf_add_char(out, '\xFF');
	buf_add_char(out, (char)marker);
	buf_add_char(out, (char)((len + 2) >> 8));
	buf_add_char(out, (char)((len + 2) & 0xFF));
	buf_add(out, bytes, len);
}

/* Writes the version and the density, without the thumbnail. */
static void
write_jfif(struct jpeg *j, const struct segment *s)
{
	char jfif[14];

	if (j->jfif || s->len < sizeof(jfif) || !begins(s, "JFIF", 5))
		return;
	j->jfif = true;
	memcpy(jfif, s->p, sizeof(jfif));
	jfif[12] = jfif[13] = 0;
	add_segment(j, APP0, jfif, sizeof(jfif));
}

/* Writes the orientation if the picture is not upright, in a directory without
 * other entries. */
static void
write_orientation(struct jpeg *j, const struct segment *s)
{
	char exif[] = "Exif\0\0MM\0*\0\0\0\x08\0\1\x01\x12\0\3\0\0\0\1\0"
		      "?\0\0\0\0\0\0";
	int orientation;

	if (j->exif || !begins(s, "Exif\0", 6))
		return;
	j->exif = true;
	orientation = picture_orientation(s->p + 6, s->len - 6);
	exif[25] = (char)orientation;
	if (orientation != 1)
		add_segment(j, APP1, exif, sizeof(exif) - 1);
}

/* Writes which color transformation the pixels have. */
static void
write_adobe(struct jpeg *j, const struct segment *s)
{
	if (!j->adobe && s->len >= 12 && begins(s, "Adobe", 5)) {
		j->adobe = true;
		add_segment(j, APP14, s->p, 12);
	}
}

/* Returns whether the tables of a DQT or DHT fill it, with nothing behind them. */
static bool
tables_fit(const struct segment *s)
{
	size_t at = 0, size;

	while (at < s->len) {
		if (s->marker == DQT) {
			size = s->p[at] >> 4 == 0 ? 65 : 129;
		} else {
			size = 17;
			for (size_t i = 1; i < 17 && at + i < s->len; i++)
				size += s->p[at + i];
		}
		if (size > s->len - at)
			return false;
		at += size;
	}
	return true;
}

/* Writes the tables by which the pixels are decoded. */
static const char *
write_coding(struct jpeg *j, const struct segment *s)
{
	bool fits = true;

	if (s->marker == DQT || s->marker == DHT)
		fits = tables_fit(s);
	else if (s->marker == DRI || s->marker == DNL)
		fits = s->len == 2;
	else if (s->marker == SOS)
		fits = s->len >= 1 && s->len == 4 + 2 * (size_t)s->p[0];
	else if (s->marker < SOF0 || s->marker > SOF2)
		return NULL; /* this segment is not one of them */
	if (!fits)
		return "a table of it is wrong";
	add_segment(j, s->marker, s->p, s->len);
	if (s->marker == SOS) {
		size_t len = data_length(j);
		j->scan = true;
		buf_add(&j->cl->out, j->cl->p + j->at, len);
		j->at += len;
	}
	return NULL;
}

const char *
picture_clean_jpeg(struct cleaning *cl)
{
	struct jpeg j = { .cl = cl, .at = 2, .profile = profile_stays(cl) };
	const char *why = NULL;
	struct segment s;

	buf_lit(&cl->out, "\xFF\xD8");
	while (why == NULL && next(&j, &s)) {
		if (s.marker < APP0)
			why = write_coding(&j, &s);
		else if (j.scan)
			continue;
		else if (s.marker == APP0)
			write_jfif(&j, &s);
		else if (s.marker == APP1)
			write_orientation(&j, &s);
		else if (s.marker == APP14)
			write_adobe(&j, &s);
		else if (j.profile && is_profile(&s))
			add_segment(&j, APP2, s.p, s.len);
	}
	buf_lit(&cl->out, "\xFF\xD9");
	return why;
}
