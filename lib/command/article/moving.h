#ifndef COMMAND_MOVING_H
#define COMMAND_MOVING_H
/*
 * What an import of another program's export prints: counts while it runs, then what
 * became of the posts, how much was lost of each kind, and what was not for everyone;
 * with --report a CSV file has every line.
 */
#include <stdbool.h>
#include <stdio.h>

#include "command/call.h"
#include "import/pictures.h"
#include "import/tally.h"

struct moving {
	struct ctx *c;
	struct call *call;
	struct arena *kept; /* for what outlives a post */
	const struct workspace *workspace;
	struct post_options options;
	struct pictures pictures;
	FILE *report; /* or NULL; each line is written when it is there */
	const char *path; /* of the file under way */
	const struct work *work; /* its progress: items of all files, or of this one */
	size_t created, updated, unchanged, failed;
	struct tally skipped, lost, hidden;
};

/* Opens the report where one is asked for, and begins the JSON. */
MAY_REFUSE struct err *moving_begin(struct moving *m, const char *report);

/* Imports a post and tells what became of it. c->arena is the post's own. */
void moving_post(
    struct moving *m, const struct post *post, const struct notes *before);

/* An item that is no article: "of type page". */
void moving_skip(struct moving *m, const char *title, const char *why);

/* Returns whether the work must stop: the rest is left. */
bool moving_is_stopped(const struct moving *m);

/* The counts. */
MAY_REFUSE struct err *moving_end(struct moving *m);

/* Imports the exports that the operands name, made by another program: galley article
 * import --from PROGRAM. In moving-from.c. */
MAY_REFUSE struct err *moving_from(struct ctx *c, struct call *call,
    const struct workspace *w, const char *program);

#endif
