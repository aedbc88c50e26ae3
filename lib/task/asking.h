#ifndef TASK_ASKING_H
#define TASK_ASKING_H
/*
 * What an operator asks for on Instance (docs/console.md §4.14): errands of the whole instance.
 * Who asks is read again under the lock of the people's store, as with each change of a person,
 * and again by the runner before it begins.
 */
#include "backup/kept.h"
#include "base/err.h"

struct ctx;

#define ASKING_BACKUP "backup"
#define ASKING_DOCTOR "doctor"
#define ASKING_VERIFY "verify"

/* Asks for an errand without an argument. Refuses (409) while another one is open, and a backup
 * for which the disk has no room (ERR_UNAVAILABLE). */
MAY_REFUSE struct err *asking_begin(struct ctx *c, const char *kind, const char *person);

/* Removes a backup that is beside the database. Refuses one that is not there, and (409) any
 * while an errand is open that may need it. */
MAY_REFUSE struct err *asking_remove(struct ctx *c, const char *name);

#endif
