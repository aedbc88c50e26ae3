#include "picture/picture.h"

#include <stdbool.h>
#include <string.h>

enum {
	SOF0 = 0xC0, /* baseline */
	SOF2 = 0xC2, /* progressive */
	DHT = 0xC4,
	JPG = 0xC8,
	DAC = 0xCC,
	RST0 = 0xD0,
	RST7 = 0xD7,
	EOI = 0xD9,
	SOS = 0xDA,
	APP1 = 0xE1
};

/* A decoder goes through all pixels once for each scan. Encoders make ten or so; a file with
 * thousands holds up the browser of everybody who reads the article. */
#define SCANS_MAX 100

struct jpeg {
	const unsigned char *p, *end;
	bool frame;
	int scans;
	bool exif; /* only the first EXIF segment counts */
	bool turned; /* turned by 90° */
};

static size_t
big16(const unsigned char *p)
{
	return (size_t)(p[0] << 8 | p[1]);
}

static bool
is_frame(int marker)
{
	return marker >= SOF0 && marker <= 0xCF && marker != DHT && marker != JPG && marker != DAC;
}

static const char *
frame_read(struct jpeg *j, int marker, const unsigned char *p, size_t len, struct picture *out)
{
	if (j->frame)
		return "it has two frames";
	if (marker > SOF2)
		return "it is of a kind that browsers do not show";
	if (len < 6 || p[0] != 8 || p[5] < 1 || p[5] > 4 || len != 6 + (size_t)p[5] * 3)
		return "its frame is wrong";
	j->frame = true;
	out->height = (int64_t)big16(p + 1);
	out->width = (int64_t)big16(p + 3);
	return NULL;
}

/* Moves to the next marker that is not part of the coded data. */
static void
data_skip(struct jpeg *j)
{
	while (j->end - j->p >= 2 && (j->p[0] != 0xFF || j->p[1] == 0 || j->p[1] == 0xFF ||
					 (j->p[1] >= RST0 && j->p[1] <= RST7)))
		j->p++;
}

static const char *
segment_read(struct jpeg *j, int marker, struct picture *out)
{
	const unsigned char *p;
	const char *why = NULL;
	size_t len;

	if (j->end - j->p < 2)
		return "it is cut off";
	len = big16(j->p);
	if (len < 2 || len > (size_t)(j->end - j->p))
		return "it is cut off, or a segment's length is wrong";
	p = j->p + 2;
	j->p += len;
	len -= 2;
	if (is_frame(marker))
		why = frame_read(j, marker, p, len, out);
	else if (marker == APP1 && len >= 6 && !j->exif && j->scans == 0 &&
		 memcmp(p, "Exif\0\0", 6) == 0) {
		j->exif = true;
		j->turned = picture_orientation(p + 6, len - 6) >= 5;
	} else if (marker == SOS) {
		if (!j->frame)
			return "its pixels come before its frame";
		if (++j->scans > SCANS_MAX)
			return "it has too many scans";
		data_skip(j);
	}
	return why;
}

/* Bytes after the end are not read: cameras put previews there. */
const char *
picture_jpeg(const unsigned char *p, size_t len, struct picture *out)
{
	struct jpeg j = { .p = p + 2, .end = p + len };
	const char *why = NULL;
	int64_t side;
	int marker;

	while (why == NULL) {
		if (j.end - j.p < 2)
			return "it is cut off";
		if (j.p[0] != 0xFF)
			return "a segment does not begin where it should";
		marker = j.p[1];
		j.p += marker == 0xFF ? 1 : 2;
		if (marker == EOI)
			break;
		if (marker == 0xFF || marker == 0x01)
			continue;
		if (marker < SOF0 || (marker >= RST0 && marker <= 0xD8))
			return "it has a marker in a wrong place";
		why = segment_read(&j, marker, out);
	}
	if (why == NULL && j.scans == 0)
		return "it holds no pixels";
	if (j.turned) {
		side = out->width;
		out->width = out->height;
		out->height = side;
	}
	return why;
}
