#ifndef TASK_MOVING_MOVING_PICTURES_H
#define TASK_MOVING_MOVING_PICTURES_H
/*
 * The pictures of an import (docs/console.md §4.11): those that its upload does not have are
 * fetched, if the person wanted it, by a guarded client (import/fetch.h). It is started before the
 * confinement of a slice. What was fetched, and what failed, is in run/console/fetched-UUID of the
 * upload, so that a slice goes on in the middle of a post.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "people/task.h"

struct ctx;
struct fetch;
struct task;
struct workspace;

#define MOVING_FETCH_SECONDS 10 /* for one picture: a slice takes so much longer at most */

/* Unpacks an archive (moving-unpack.h), and then starts the client. Is the `prepare` of
 * slice_kinds. */
MAY_REFUSE struct err *moving_prepare(struct ctx *c, struct task *t, bool *prepared);

/* Returns what fetches, in the arena, or NULL if nothing is fetched. */
struct fetch *moving_pictures_open(struct ctx *c, const struct moving *m);

/* Returns how many bytes of pictures may be stored. Outside of transactions. */
int64_t moving_pictures_room(struct ctx *c, const struct workspace *w);

#endif
