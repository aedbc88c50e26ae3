#ifndef CONTENT_CONTENT_READ_H
#define CONTENT_CONTENT_READ_H
/*
 * The parts of content_from_json(): readers over jread.h. They record refusals, and return
 * harmless values after one.
 *
 * content-read.c	the whole, sections, questions, references
 * content-block.c	the blocks of a section
 * content-text.c	texts
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

/* Return the same texts, but NULL when they are absent, null or empty. */
const char *content_text_or_null(struct jread *r, json_t *object, const char *name);
const char *
content_text_line_or_null(struct jread *r, json_t *object, const char *name, size_t max);

/* Returns one line. It must show something without its marks. */
const char *content_text_heading(struct jread *r, json_t *object, const char *name);

/* Returns an array of at most `max` texts; *count receives how many. */
const char **content_text_array(struct jread *r, json_t *object, const char *name,
    enum jread_need need, size_t max, size_t *count);

/* Returns the texts that are the elements of the present place. */
const char **content_text_elements(struct jread *r, json_t *array, size_t *count);

/* Whether the text holds only spaces, or is NULL. */
bool content_text_is_blank(const char *text);

/* Returns an http or https address as url_clean_web() makes it; NULL when absent or
 * null. With `media`, also media:<digest>.<ext>. */
const char *content_text_address(
    struct jread *r, json_t *object, const char *name, enum jread_need need, bool media);

/* Reads steps, tables and callouts, then the body that places them. */
void content_block_flow(struct jread *r, json_t *object, struct section *s);

#endif
