#ifndef BASE_MASK_H
#define BASE_MASK_H
/*
 * The one masker: makes secrets unreadable in whatever a person or a log is shown
 * that strangers, or an operator's own words, may have a part in.
 *
 * A secret of Galley's begins with a prefix (the table in mask.c). It is found in
 * every spelling that an address, JSON, a script or HTML has for its characters:
 * upper and lower case, %5F, %u005f, \u005f, \u{5f}, \x5f, \137, &#95; and &#x5f;
 * (also without semicolon), &lowbar;, and these encoded again (%255F), four times
 * in all. All that follows the prefix becomes asterisks, one for each byte; a key
 * as Galley itself shows it (ab_live_Xy3k…9QwZ) stays.
 */
#include <stdbool.h>
#include <stddef.h>

/* Whether the first `len` bytes, all of them ASCII, can hold a secret: cheap, and true too
 * often. */
bool mask_suspects(const char *text, size_t len);

/* Whether `text` holds one that mask_secrets() would change. */
bool mask_finds(const char *text);

/* Overwrites every secret of `text`; its length stays. */
__attribute__((cold)) void mask_secrets(char *text);

#endif
