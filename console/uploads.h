#ifndef CONSOLE_UPLOADS_H
#define CONSOLE_UPLOADS_H
/* Large files, on the pages that take one: "Moving in", and "Restore" of Instance. */
#include "action/uploaded-files.h"
#include "console/answer.h"
#include "people/uploading.h"

/* Returns whose uploads a request may name, and which: those of the workspace, or backups of the
 * instance. */
struct uploading uploads_of(const struct visit *v);

/* Writes the line in which the script of large files says how far it is (lib/screen/sending.js);
 * `form` is the id of the form that has the file and the hidden field "upload". */
void uploads_write_line(struct hwrite *w, struct ctx *c, const struct visit *v, const char *form);

/* Reads the files that the person sent here, and writes them with "Remove", if there are any. */
MAY_REFUSE struct err *
uploads_read_kept(struct ctx *c, const struct visit *v, struct uploads_kept *out);
void uploads_write_kept(
    struct hwrite *w, struct ctx *c, const struct visit *v, const struct uploads_kept *kept);

#endif
