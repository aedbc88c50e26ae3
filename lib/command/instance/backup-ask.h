#ifndef COMMAND_INSTANCE_BACKUP_ASK_H
#define COMMAND_INSTANCE_BACKUP_ASK_H
/* Questions before a backup is replaced or restored. With --yes nobody is asked; the
 * command must have that option. */
#include "base/err.h"

struct call;

/* Refuses a path that names a folder, and a file that is no backup of Galley. A backup
 * is replaced if the person at the terminal says so; where nobody can be asked it is
 * replaced, and a line says so. */
MAY_REFUSE struct err *
backup_ask_overwrite(struct ctx *c, const struct call *call, const char *path);

/* On a terminal: shows what would be replaced by what, and asks. Refuses where the
 * answer is no. Changes nothing, and waits for no lock. */
MAY_REFUSE struct err *backup_ask_restore(struct ctx *c, const struct call *call, const char *file);

#endif
