#ifndef CONTENT_CONTENT_READ_H
#define CONTENT_CONTENT_READ_H
/*
 * The inside of content_from_json(): readers of the parts, over jread.h. They
 * record refusals and give harmless values after one.
 *
 * content-read.c	the whole, sections, questions, references
 * content-block.c	what stands in a section
 * content-text.c	texts
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/jread.h"
#include "content/content.h"

/*
 * Texts in the form in which they are stored: NFC; in one line U+2028 and
 * U+2029 are blanks. "" when absent or null.
 */
const char *content_text(
    struct jread *r, json_t *object, const char *name, enum jread_need need);
const char *content_text_line(struct jread *r, json_t *object, const char *name,
    enum jread_need need, size_t max);

/* The same, NULL when absent, null or blank. */
const char *
content_text_or_null(struct jread *r, json_t *object, const char *name);
const char *content_text_line_or_null(
    struct jread *r, json_t *object, const char *name, size_t max);

/* One line that shows something when its marks are taken away. */
const char *
content_text_heading(struct jread *r, json_t *object, const char *name);

/* An array of at most `max` texts; *count receives how many. */
const char **content_text_array(struct jread *r, json_t *object,
    const char *name, enum jread_need need, size_t max, size_t *count);

/* The same of texts that are the present place's elements. */
const char **
content_text_elements(struct jread *r, json_t *array, size_t *count);

/* Whether there is nothing but blanks in it; NULL is blank. */
bool content_text_is_blank(const char *text);

/* An address of http or https as url_clean_web() makes it; NULL when absent or
 * null. With `media`, also media:<digest>.<ext>. */
const char *content_text_address(struct jread *r, json_t *object,
    const char *name, enum jread_need need, bool media);

/* Steps, tables and callouts, then the body that places them. */
void content_block_flow(struct jread *r, json_t *object, struct section *s);

#endif
