#ifndef ARTICLE_REVISION_H
#define ARTICLE_REVISION_H
/*
 * Revision tokens (docs/design.md §3). Their prefixes differ, so that no program compares
 * one kind with another by mistake. No token needs rendering.
 */
#include "access/workspace.h"

struct article;

#define TOKEN_TEXT 36 /* bytes of "x1_", 32 hex digits and a NUL */

/* Of the finished bytes of what is shown of an article. Equal tokens mean equal
 * bytes: a digest of all that reaches them. May return to an earlier value. */
void token_export(const struct workspace *w, const struct article *a, char out[TOKEN_TEXT]);

/* Of the effective publishing settings. Never returns. */
void token_settings(const struct workspace *w, char out[TOKEN_TEXT]);

/* Of an article's entry in /sync: (s1, id, changed_at). Never returns. */
void token_manifest(
    const char settings[TOKEN_TEXT], const char *uuid, int64_t changed_at, char out[TOKEN_TEXT]);

/* The editor's `base`: of the working copy. */
void token_base(const struct article *a, char out[TOKEN_TEXT]);

/*
 * The change clock of a workspace (docs/design.md §3): stamps that only grow, in the
 * order of commits, whatever the wall clock does. /sync's checkpoint is this
 * clock and nothing else.
 */

/* Returns a stamp for a change that /sync announces: max(now, clock + 1). Moves the clock
 * of `w` and of its row. In the writing transaction. */
int64_t change_stamp(struct ctx *c, struct workspace *w);

/* Moves a clock that is over six minutes old, and was not moved since the last
 * announced change, to max(clock, now), so that quiet feeds become empty. One
 * short transaction of its own for each such workspace; the runner's
 * housekeeping. Returns how many were moved. */
int64_t change_settle(struct ctx *c);

#endif
