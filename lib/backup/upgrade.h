#ifndef BACKUP_UPGRADE_H
#define BACKUP_UPGRADE_H
/* Brings an instance to the schema of this release, after a backup: a work (system/work.h). */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct ctx;
struct work;

struct upgrade {
	int64_t from; /* the schema that the database had */
	int64_t people_from; /* the schema that the people had; 0: there were none */
	const char *kept; /* path of the backup (arena); NULL: nothing was to be done */
	bool people; /* people/ is there now; else only root can create it */
};

/* Opens the database, and brings it and people/console.db to this release. Refuses a file of a
 * newer release, and one that is not as Galley makes it or has a row that breaks a rule of the
 * new schema: then that file is not changed. The database is first: if this ends between the
 * two, the next run goes on with the people. A second run does nothing. */
MAY_REFUSE struct err *upgrade_run(struct ctx *c, const struct work *work, struct upgrade *out);

/* Says in sentences what was done. In the arena. */
const char *upgrade_said(struct ctx *c, const struct upgrade *done);

#endif
