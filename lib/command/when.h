#ifndef COMMAND_WHEN_H
#define COMMAND_WHEN_H
/* Times and spans of time among the words of a command. */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct arena;
struct ctx;

/* Reads "45s", "30m", "24h" or "90d", at most a hundred years, and "0", into *span
 * (microseconds). Returns false for every other word. */
bool when_span(const char *word, int64_t *span);

/*
 * Reads the future time that an option names: a span from now on ("90d"), a date (its
 * midnight, UTC) or an RFC 3339 time. Refuses every other word and a time in the past.
 * `option` is the option's name without the hyphens.
 */
MAY_REFUSE struct err *
when_to_come(struct ctx *c, const char *option, const char *word, int64_t *at);

/* Does the same for the value of an option that may be left out: *at is 0 if `word` is
 * NULL. */
MAY_REFUSE struct err *when_given(struct ctx *c, const char *option, const char *word, int64_t *at);

/*
 * Reads where a period begins or ends: a date or an RFC 3339 time. A date at the end
 * (`last`) is the last day of the period: *at is the midnight after it.
 */
MAY_REFUSE struct err *
when_border(struct ctx *c, const char *option, const char *word, bool last, int64_t *at);

/* Returns "2026-09-01T08:00:00Z", or NULL for 0. In the arena. */
const char *when_text(struct arena *a, int64_t at);

#endif
