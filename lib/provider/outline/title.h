#ifndef PROVIDER_TITLE_H
#define PROVIDER_TITLE_H
/* Makes short texts from long ones. */
#include <stdbool.h>
#include <stddef.h>

struct ctx;

/* Returns the title that a topic gives: its first sentence, without the full stop, in
 * at most 110 code points. */
const char *title_of_topic(struct ctx *c, const char *topic);

/* Whether `text` has nothing visible: only spaces, format characters and marks. */
bool title_is_blank(const char *text);

/* Whether `text` ends with a question mark of any script. */
bool title_is_question(const char *text);

/* Returns `text` in at most `max` code points. It is cut at a space if one is near,
 * never between a letter and its marks, and a cut text ends with "…". */
const char *title_cut(struct ctx *c, const char *text, size_t max);

#endif
