#ifndef CONTENT_SLUG_H
#define CONTENT_SLUG_H
/* Slugs (docs/design.md §6): NFC, lower case, letters, marks and digits of any script,
 * everything else one hyphen. */
#include <stdbool.h>
#include <stddef.h>

struct arena;

/* Makes the slug of a title or file name: at most 80 code points, cut at a hyphen
 * where one is near; "article" when nothing is left. In the arena. */
const char *slug_make(struct arena *a, const char *text);

/* Whether `text` is a slug in the form above, of 1 to 200 code points. */
bool slug_is_valid(struct arena *a, const char *text);

/* Returns `slug` with "-2", "-3" … that still fits 80 code points. In the arena. */
const char *slug_numbered(struct arena *a, const char *slug, unsigned number);

/* Returns the default slug of a file: its name without extension and leading date;
 * "index" takes its folder's (docs/design.md §6). In the arena. */
const char *slug_of_file(struct arena *a, const char *path);

/* Returns the default slug of a document: of its file, or of its title where the file's name says
 * nothing about it: "post", "article", "untitled", "draft", "index", with a number or without, or a
 * date. */
const char *slug_of_document(struct arena *a, const char *path, const char *title);

#endif
