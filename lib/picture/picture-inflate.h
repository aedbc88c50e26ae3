#ifndef PICTURE_PICTURE_INFLATE_H
#define PICTURE_PICTURE_INFLATE_H
/*
 * Unpacks the compressed parts of a PNG: rows, which are counted and not kept, and a profile.
 * Nothing unpacks to more than its size allows.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <zlib.h>

struct ctx;

/* The pixels of one image after another. */
struct inflate {
	z_stream z;
	unsigned char *room;
	uint64_t left; /* bytes of the image under way that are still to come */
	uint64_t budget; /* of all images */
	bool over; /* its stream has ended */
};

void inflate_open(struct ctx *c, struct inflate *f);
void inflate_close(struct inflate *f);

/* Begins an image whose rows are `bytes` long together. Like the next two functions it
 * returns why the image is refused, or NULL. */
const char *inflate_begin(struct inflate *f, uint64_t bytes);

/* Takes a piece of its stream; *used: how much of it belongs to the stream. */
const char *inflate_feed(struct inflate *f, const unsigned char *p, size_t len, size_t *used);

/* Ends an image: all rows must be there, and no more. */
const char *inflate_end(const struct inflate *f);

/* Unpacks a stream that must end with its last byte. *len receives the length, at most
 * max + 1: more than `max` means too long. Returns NULL when the bytes are no stream. */
const unsigned char *
inflate_whole(struct ctx *c, const unsigned char *p, size_t size, size_t max, size_t *len);

#endif
