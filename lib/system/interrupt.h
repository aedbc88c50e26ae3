#ifndef SYSTEM_INTERRUPT_H
#define SYSTEM_INTERRUPT_H
/*
 * Removes files when a signal ends a command (Ctrl-C, SIGTERM, a closed terminal): files
 * that hold secrets and that nobody needs. What a killed process leaves is removed later
 * (start/pending.h).
 */

/* Notes a path, of a file or an empty folder, that is removed at a signal, in the order
 * of the calls. A path that is too long is not noted. */
void interrupt_remove(const char *path);

/* Removes them, and ends the process by this signal: a signal handler. */
void interrupt_end(int number);

/* Forgets all paths: from now on nothing is removed. */
void interrupt_forget(void);

#endif
