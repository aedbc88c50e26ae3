#ifndef TERMINAL_EDITOR_H
#define TERMINAL_EDITOR_H
/*
 * Lets a person edit a text with the editor that VISUAL or EDITOR names (else
 * `editor`, else vi), in a private file in the instance's run folder
 * (system/unsaved.h): it survives when it was changed and could not be saved, and
 * its place is told.
 */
#include <stddef.h>

#include "system/unsaved.h"
#include "base/err.h"

struct editor {
	struct ctx *c;
	struct unsaved file;
	const char *path; /* of it */
	const char *text; /* as it was read last */
	size_t len;
	const char *first; /* as it was opened */
	size_t first_len;
};

/* Makes the file, removes old ones, and tells of texts of this name that were not
 * saved. Refuses where run/ cannot be written. */
MAY_REFUSE struct err *editor_open(struct editor *e, struct ctx *c,
    const char *name, const char *text, size_t len);

/* Runs the editor and reads the file again. `line` (0: none) is where it should
 * open. Refuses when the editor fails or the file is too long, and says where the
 * text is. */
MAY_REFUSE struct err *editor_run(struct editor *e, unsigned line);

/* Keeps the file: the refusal, which says where it is. */
MAY_REFUSE struct err *editor_keep(struct editor *e, const struct err *err);

/* Removes the file. */
void editor_close(struct editor *e);

#endif
