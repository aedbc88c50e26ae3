#ifndef WEB_KEPT_DROP_H
#define WEB_KEPT_DROP_H
/* The end of kept answers (kept.h), for operators' commands and the job runner; it is
 * in kept-room.c. */
#include <stdint.h>

struct ctx;

/* Removes the answers kept of a workspace that is gone: nobody asks for them any
 * more, so that nothing would overwrite them. */
void kept_drop_workspace(struct ctx *c, int64_t workspace_id);

/* Once an hour: removes answers that are stale, and counts what is left. All are
 * removed where kept_answers is 0, and at once while the disk has less than 64 MiB
 * left. */
void kept_drop_stale(struct ctx *c);

#endif
