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
#include "import/other.h"
#include "import/tally.h"

struct moving {
	struct ctx *c;
	struct call *call;
	struct arena *kept; /* for what outlives a post */
	struct other other;
	FILE *report; /* or NULL; each line is written when it is there */
	const struct work *work; /* its progress: items of all files, or of this one */
	size_t created, updated, unchanged, failed, pages_skipped;
	struct tally skipped, lost, hidden;
};

/* Opens the report if one is asked for, and begins the JSON. m->other tells what became
 * of each item from then on. */
MAY_REFUSE struct err *moving_begin(struct moving *m, const char *report);

/* Prints the counts. */
MAY_REFUSE struct err *moving_end(struct moving *m);

/* Imports the exports that the operands name, made by another program: galley article
 * import --from PROGRAM. In moving-from.c. */
MAY_REFUSE struct err *
moving_from(struct ctx *c, struct call *call, const struct workspace *w, const char *program);

#endif
