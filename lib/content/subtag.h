#ifndef CONTENT_SUBTAG_H
#define CONTENT_SUBTAG_H
/*
 * Whether a language tag names a language that there is: its language, script and
 * region are in the IANA registry, or are for private use (RFC 5646 §2.2,
 * languages.md §5.16). For programs that set languages, when one changes; what is
 * stored already is never checked.
 */
#include "base/err.h"

struct arena;

/*
 * Gives the clean tag (lang_clean()) of `text` in *out. Refuses, as `param`, what is not
 * well-formed or not registered, with what was probably meant: "gr", "english",
 * "en_GB", "eng", "en-UK". A tag that equals `old` (or NULL) is taken as it is.
 * *out is NULL then and only then.
 */
MAY_REFUSE struct err *
subtag_read(struct ctx *c, const char *param, const char *text, const char *old, const char **out);

/* Returns the tag that a text which is no tag probably means, or NULL. */
const char *subtag_meant(struct arena *a, const char *text);

/* Returns a sentence about what a valid tag is often mistaken for ("se is Northern Sami;
 * Swedish is sv."), or NULL. In the arena. */
const char *subtag_doubt(struct arena *a, const char *tag);

#endif
