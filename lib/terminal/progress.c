#include "terminal/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fileio.h"

#define BAR 20 /* columns between the brackets */
#define COLUMNS_USUAL 80 /* used if the terminal does not tell */
#define MIB 1048576
#define MIB_TEXT 24
#define GUESS_AFTER (5 * CLOCK_SECOND) /* before this time, no remaining time is told */

/* Test builds draw every step, on a machine with any load. */
#ifdef GALLEY_TEST
#define INTERVAL 0
#else
#define INTERVAL (CLOCK_SECOND / 10)
#endif

#define WIPE "\r\033[K"

/* The terminal has one line for all works that draw on it. This says whether the
 * line shows something. */
static bool drawn;

void
progress_hide(void)
{
	if (drawn)
		drawn = !fileio_write_all(STDERR_FILENO, WIPE, strlen(WIPE));
}

static bool
is_terminal(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) != 0 && (term == NULL || strcmp(term, "dumb") != 0);
}

void
progress_begin(struct progress *p, const char *what, enum work_unit unit, int64_t total)
{
	int64_t now = clock_boot();

	*p = (struct progress) { .what = what,
		.unit = unit,
		.total = total,
		.began_at = now,
		.drawn_at = now,
		.terminal = is_terminal() };
}

static size_t
columns_of_terminal(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return COLUMNS_USUAL;
	return size.ws_col;
}

/* Writes a number of bytes as "12.5". */
static const char *
mib(int64_t bytes, char out[MIB_TEXT])
{
	snprintf(out, MIB_TEXT, "%lld.%d", (long long)(bytes / MIB), (int)(bytes % MIB * 10 / MIB));
	return out;
}

/* Writes "188 of 470", "12.5 of 80.0 MiB", or "188" if there is no total. */
static void
amount(const struct progress *p, int64_t done, char *out, size_t size)
{
	char part[MIB_TEXT], whole[MIB_TEXT];

	if (p->unit == WORK_BYTES && p->total > 0)
		snprintf(out, size, "%s of %s MiB", mib(done, part), mib(p->total, whole));
	else if (p->unit == WORK_BYTES)
		snprintf(out, size, "%s MiB", mib(done, part));
	else if (p->total > 0)
		snprintf(out, size, "%lld of %lld", (long long)done, (long long)p->total);
	else
		snprintf(out, size, "%lld", (long long)done);
}

/* Writes ", 2 min left", estimated from what was done so far; nothing while there
 * is too little to estimate from. */
static void
time_left(const struct progress *p, int64_t done, int64_t elapsed, char *out, size_t size)
{
	double left;

	out[0] = '\0';
	if (done <= 0 || done >= p->total || elapsed < GUESS_AFTER)
		return;
	left = (double)elapsed / (double)CLOCK_SECOND * (double)(p->total - done) / (double)done;
	if (left < 90)
		snprintf(out, size, ", %d s left", (int)left + 1);
	else if (left < 90 * 60)
		snprintf(out, size, ", %d min left", (int)(left / 60 + 0.5));
	else if (left < 1e6)
		snprintf(out, size, ", %d h left", (int)(left / 3600 + 0.5));
}

void
progress_line(const struct progress *p, int64_t elapsed, size_t columns, char out[PROGRESS_LINE])
{
	int64_t done = p->done;
	char said[64], left[32], bar[BAR + 1];
	size_t filled;

	if (p->total > 0 && done > p->total)
		done = p->total;
	amount(p, done, said, sizeof(said));
	time_left(p, done, elapsed, left, sizeof(left));
	if (p->total <= 0) {
		snprintf(out, PROGRESS_LINE, "%.60s  %s", p->what, said);
	} else {
		filled = (size_t)((double)done / (double)p->total * BAR);
		memset(bar, ' ', BAR);
		memset(bar, '#', filled);
		bar[BAR] = '\0';
		snprintf(out, PROGRESS_LINE, "%.60s  [%s] %3d %%  %s%s", p->what, bar,
		    (int)((double)done / (double)p->total * 100), said, left);
	}
	if (columns < PROGRESS_LINE)
		out[columns] = '\0';
}

void
progress_step(struct progress *p, int64_t n)
{
	char line[PROGRESS_LINE], shown[PROGRESS_LINE + 8];
	int64_t now;

	p->done += n;
	if (!p->terminal)
		return;
	now = clock_boot();
	if (now - p->drawn_at < INTERVAL)
		return;
	p->drawn_at = now;
	/* The last column stays empty: a full line would wrap. */
	progress_line(p, now - p->began_at, columns_of_terminal() - 1, line);
	snprintf(shown, sizeof(shown), "\r%s\033[K", line);
	drawn = fileio_write_all(STDERR_FILENO, shown, strlen(shown));
}

void
progress_end(struct progress *p)
{
	p->terminal = false;
	progress_hide();
}
