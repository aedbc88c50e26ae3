#include "base/log.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/encoding.h"
#include "base/fileio.h"
#include "base/mask.h"
#include "base/utf8.h"

#define LINE_MAX_BYTES 4096
#define HEAD_MAX_BYTES 192
/* A text of this length is a whole line with its head and its newline. */
#define TEXT_MAX_BYTES (LINE_MAX_BYTES - HEAD_MAX_BYTES - 1)

/* These arrays are not cleared before they are used, in spite of
 * -ftrivial-auto-var-init. */
#if __has_attribute(uninitialized)
#define UNCLEARED __attribute__((uninitialized))
#else
#define UNCLEARED
#endif

/* These variables belong to the process: the log is one file as long as the
 * process lives. */
static const char *log_program = "galley";
static char log_id[64];
static int log_fd = STDERR_FILENO;
static const char *log_path; /* NULL: standard error */
static log_last_words last_words;
static bool dying;
static int exit_status = 1;
static const char *plainly; /* what people see instead of the text of die(); NULL:
                                * the text itself */
static const char *death = ""; /* the text of die() or BUG(), until exit */

static int
open_file(const char *path)
{
	return fileio_open(path, O_WRONLY | O_APPEND | O_CREAT);
}

void
log_open(const char *program, const char *path)
{
	int fd;

	log_program = program;
	if (path == NULL)
		return;
	fd = open_file(path);
	if (fd < 0)
		return;
	log_fd = fd;
	log_path = path;
}

void
log_follow(void)
{
	struct stat named, mine;
	int fd;

	if (log_path == NULL || fstat(log_fd, &mine) != 0 ||
	    (stat(log_path, &named) == 0 && named.st_ino == mine.st_ino &&
		named.st_dev == mine.st_dev))
		return;
	fd = open_file(log_path);
	if (fd < 0)
		return;
	close(log_fd);
	log_fd = fd;
}

void
log_request(const char *request_id)
{
	size_t len = request_id != NULL ? strlen(request_id) : 0;

	if (len >= sizeof(log_id))
		len = sizeof(log_id) - 1;
	if (len > 0)
		memcpy(log_id, request_id, len);
	log_id[len] = '\0';
}

void
log_on_death(log_last_words words)
{
	last_words = words;
}

void
log_answered(void)
{
	exit_status = 0;
}

/* Returns whether a line may hold the text unchanged: it is printable ASCII, as
 * nearly all texts are. */
static bool
is_plain(const char *text, size_t len)
{
	const uint64_t each = UINT64_C(0x0101010101010101), high = each << 7;
	uint64_t word, del, other = 0;

	/* Eight bytes at once: nearly no line needs an escape. */
	for (; len >= sizeof(word); len -= sizeof(word), text += sizeof(word)) {
		memcpy(&word, text, sizeof(word));
		del = word ^ (each * 0x7F);
		other |= word | (word - each * ' ') | (del - each);
	}
	if ((other & high) != 0)
		return false;
	for (; len > 0; len--, text++) {
		if ((unsigned char)(*text - ' ') >= 0x7F - ' ')
			return false;
	}
	return true;
}

/* Returns whether a line may hold the `n` bytes at `p` unchanged. `n` is 0 if
 * they are not UTF-8. */
static bool
is_harmless(const char *p, size_t n)
{
	return n > 0 && !utf8_is_obeyed(utf8_next(&p));
}

/* Copies `text` as far as it fits. Escapes broken UTF-8 and the characters that a
 * terminal obeys. */
static size_t
escape(char out[TEXT_MAX_BYTES], const char *text)
{
	const char *p = text;
	size_t len = 0;

	while (*p != '\0' && len < TEXT_MAX_BYTES - 16) {
		size_t n = utf8_sequence(p);
		if (is_harmless(p, n)) {
			memcpy(out + len, p, n);
			len += n;
			p += n;
			continue;
		}
		for (n = n > 0 ? n : 1; n > 0; n--, p++)
			len += (size_t)snprintf(out + len, 5, "\\x%02X", (unsigned char)*p);
	}
	return len;
}

/* Copies `text` in a form that people may see: without secrets, and without
 * characters that a terminal obeys. */
static size_t
clean(char out[TEXT_MAX_BYTES], const char *text)
{
	UNCLEARED char copy[TEXT_MAX_BYTES + 1];
	size_t len = strnlen(text, TEXT_MAX_BYTES);

	memcpy(copy, text, len);
	copy[len] = '\0';
	mask_secrets(copy);
	return escape(out, copy);
}

/* Writes what precedes the text of a line. The name of the program is short, as
 * those of all our programs. */
static size_t
make_head(char head[HEAD_MAX_BYTES])
{
	char pid[DECIMAL_TEXT];
	char *end;

	clock_format(head, clock_machine());
	(void)decimal_format(pid, getpid());
	end = stpcpy(head + CLOCK_TEXT - 1, " ");
	end = stpcpy(end, log_program);
	end = stpcpy(end, "[");
	end = stpcpy(end, pid);
	end = stpcpy(end, "] ");
	end = stpcpy(end, log_id[0] != '\0' ? log_id : "-");
	end = stpcpy(end, " ");
	return (size_t)(end - head);
}

/* Writes a line. A log that cannot be written must not stop the work. */
static void
write_line(const char *text, size_t len)
{
	char head[HEAD_MAX_BYTES];
	const struct iovec line[3] = { { head, make_head(head) }, { (void *)(uintptr_t)text, len },
		{ "\n", 1 } };

	if (writev(log_fd, line, 3) < 0 && log_fd != STDERR_FILENO)
		(void)!writev(STDERR_FILENO, line, 3);
}

/* Writes a text that must be escaped. This is a function of its own, so that
 * log_text() does not touch the pages of its frame. */
static __attribute__((noinline)) void
write_escaped(const char *text)
{
	UNCLEARED char escaped[TEXT_MAX_BYTES];

	write_line(escaped, clean(escaped, text));
}

void
log_show(FILE *to, const char *text)
{
	char line[TEXT_MAX_BYTES];
	size_t len = clean(line, text);

	fprintf(to, "%.*s\n", (int)len, line);
	fflush(to);
}

/* Writes a text. Nearly every text is written from its place, without a copy. */
void
log_text(const char *text)
{
	size_t len = strnlen(text, TEXT_MAX_BYTES);

	if (len < TEXT_MAX_BYTES && is_plain(text, len) &&
	    (!mask_suspects(text, len) || !mask_finds(text)))
		write_line(text, len);
	else
		write_escaped(text);
}

void
log_into(const char *path, const char *text)
{
	int own = log_fd, other = open_file(path);

	if (other >= 0)
		log_fd = other;
	log_text(text);
	log_fd = own;
	if (other >= 0)
		close(other);
}

void
log_line(const char *format, ...)
{
	UNCLEARED char text[TEXT_MAX_BYTES + 1];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	log_text(text);
}

/* Logs or prints `text`, and lets the last words answer, but only once. */
static void
give_up(const char *text, bool passing, int retry_after_s)
{
	if (dying)
		_exit(exit_status);
	dying = true;
	death = plainly != NULL ? plainly : text;
	if (last_words == NULL) {
		fprintf(stderr, "%s: ", log_program);
		log_show(stderr, death);
		return;
	}
	log_text(text);
	last_words(passing, retry_after_s);
}

void
log_live_on(void)
{
	dying = false;
	plainly = NULL;
	death = "";
}

void
log_plainly(const char *sentence)
{
	plainly = sentence;
}

const char *
log_death(void)
{
	return death;
}

void
die(const char *format, ...)
{
	char text[LINE_MAX_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	give_up(text, false, 0);
	_exit(exit_status);
}

void
die_passing(int retry_after_s, const char *format, ...)
{
	char text[LINE_MAX_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	give_up(text, true, retry_after_s);
	_exit(exit_status);
}

void
log_bug(const char *file, int line, const char *format, ...)
{
	char text[LINE_MAX_BYTES - 256];
	char whole[LINE_MAX_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(whole, sizeof(whole), "BUG at %s:%d: %s", file, line, text);
	give_up(whole, false, 0);
	abort();
}
