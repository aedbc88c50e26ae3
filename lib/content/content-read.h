#ifndef CONTENT_CONTENT_READ_H
#define CONTENT_CONTENT_READ_H
/*
 * Readers of the texts of a content over jread.h, for content_from_json() and for what is like a
 * content. They record refusals, and return harmless values after one.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/jread.h"
#include "content/content.h"

/*
 * Return texts in the form in which they are stored: NFC; in one line U+2028 and U+2029 are
 * spaces. "" when absent or null.
 */
const char *content_text(struct jread *r, json_t *object, const char *name, enum jread_need need);
const char *content_text_line(
    struct jread *r, json_t *object, const char *name, enum jread_need need, size_t max);

/* Returns the same line, but NULL when it is absent, null or empty. */
const char *
content_text_line_or_null(struct jread *r, json_t *object, const char *name, size_t max);

/* Returns an array of at most `max` texts; *count receives how many. */
const char **content_text_array(struct jread *r, json_t *object, const char *name,
    enum jread_need need, size_t max, size_t *count);

/* Whether the text holds only spaces, or is NULL. */
bool content_text_is_blank(const char *text);

/* Returns an http or https address as url_clean_web() makes it; NULL when absent or
 * null. With `media`, also media:<digest>.<ext>. */
const char *content_text_address(
    struct jread *r, json_t *object, const char *name, enum jread_need need, bool media);

#endif
