#ifndef COMMAND_CALL_WORDS_H
#define COMMAND_CALL_WORDS_H
/*
 * What the words of a call mean: numbers, times, the workspace, the article and its edition.
 */
#include <stdbool.h>
#include <stdint.h>

#include "action/action.h"
#include "base/err.h"
#include "command/call.h"

struct arena;

/* Reads digits: 0 to 9,999,999,999. Another word is a usage error that says it
 * is no `what` ("number of credits"). */
MAY_REFUSE struct err *number_read(struct ctx *c, const char *word, const char *what, int64_t *out);

/* ---- times and spans of time */

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

/*
 * ---- the chosen workspace
 *
 * The workspace that an operator works in: the one that commands take which were
 * not told --workspace. The environment variable GALLEY_WORKSPACE names it, else
 * `galley workspace use` did; the variable may be empty, then there is none.
 *
 * What was said by `use` is in run/workspace-USER, a file for each user who calls,
 * with the workspace's id. It may be lost: then commands ask for a name again.
 */

/* The id or name of the workspace; NULL when none was chosen. *by (may be NULL)
 * says who chose it, for a sentence: "GALLEY_WORKSPACE" or "galley workspace
 * use". In the arena. */
const char *chosen_workspace(struct ctx *c, const struct call *call, const char **by);

/* Keeps the choice of this user; NULL forgets it. False with errno set. */
bool chosen_set(struct ctx *c, const struct call *call, const char *uuid);

/* ---- articles, found by what the words name (action/action.h) */

/* Returns the place that `name` names; NULL is the chosen workspace, or the only one. */
struct find_place pick_place(struct ctx *c, const struct call *call, const char *name);

/* Reads the article that operand `i` names, outside a transaction. The operand is the
 * article's id afterwards. */
MAY_REFUSE struct err *
pick_one_article(struct ctx *c, struct call *call, size_t i, struct article **out);

/* Reads the number of an edition: the option --edition, else FIND_NEWEST. */
MAY_REFUSE struct err *pick_version(struct ctx *c, const struct call *call, int64_t *version);

#endif
