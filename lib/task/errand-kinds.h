#ifndef TASK_ERRAND_KINDS_H
#define TASK_ERRAND_KINDS_H
/*
 * What errands do (errand.h), and what they leave for a page: a list of findings, in a file of its
 * own, run/console/report-KIND. The next errand of that kind replaces it. A page reads it as text:
 * what a finding says may hold words of strangers.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "job/cron.h"

struct ctx;

enum report_level { REPORT_GOOD, REPORT_NOTE, REPORT_WARN, REPORT_BAD };

struct report_finding {
	enum report_level level;
	const char *name; /* of the check */
	const char *message;
	const char *fix; /* "": nothing must be done */
};

struct report {
	int64_t at; /* when it was written */
	struct report_finding *list;
	size_t count;
};

/* Reads the last report of a kind into the arena; false if there is none. */
bool report_read(struct ctx *c, const char *kind, struct report *out);

/*
 * The upgrade that is begun in a browser (docs/console.md §2.7), while the programs are of a
 * newer release than the database: the errand "migrate". A person who has the code of the page
 * may ask for it. No function needs the stores.
 *
 * Where setup is the line of cron, it installs each uploaded release and migrates by itself:
 * nothing else does then. setup leaves a file, run/setup.seen, at each of its runs.
 */

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

#endif
