#include "picture/picture-clean.h"

#include <string.h>

/* In this file no length is checked: picture_read() has seen that every length
 * fits. */

/* Returns the place behind a chain of sub-blocks. */
static size_t
skip(const unsigned char *p, size_t at)
{
	while (p[at] != 0)
		at += 1 + (size_t)p[at];
	return at + 1;
}

static size_t
table_length(unsigned char flags)
{
	return (flags & 0x80) != 0 ? (size_t)3 << ((flags & 7) + 1) : 0;
}

/* Writes what is kept of the extension at `at`: how long a frame is shown, and
 * how often the animation repeats. */
static void
write_extension(struct cleaning *cl, size_t at)
{
	static const char loop[] = "\x21\xFF\x0BNETSCAPE2.0\x03\x01";
	const unsigned char *p = cl->p + at;

	if (p[1] == 0xF9 && p[2] == 4) {
		buf_add(&cl->out, p, 7);
		buf_add_char(&cl->out, '\0');
	} else if (skip(cl->p, at + 2) - at >= 19 && memcmp(p, loop, 16) == 0) {
		buf_add(&cl->out, p, 18);
		buf_add_char(&cl->out, '\0');
	}
}

const char *
picture_clean_gif(struct cleaning *cl)
{
	const unsigned char *p = cl->p;
	size_t at = 13 + table_length(p[10]), end;

	buf_add(&cl->out, p, at);
	while (p[at] != 0x3B) {
		if (p[at] == 0x2C) {
			end = skip(p, at + 11 + table_length(p[at + 9]));
			buf_add(&cl->out, p + at, end - at);
		} else {
			end = skip(p, at + 2);
			write_extension(cl, at);
		}
		at = end;
	}
	buf_add_char(&cl->out, ';');
	return NULL;
}
