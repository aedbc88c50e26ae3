#ifndef START_RELEASE_H
#define START_RELEASE_H
/*
 * Whether the installed programs are those of one release: an upload by FTP replaces them one
 * after the other. The linker puts a note into each program, the digest of all sources
 * (release.sh), which is read from the file.
 */
#include <stdbool.h>

#include "base/err.h"

struct ctx;

#define RELEASE_ID 33 /* bytes of the text, with its NUL */
#define RELEASE_REST_S 60 /* an upload is over when no program is younger */

/* Reads the id of a program. Returns false if the file is no program of Galley's. */
bool release_of(const char *path, char out[RELEASE_ID]);

/* Reads that of the running program; "unknown" if it has none. */
void release_own(char out[RELEASE_ID]);

/* Returns whether the running program is of the release of the installed bin/task-runner: an
 * upload replaces that while the one before still runs. */
bool release_is_installed(struct ctx *c);

/*
 * Compares all programs of the instance with the running one. Refuses, naming the first, where
 * one is of another release (ERR_CONFLICT), and where one is younger than RELEASE_REST_S
 * (ERR_UNAVAILABLE, with retry_after_s).
 */
MAY_REFUSE struct err *release_check(struct ctx *c);

#endif
