#ifndef SYSTEM_STOP_H
#define SYSTEM_STOP_H
/*
 * Ctrl-C, and SIGTERM, in work of many pieces: the piece under way is finished, what
 * was done is told, and the rest is left. A second one ends the process at once.
 */

/* From here on they are caught. */
void stop_catch(void);

/* The signal that came, or 0. */
int stop_signal(void);

#endif
