#ifndef SYSTEM_WORK_H
#define SYSTEM_WORK_H
/*
 * What a work tells its caller while it runs, and when it must stop.
 *
 * A work (import, backup, restore, dump, verify, doctor, verify-page, export refresh) has
 * transactions of its own, takes long, and is safe to repeat. It knows neither terminal nor
 * command. Its caller gives it one struct work:
 *
 * 	struct work work = { .tell = print_line, .arg = stderr };
 *
 * 	err = dump_run(c, &work, folder, &dump);
 *
 * Each function may be NULL. A work calls them by the functions below, which do
 * nothing for a function that is NULL. A work has one progress at a time.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum work_unit { WORK_PIECES, WORK_BYTES };

struct work {
	/* A sentence for the person who waits: what is missing, what it waits for. */
	void (*tell)(void *arg, const char *sentence);
	/* Progress begins: `what` is one or two words ("Writing"), `total` the number
	 * of pieces or bytes, 0 where it is not known. */
	void (*begin)(void *arg, const char *what, enum work_unit unit, int64_t total);
	void (*step)(void *arg, int64_t n); /* n more are done */
	void (*end)(void *arg); /* progress ends */
	/* Whether the work must stop. It then finishes the present piece. */
	bool (*must_stop)(void *arg);
	void *arg; /* the caller's */
};

/* Formats a sentence and tells it; one that is longer than 8 KiB is cut. */
void work_tell(const struct work *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

void work_begin(const struct work *w, const char *what, enum work_unit unit, int64_t total);

void work_step(const struct work *w, int64_t n);

void work_end(const struct work *w);

/* Returns whether the work must stop. A work asks between two steps. If it must stop, it
 * starts no other step, and ends as it does at its last step or refuses with
 * work_stopped(). */
bool work_must_stop(const struct work *w);

/* Makes the refusal of a work that stopped; its message begins with "stopped: ". The
 * sentence says what is done and what is not. */
MAY_REFUSE struct err *
work_stopped(struct ctx *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns whether the refusal was made by work_stopped(). */
bool work_is_stopped(const struct err *err);

/*
 * ---- signals that work stops at
 *
 * Catches Ctrl-C and SIGTERM during work of many pieces: the program finishes the present
 * piece, tells what was done, and leaves the rest. A second signal ends the process at
 * once, and removes the files that were named to interrupt_remove().
 */

/* Catches the signals from now on. */
void stop_catch(void);

/* Returns the signal that came, or 0. */
int stop_signal(void);

/* Ends the process by the signal that came, when everything is told: a shell script that
 * called the program then ends, too. Does nothing if none came. */
void stop_end(void);

/*
 * ---- files that a signal removes
 *
 * Removes files when a signal ends a command (Ctrl-C, SIGTERM, a closed terminal): files
 * that hold secrets and that nobody needs. What a killed process leaves is removed later
 * (start/pending.h).
 */
/* Notes a path, of a file or an empty folder, that is removed at a signal, in the order
 * of the calls. A path that is too long is not noted. */
void interrupt_remove(const char *path);

/* Forgets all paths: from now on nothing is removed. */
void interrupt_forget(void);

#endif
