#ifndef CONSOLE_CHOICES_H
#define CONSOLE_CHOICES_H
/*
 * What a form lets people choose by name: a language of articles, a time zone. A form has two
 * fields for a language: the select "language" with choices_languages(), and the line
 * "language-code", which counts where CHOICES_ANOTHER is chosen. So every tag is possible. A
 * browser that cannot hide the line always shows it.
 */
#include "screen/form.h"

struct ctx;

#define CHOICES_ANOTHER "another"

/* Gives the field "language" its choices; `present` (or NULL) is one of them, whatever it is. */
void choices_languages(struct ctx *c, struct form *f, const char *present);

/* Returns a language in words: "Deutsch – German" (arena). */
const char *choices_language_name(struct ctx *c, const char *tag);

/* Writes both fields. */
void choices_write_language(struct hwrite *w, const struct form *f);

/* Returns the tag that was chosen or typed, or NULL; *name is the field that it came from. */
const char *choices_language(const struct form *f, const char **name);

/* Returns the tag of the list that a header Accept-Language (or NULL) asks for, or NULL. */
const char *choices_accept(const char *header);

/* Returns the time zones, which a field suggests. */
const struct field_choice *choices_zones(struct ctx *c);

#endif
