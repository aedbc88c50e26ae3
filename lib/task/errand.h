#ifndef TASK_ERRAND_H
#define TASK_ERRAND_H
/*
 * Errands: works of the whole instance that a person starts in the browser. Some need the
 * database for themselves, or must work while it is of an older release (docs/console.md §1.3,
 * §2.7, §4.14). An errand is a file, run/console/errand, which is its journal, too, and no row:
 * there may be no database that can hold one.
 *
 *	err = errand_ask(c, &(struct errand){ .kind = "migrate" }, &id);  in the console's program
 *	if (errand_find(c, &e)) …			its page, which refreshes itself
 *
 * The task runner looks for it before all else, within a second, and calls the function of
 * errand_kinds. For a kind that works alone it first asks the job runner to end (SIGTERM: no
 * try is lost), and holds its lock meanwhile; the others only read, and run beside all else. If
 * it is killed, the next run begins again, ERRAND_TRIES times at most: the function must be safe
 * to repeat. One errand is open at a time; the last one stays until another is asked for. The
 * test of the provider, which may take ten minutes, is aside of them: it has a file of its own,
 * run/console/errand-aside, keeps no other errand waiting, and waits for none.
 *
 * An errand with a person is begun only while that person is an operator.
 *
 * None of these functions needs a transaction or an open database.
 */
#include <stdbool.h>
#include <stdint.h>

#include "backup/kept-backups.h"
#include "base/err.h"

struct arena;
struct ctx;
struct work;

#define ERRAND_TRIES 3
#define ERRAND_FILE_MAX 200 /* bytes of the name of a file */

struct errand {
	const char *kind; /* of errand_kinds */
	const char *id; /* UUID */
	const char *person; /* UUID of who asked for it; "": who has the code of the page Start */
	const char *file; /* its argument: the name of a file; "" for none */
	const char *state; /* "waiting", "running", "done", "failed" */
	const char *report; /* a sentence; "" while there is none */
	int64_t asked_at;
	int64_t changed_at; /* the state */
	int64_t tries; /* 0 to ERRAND_TRIES */
	bool aside; /* it has a file of its own; of errand_ask() the kind says so */
	bool damaged; /* the file was none that errand_ask() or the runner wrote: it
	                 * is open until the task runner has noted that it failed */
};

struct errand_kind {
	const char *name; /* NULL ends the table */
	/* Runs with no database open; it may open it. Sets *report to what became of it
	 * (arena). A refusal by work_stopped() says "not now": the errand waits on. */
	struct err *(*run)(
	    struct ctx *c, const struct errand *e, const struct work *work, const char **report);
	bool beside; /* it changes nothing, and runs beside all else; else it holds the job
	              * runner's lock */
	bool aside; /* it has a file of its own; then it is beside, too */
};

/* The kinds, in errand-kinds.c. */
extern const struct errand_kind errand_kinds[];

/* Writes an errand of this kind, person and file (NULL: none); *id is its UUID (arena). Refuses
 * (409) while another one is open, and a kind that is not there. The caller has decided that
 * the person may do this. */
MAY_REFUSE struct err *errand_ask(struct ctx *c, const struct errand *order, const char **id);

/* Reads the text of the file. Any text is an errand: what is missing is "" or 0, and damages
 * it. */
void errand_read(struct arena *a, const char *text, struct errand *out);

/* Reads the last errand, or the last one that is aside of the others; false if there is none. */
bool errand_find(struct ctx *c, struct errand *out);
bool errand_find_aside(struct ctx *c, struct errand *out);

/* Returns whether it waits or runs. */
bool errand_is_open(const struct errand *e);

/* Returns whether it runs beside all else. */
bool errand_is_beside(const struct errand *e);

/* Works on the open errand; false if there is none, or if it waits on. For the task runner, in a
 * process that has no database open. */
bool errand_run(struct ctx *c, bool aside, const struct work *work);

/*
 * What an operator asks for on Instance (docs/console.md §4.14): errands of the whole instance.
 * Who asks is read again under the lock of the people's store, as with each change of a person,
 * and again by the runner before it begins.
 */

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
	const char *upload; /* UUID of an upload (action/uploaded-files.h) that is whole */
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
