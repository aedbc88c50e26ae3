#ifndef DOCTOR_PROBE_H
#define DOCTOR_PROBE_H
/*
 * Whether strangers can fetch the file of the code, where run/ is below the web server's document
 * root (docs/console.md §2.7). The console asks, the job runner tries with another file of
 * that folder and notes the result (doctor-probe.c). No function needs a transaction.
 */
#include <stdbool.h>

struct ctx;

/* Returns the path of run/console below the document root, without a slash at its beginning
 * (arena), or NULL if it is not below. `root` may be NULL. */
const char *probe_below(struct ctx *c, const char *root);

/* Asks the job runner to try at this path of the host. */
void probe_ask(struct ctx *c, const char *below);

/* Returns whether it was noted within the last day that no file there can be fetched. */
bool probe_is_closed(struct ctx *c);

/* ---- for the job runner */

/* Returns the path that was asked for (arena), or NULL. */
const char *probe_asked(struct ctx *c);

/* Notes the result, and that the question is answered. */
void probe_note(struct ctx *c, bool closed);

#endif
