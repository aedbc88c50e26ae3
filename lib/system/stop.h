#ifndef SYSTEM_STOP_H
#define SYSTEM_STOP_H
/*
 * Catches Ctrl-C and SIGTERM during work of many pieces: the program finishes the present
 * piece, tells what was done, and leaves the rest. A second signal ends the process at
 * once, and removes the files that were named to system/interrupt.h.
 */

/* Catches the signals from now on. */
void stop_catch(void);

/* Returns the signal that came, or 0. */
int stop_signal(void);

/* Ends the process by the signal that came, when everything is told: a shell script that
 * called the program then ends, too. Does nothing if none came. */
void stop_end(void);

#endif
