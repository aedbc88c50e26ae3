#ifndef TERMINAL_TERMINAL_H
#define TERMINAL_TERMINAL_H
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
 *
 * lib/terminal: what a person sees in a shell: tables, progress, differences, an editor. Not here:
 * commands (lib/command). Begin with terminal.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "system/work.h"

struct arena;
struct ctx;
struct progress;
struct work;

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

/* What a program tells the person at the terminal while it works. */

/* Writes a line to standard error at once: a warning, what is happening. Secrets in it
 * are masked (base/mask.h), control characters are made visible (terminal/terminal.h), and
 * a line of progress is wiped first. */
void note_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Fills *out for a work that a person watches: its sentences are lines on standard
 * error, its progress is *p on the terminal, and it must stop once system/work.h has
 * caught a signal. *p must live as long as *out.
 */
void note_work(struct progress *p, struct work *out);

/*
 * Makes text of strangers (topics, titles, labels, names of files) safe for an
 * operator's terminal. A terminal obeys some characters (base/utf8.h, docs/platform.md
 * §6); they never reach it.
 */

/* Overwrites with a question mark each character that a terminal obeys (except line
 * breaks and tabs), each noncharacter and each byte that is not UTF-8. Returns the new
 * length, which may be smaller. */
size_t plain_make(char *text);

/* Does the same for a cell of a table, and replaces each line break and tab by a space.
 * Returns `text` itself if nothing changes, else a copy in the arena. */
const char *plain_cell(struct arena *a, const char *text);

/* Returns JSON with the same values in which each such character is written \uXXXX. In
 * the arena. */
const char *plain_json(struct arena *a, const char *json);

/* Reads a secret from standard input. A secret must never be a word of a command, which
 * other users can see and shells remember. */

/*
 * Reads standard input to its end, at most `max` bytes, into the arena. From a terminal
 * it reads one line, after `prompt`, that is not shown. Refuses input that cannot be
 * read, is longer than `max` or is not text.
 */
MAY_REFUSE struct err *unseen_read(struct ctx *c, const char *prompt, size_t max, char **text);

#endif
