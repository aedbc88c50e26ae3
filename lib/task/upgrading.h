#ifndef TASK_UPGRADING_H
#define TASK_UPGRADING_H
/*
 * The upgrade that is begun in a browser (docs/console.md §2.7), while the programs are of a
 * newer release than the database: the errand "migrate". A person who has the code of the page
 * may ask for it. No function needs the stores.
 *
 * Where setup is the line of cron, it installs each uploaded release and migrates by itself:
 * nothing else does then. setup leaves a file, run/setup.seen, at each of its runs.
 */
#include <stdbool.h>

#include "base/err.h"
#include "job/cron.h"

struct ctx;
struct work;

struct upgrading {
	bool by_setup; /* setup does it */
	bool open; /* it was asked for, and is not over */
	const char *failed; /* why the last one failed; NULL: it did not */
	struct cron cron;
};

void upgrading_look(struct ctx *c, struct upgrading *out);

/* Returns whether it came to its end within the last hour. */
bool upgrading_is_done(struct ctx *c);

/* Asks for it. Refuses as start_check() and errand_ask() do, and where setup does it
 * (ERR_CONFLICT). `address` is the client's. */
MAY_REFUSE struct err *upgrading_ask(struct ctx *c, const char *code, const char *address);

/* Does it, as an errand (errand.h): waits until the upload is over, makes a backup, and
 * migrates. Refuses programs of several releases, and as upgrade_run() does. */
MAY_REFUSE struct err *upgrading_run(struct ctx *c, const struct work *work, const char **report);

#endif
