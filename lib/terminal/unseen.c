#include "terminal/unseen.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/utf8.h"

#define LINE_MAX_BYTES 4096 /* a terminal gives a line of at most this many bytes */

/* Reads a line while the terminal sends no signals, so that it is never left
 * without an echo. Ctrl-C is then a character, and no key contains it. */
static ssize_t
read_line(const char *prompt, char line[LINE_MAX_BYTES])
{
	struct termios usual, quiet;
	ssize_t got;

	if (tcgetattr(STDIN_FILENO, &usual) != 0)
		return -1;
	quiet = usual;
	quiet.c_lflag &= ~(tcflag_t)(ECHO | ISIG);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &quiet);
	fprintf(stderr, "%s", prompt);
	got = read(STDIN_FILENO, line, LINE_MAX_BYTES);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &usual);
	fputc('\n', stderr);
	return got;
}

struct err *
unseen_read(struct ctx *c, const char *prompt, size_t max, char **text)
{
	char line[LINE_MAX_BYTES];
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
