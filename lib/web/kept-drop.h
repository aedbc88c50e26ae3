#ifndef WEB_KEPT_DROP_H
#define WEB_KEPT_DROP_H
/* The end of kept answers (kept.h). */
#include <stdint.h>

struct ctx;

/* Removes the answers kept of a workspace that is gone: nobody asks for them any
 * more, so that nothing would overwrite them. */
void kept_drop_workspace(struct ctx *c, int64_t workspace_id);

#endif
