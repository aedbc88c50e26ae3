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
#define ASKING_DUMP "dump"
#define ASKING_DOCTOR "doctor"
#define ASKING_VERIFY "verify"
#define ASKING_RESTORE "restore"
#define ASKING_PROVIDER "provider"

/* Asks for an errand without an argument. Refuses (409) while another one is open, and a backup
 * or a dump for which the disk has no room (ERR_UNAVAILABLE). */
MAY_REFUSE struct err *asking_begin(struct ctx *c, const char *kind, const char *person);

/* What the provider may be asked for, in a test of it. */
#define PROVIDER_ARTICLE "article"
#define PROVIDER_PICTURE "picture" /* an article with a cover */
#define PROVIDER_RESEARCH "research"

/* Asks for a test of the provider with one of these. Refuses while one is open (409), while
 * galley.conf has a fault, and where it names no provider. */
MAY_REFUSE struct err *asking_provider(struct ctx *c, const char *what, const char *person);

/* What is to be restored. */
struct asking_restore {
	const char *person; /* UUID */
	const char *backup; /* the name of one that is beside the database, or NULL: */
	const char *upload; /* UUID of an upload (action/moving/uploads.h) that is whole */
	struct uploading *fresh; /* the same if it came with the form: uploads_store(); or NULL */
	const char *typed; /* the host, as the person typed it */
	const char *origin; /* of the console: "https://host" */
};

/* Asks for a restore. Refuses another host than that of the console (param "host"), a file that
 * is no backup or is not there, and (409) while another errand is open. An upload is looked at
 * by the errand alone; a fresh one is removed where this refuses. */
MAY_REFUSE struct err *asking_restore(struct ctx *c, const struct asking_restore *order);

/* Returns the path of the file of an errand that restores. Refuses a name of none. */
MAY_REFUSE struct err *asking_path(struct ctx *c, const char *file, const char **path);

/* Removes a backup or a dump that is beside the database. Refuses one that is not there, and (409)
 * any while an errand is open that may need it. */
MAY_REFUSE struct err *asking_remove(struct ctx *c, const char *name);

#endif
