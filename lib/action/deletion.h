#ifndef ACTION_DELETION_H
#define ACTION_DELETION_H
/*
 * Deletes a workspace for good: a work (system/work.h) of many transactions.
 *
 *	struct deletion d = { .work = &work };
 *	err = deletion_find(c, place, &d);
 *	…					a person is asked
 *	err = deletion_run(c, &d);
 *
 * The first transaction revokes the keys of the workspace and cancels its open jobs: from
 * then on nobody reads the workspace, and no job writes into it. A provider that is at
 * work finds that its lease is gone. The articles are destroyed next, some in each
 * transaction, then the workspace and the pictures that nothing else names. A work that
 * was stopped or killed leaves a workspace without keys that has fewer articles; the same
 * work again does the rest.
 */
#include <stddef.h>
#include <stdint.h>

#include "access/account.h"
#include "access/workspace.h"
#include "action/action.h"
#include "base/err.h"
#include "job/job.h"
#include "system/work.h"

struct deletion {
	const struct work *work; /* the caller's */
	/* Is called with the id of each job that was cancelled, or NULL. */
	void (*cancelled)(void *arg, const char *uuid);
	void *arg; /* the caller's */

	/* Filled by deletion_find(). */
	struct workspace *workspace;
	const struct account *account;
	int64_t found; /* articles, the trash included */

	/* Filled by deletion_run(), also when it refuses. */
	const char **jobs; /* ids of those that were open */
	size_t job_count;
	int64_t credits; /* that these jobs had reserved */
	int64_t articles, keys;
	size_t pictures;
};

/* Finds the workspace of `place`. */
MAY_REFUSE struct err *
deletion_find(struct ctx *c, const struct find_place *place, struct deletion *d);

/* Refuses a text that is not the name of the workspace. */
MAY_REFUSE struct err *deletion_confirm(struct ctx *c, const struct deletion *d, const char *typed);

/* Deletes it. Refuses a workspace that was deleted or restored at the same time, and when
 * it must stop: nothing of what was destroyed comes back. */
MAY_REFUSE struct err *deletion_run(struct ctx *c, struct deletion *d);

#endif
