#ifndef MOVING_H
#define MOVING_H
/* What the screens of Moving in share. */
#include "console/console.h"
#include "people/moving/uploading.h"

/* Returns whose uploads a request may name, and which: those of the workspace, or backups of the
 * instance. */
struct uploading uploads_of(const struct visit *v);

#endif
