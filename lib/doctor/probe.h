#ifndef DOCTOR_PROBE_H
#define DOCTOR_PROBE_H
/*
 * Whether strangers can fetch the file of the code, where run/ is below a folder that the web
 * server serves (docs/console.md §2.7). The console asks, the job runner tries with another file
 * of that folder and notes the result. No function needs a transaction.
 *
 * Of the folders that are served the console knows those that its own request shows: the document
 * root (DOCUMENT_ROOT); that of an Alias or of UserDir, which are no document root
 * (CONTEXT_DOCUMENT_ROOT, at CONTEXT_PREFIX); and each folder above the program whose path ends
 * as the address of the program ends (SCRIPT_FILENAME, SCRIPT_NAME), which is true of every web
 * server that maps addresses to files. An alias that leads to run/, and not to the console, is
 * not known here: `galley doctor` asks for what is secret.
 */
#include <stdbool.h>

#include "net/remote.h"

struct ctx;

/* Returns the paths of run/console at the host, each a line without a slash at its beginning
 * (arena), or NULL if no folder above it is served. `variables` are those of the request. */
const char *probe_below(struct ctx *c, char *const *variables);

/* Asks the job runner to try at these paths. */
void probe_ask(struct ctx *c, const char *below);

/* Returns whether it was noted within the last day that no file can be fetched at these. */
bool probe_is_closed(struct ctx *c, const char *below);

/* Tries what was asked for, and notes the result. For the job runner; c->conf is read. */
void probe_try(struct ctx *c);

/* ---- an address of the instance, asked for as a stranger does */

/* What was answered. */
struct probe_answer {
	const char *failure; /* a sentence: why there was no answer; or NULL */
	bool by_client; /* the failure is bin/galley-fetch's own */
	struct remote_answer of;
};

/* Sends one GET, or a form. `how` says which, and with which key. */
void probe_get(struct ctx *c, const char *url, struct remote_how how, struct probe_answer *out);

#endif
