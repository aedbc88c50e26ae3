/*
 * hwrite-text: how screen/hwrite.h writes a stranger's bytes, in content and in attributes
 * alike. Only the files of that writer call it.
 *
 *	hwrite_escaped(w->out, title);  a < in it is written as &lt;
 */
#ifndef SCREEN_HWRITE_TEXT_H
#define SCREEN_HWRITE_TEXT_H

#include <stddef.h>

struct arena;
struct buf;

/* Writes a text, escaped. A wrong byte and a forbidden character are written as U+FFFD, a
 * carriage return as &#13;. */
void hwrite_escaped(struct buf *out, const char *text);

/* Returns a copy of the bytes as valid text: each wrong byte, and NUL, is U+FFFD. */
const char *hwrite_valid(struct arena *arena, const char *bytes, size_t len);

#endif
