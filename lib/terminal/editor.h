#ifndef TERMINAL_EDITOR_H
#define TERMINAL_EDITOR_H
/*
 * Lets a person edit a text with the editor that VISUAL or EDITOR names (else `editor`,
 * else vi). The text is in a private file in the instance's run folder
 * (system/unsaved.h). A text that was changed and could not be saved stays there, and the
 * person is told its path.
 */
#include <stddef.h>

#include "system/unsaved.h"
#include "base/err.h"

struct editor {
	struct ctx *c;
	struct unsaved file;
	const char *path; /* of the file */
	const char *text; /* as it was read last */
	size_t len;
	const char *first; /* as it was opened */
	size_t first_len;
};

/* Creates the file, removes old ones, and names texts of this name that were not saved.
 * Refuses if run/ cannot be written. */
MAY_REFUSE struct err *
editor_open(struct editor *e, struct ctx *c, const char *name, const char *text, size_t len);

/* Runs the editor, which opens at `line` (0: at none), and reads the file again. Refuses
 * if the editor fails or the file is too long, and says where the text is. */
MAY_REFUSE struct err *editor_run(struct editor *e, unsigned line);

/* Keeps the file, and returns a refusal that adds its path to `err`. */
MAY_REFUSE struct err *editor_keep(struct editor *e, const struct err *err);

/* Removes the file. */
void editor_close(struct editor *e);

#endif
