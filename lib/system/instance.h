#ifndef SYSTEM_INSTANCE_H
#define SYSTEM_INSTANCE_H
/*
 * Where the files of this instance are (docs/design.md §1).
 *
 * An instance is one directory, found one above the program's own folder, or
 * named by a file `instance` beside the program (shared hosting: programs and
 * media in the web's folder, everything secret elsewhere; there a file `programs`
 * names the web's folder). Never from the environment.
 *
 * lib/system: the process and its instance: settings, locks, confinement, files that others may
 * exchange, time zones. Not here: rows (lib/store), and who owns an instance (lib/start). Begin
 * with instance.h and conf.h.
 */
#include "base/err.h"

struct ctx;

struct instance {
	const char *home; /* holds galley.conf, db/, run/, log/, good/ */
	const char *programs; /* holds cgi-bin/, bin/, htdocs/ */
	const char *conf; /* home/galley.conf */
	const char *db; /* home/db/galley.db */
	const char *pepper; /* home/db/pepper */
	const char *run; /* home/run */
	const char *log; /* home/log */
	const char *media; /* programs/htdocs/media */
};

/*
 * Finds the instance of this executable; `dir` (or NULL) is the operator's --instance, which wins,
 * and may be either of two folders. Everything lives in the arena. Refuses an `instance` or
 * `programs` file that belongs to another user, that others may write, or that holds no absolute
 * path of a folder.
 */
MAY_REFUSE struct err *instance_find(struct ctx *c, const char *dir, struct instance *out);

#endif
