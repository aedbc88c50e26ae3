#ifndef TERMINAL_PROGRESS_H
#define TERMINAL_PROGRESS_H
/*
 * How far long work is, as one line on a terminal:
 *
 *	Importing  [########            ]  40 %  188 of 470, 2 min left
 *
 * It stands on standard error, and only where that is a terminal: pipes, files
 * and cron see nothing. The first line comes after a tenth of a second, so
 * that short work shows none. Whoever writes to standard error meanwhile says
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
 * One work at a time. A refusal between begin and end needs no end: the tool
 * hides the line before it complains.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "system/work.h"

struct progress {
	const char *what; /* "Importing": one or two words, ASCII */
	enum work_unit unit;
	int64_t total; /* 0: not known; the line then only counts */
	int64_t done;
	int64_t began_at; /* clock_boot() */
	int64_t drawn_at; /* the same, of the last drawing or of the begin */
	bool terminal;    /* false: nothing is ever drawn */
};

void progress_begin(struct progress *p, const char *what,
    enum work_unit unit, int64_t total);

/* `n` pieces or bytes more are done. Cheap: draws ten times a second. */
void progress_step(struct progress *p, int64_t n);

/* Wipes the line; nothing stays of it. */
void progress_end(struct progress *p);

/* Wipes the line that stands on the terminal, if there is one. The next step
 * draws it again. */
void progress_hide(void);

#define PROGRESS_LINE 200 /* bytes of a line with its NUL, at most */

/* The line as it is drawn `elapsed` microseconds after the begin, in at most
 * `columns` columns. */
void progress_line(const struct progress *p, int64_t elapsed, size_t columns,
    char out[PROGRESS_LINE]);

#endif
