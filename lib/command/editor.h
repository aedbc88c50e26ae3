#ifndef COMMAND_EDITOR_H
#define COMMAND_EDITOR_H
/*
 * Lets a person edit a text with the editor that VISUAL or EDITOR names (else
 * `editor`, else vi), in a private file in the instance's run folder: it
 * survives when the edit is given up.
 */
#include <stddef.h>

#include "base/err.h"

struct editor {
	struct ctx *c;
	const char *path; /* of the file */
	const char *text; /* as it was read last */
	size_t len;
};

/* Makes the file. Refuses where run/ cannot be written. */
MAY_REFUSE struct err *editor_open(struct editor *e, struct ctx *c,
    const char *name, const char *text, size_t len);

/* Runs the editor and reads the file again. `line` (0: none) is where it should
 * open. Refuses when the editor fails or the file is too long. */
MAY_REFUSE struct err *editor_run(struct editor *e, unsigned line);

/* Removes the file. */
void editor_close(struct editor *e);

#endif
