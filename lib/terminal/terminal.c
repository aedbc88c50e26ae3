#include "terminal/terminal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/mask.h"
#include "base/utf8.h"
#include "system/work.h"

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

/* Returns the length of the UTF-8 sequence at `p`, or 1 if there is none. *obeyed
 * tells whether a terminal would obey it, so that it must not be shown unchanged. */
static size_t
look_at(const char *p, bool *obeyed)
{
	size_t len = utf8_sequence(p);
	char one[5];

	*obeyed = true;
	if (len == 0)
		return 1;
	memcpy(one, p, len);
	one[len] = '\0';
	*obeyed = utf8_forbidden(one, true) != NULL || utf8_is_obeyed(utf8_next(&p));
	return len;
}

static bool
is_layout(char ch)
{
	return ch == '\n' || ch == '\t';
}

size_t
plain_make(char *text)
{
	char *to = text;
	bool obeyed;

	for (const char *p = text; *p != '\0';) {
		size_t len = look_at(p, &obeyed);
		if (obeyed && !is_layout(*p)) {
			*to++ = '?';
		} else {
			memmove(to, p, len);
			to += len;
		}
		p += len;
	}
	*to = '\0';
	return (size_t)(to - text);
}

const char *
plain_cell(struct arena *a, const char *text)
{
	const char *p = text;
	bool obeyed = false;
	char *copy;

	while (*p != '\0' && !obeyed)
		p += look_at(p, &obeyed);
	if (!obeyed)
		return text;
	copy = arena_text(a, text);
	(void)plain_make(copy);
	for (char *at = copy; *at != '\0'; at++)
		*at = is_layout(*at) ? ' ' : *at;
	return copy;
}

/* A surrogate pair is never needed: a terminal obeys no character above U+FFFF,
 * and a noncharacter there does no harm. */
const char *
plain_json(struct arena *a, const char *json)
{
	struct buf out;
	bool obeyed;

	buf_init(&out, a, 6 * strlen(json) + 1);
	while (*json != '\0') {
		const char *from = json;
		size_t len = look_at(json, &obeyed);
		uint32_t cp = utf8_next(&json);
		json = from + len;
		if (obeyed && cp >= 0x7F && cp <= 0xFFFF)
			buf_printf(&out, "\\u%04x", (unsigned)cp);
		else
			buf_add(&out, from, len);
	}
	return buf_done(&out);
}

#define LINE_MAX_BYTES 8192 /* a longer line is cut */

void
note_say(const char *format, ...)
{
	char line[LINE_MAX_BYTES];
	va_list args;

	progress_hide();
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	mask_secrets(line);
	(void)plain_make(line);
	fprintf(stderr, "%s\n", line);
}

static void
tell(void *arg, const char *sentence)
{
	(void)arg;
	note_say("galley: %s", sentence);
}

static void
begin(void *arg, const char *what, enum work_unit unit, int64_t total)
{
	progress_begin(arg, what, unit, total);
}

static void
step(void *arg, int64_t n)
{
	progress_step(arg, n);
}

static void
end(void *arg)
{
	progress_end(arg);
}

static bool
must_stop(void *arg)
{
	(void)arg;
	return stop_signal() != 0;
}

void
note_work(struct progress *p, struct work *out)
{
	*out = (struct work) { .tell = tell,
		.begin = begin,
		.step = step,
		.end = end,
		.must_stop = must_stop,
		.arg = p };
}

#define UNSEEN_LINE_MAX_BYTES 4096 /* a terminal gives a line of at most this many bytes */

/* Reads a line while the terminal sends no signals, so that it is never left
 * without an echo. Ctrl-C is then a character, and no key contains it. */
static ssize_t
read_line(const char *prompt, char line[UNSEEN_LINE_MAX_BYTES])
{
	struct termios usual, quiet;
	ssize_t got;

	if (tcgetattr(STDIN_FILENO, &usual) != 0)
		return -1;
	quiet = usual;
	quiet.c_lflag &= ~(tcflag_t)(ECHO | ISIG);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &quiet);
	fprintf(stderr, "%s", prompt);
	got = read(STDIN_FILENO, line, UNSEEN_LINE_MAX_BYTES);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &usual);
	fputc('\n', stderr);
	return got;
}

struct err *
unseen_read(struct ctx *c, const char *prompt, size_t max, char **text)
{
	char line[UNSEEN_LINE_MAX_BYTES];
	size_t len = 0;
	ssize_t got;

	*text = NULL;
	if (isatty(STDIN_FILENO) != 0) {
		got = read_line(prompt, line);
		len = got > 0 ? (size_t)got : 0;
		if (got >= 0)
			*text = arena_text_n(c->arena, line, len);
		explicit_bzero(line, sizeof(line));
	} else {
		*text = fileio_read_fd(c->arena, STDIN_FILENO, max, &len);
	}
	if (*text == NULL)
		return refuse(c, ERR_INVALID, "standard input: %s.", strerror(errno));
	if (!utf8_valid(*text, len) || strlen(*text) != len)
		return refuse(c, ERR_INVALID, "That is no text.");
	return NULL;
}
