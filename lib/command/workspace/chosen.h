#ifndef COMMAND_CHOSEN_H
#define COMMAND_CHOSEN_H
/*
 * The workspace that an operator works in: the one that commands take which were
 * not told --workspace. The environment variable GALLEY_WORKSPACE names it, else
 * `galley workspace use` did; the variable may be empty, then there is none.
 *
 * What was said by `use` is in run/workspace-USER, a file for each user who calls,
 * with the workspace's id. It may be lost: then commands ask for a name again.
 */
#include <stdbool.h>

struct call;
struct ctx;

/* The id or name of the workspace; NULL when none was chosen. *by (may be NULL)
 * says who chose it, for a sentence: "GALLEY_WORKSPACE" or "galley workspace
 * use". In the arena. */
const char *chosen_workspace(struct ctx *c, const struct call *call, const char **by);

/* Keeps the choice of this user; NULL forgets it. False with errno set. */
bool chosen_set(struct ctx *c, const struct call *call, const char *uuid);

#endif
