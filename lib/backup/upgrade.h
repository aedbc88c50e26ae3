#ifndef BACKUP_UPGRADE_H
#define BACKUP_UPGRADE_H
/* Brings an instance to the schema of this release, after a backup: a work (system/work.h). */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct ctx;
struct work;

struct upgrade {
	int64_t from;     /* the schema that the database had */
	const char *kept; /* path of the backup (arena); NULL: nothing was to be done */
	bool people;      /* people/ is there now; else only root can create it */
};

/* Opens the database. Refuses one of a newer release, and one that is not as Galley makes it
 * or has a row that breaks a rule of the new schema: then nothing is changed. A second run
 * does nothing. */
MAY_REFUSE struct err *upgrade_run(struct ctx *c, const struct work *work,
    struct upgrade *out);

#endif
