#ifndef TERMINAL_PROGRESS_H
#define TERMINAL_PROGRESS_H
/*
 * The progress of long work, as one line on a terminal:
 *
 *	Importing  [########            ]  40 %  188 of 470, 2 min left
 *
 * It is written to standard error, and only if that is a terminal: pipes, files and cron
 * see nothing. The first line appears after a tenth of a second, so that short work
 * shows none. A program that writes to standard error meanwhile must call
 * progress_hide() first; note_say() does.
 *
 * Usage:
 *
 *	struct progress p;
 *
 *	progress_begin(&p, "Importing", WORK_PIECES, count);
 *	for (…) {
 *		…
 *		progress_step(&p, 1);
 *	}
 *	progress_end(&p);
 *
 * There is one work at a time. A refusal between begin and end needs no end: the tool
 * wipes the line before it complains.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "system/work.h"

struct progress {
	const char *what; /* "Importing": one or two words, ASCII */
	enum work_unit unit;
	int64_t total; /* 0: not known; the line then shows only the count */
	int64_t done;
	int64_t began_at; /* clock_boot() */
	int64_t drawn_at; /* the same, of the last drawing or of the begin */
	bool terminal; /* false: nothing is ever drawn */
};

/* Begins the progress of `total` pieces or bytes. */
void progress_begin(struct progress *p, const char *what, enum work_unit unit, int64_t total);

/* Adds `n` pieces or bytes that are done. It is cheap: it draws ten times a second. */
void progress_step(struct progress *p, int64_t n);

/* Wipes the line at the end of the work. */
void progress_end(struct progress *p);

/* Wipes the line on the terminal, if there is one. The next step draws it again. */
void progress_hide(void);

#define PROGRESS_LINE 200 /* bytes of a line with its NUL, at most */

/* Writes to `out` the line that is drawn `elapsed` microseconds after the begin, in at
 * most `columns` columns. */
void
progress_line(const struct progress *p, int64_t elapsed, size_t columns, char out[PROGRESS_LINE]);

#endif
