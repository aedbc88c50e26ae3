#ifndef SYSTEM_INTERRUPT_H
#define SYSTEM_INTERRUPT_H
/*
 * What a command that is ended from outside (Ctrl-C, SIGTERM, a closed terminal)
 * removes before it ends: files that hold secrets and are of no use to anybody.
 * What a killed process leaves is swept later (pending.h).
 */

/* Has this path removed, a file or an empty folder, in the order of the calls. A
 * path that does not fit is not. */
void interrupt_remove(const char *path);

/* From now on nothing is removed. */
void interrupt_forget(void);

#endif
