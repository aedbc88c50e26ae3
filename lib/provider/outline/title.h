#ifndef PROVIDER_TITLE_H
#define PROVIDER_TITLE_H
/* Short texts made of long ones. */
#include <stdbool.h>
#include <stddef.h>

struct ctx;

/* The title that a task's topic gives: its first sentence, without the full
 * stop, in at most 110 code points. */
const char *title_of_topic(struct ctx *c, const char *topic);

/* Whether nothing in `text` would be seen: blanks, format characters, marks. */
bool title_is_blank(const char *text);

/* Whether it ends in a question mark of any script. */
bool title_is_question(const char *text);

/* `text` in at most `max` code points: cut at a blank where one is near, never
 * between a letter and its marks, and ended by "…" when it was cut. */
const char *title_cut(struct ctx *c, const char *text, size_t max);

#endif
