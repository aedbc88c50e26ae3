#include "command/ask.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/line.h"
#include "command/call.h"
#include "terminal/terminal.h"

#define NAMES_MAX 20 /* names that are shown */
#define LINE_MAX_BYTES 4096

bool
ask_can(void)
{
	return isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0;
}

/* Prints a question. It may quote text of strangers. */
static void
show(const char *question)
{
	char line[LINE_MAX_BYTES];

	progress_hide();
	snprintf(line, sizeof(line), "%s ", question);
	(void)plain_make(line);
	fputs(line, stderr);
}

bool
ask(const char *question, bool otherwise)
{
	char answer[64];

	show(question);
	fputs(otherwise ? "[Y/n] " : "[y/N] ", stderr);
	if (!line_read(stdin, answer, sizeof(answer), NULL))
		return false;
	if (answer[0] == 'y' || answer[0] == 'Y')
		return true;
	return otherwise && answer[0] != 'n' && answer[0] != 'N';
}

const char *
ask_line(struct ctx *c, const char *question)
{
	char answer[LINE_MAX_BYTES];
	bool whole;

	show(question);
	if (!line_read(stdin, answer, sizeof(answer), &whole) || !whole)
		return "";
	return arena_text(c->arena, answer);
}

struct err *
ask_about(struct ctx *c, const struct call *call, const char *done, const char *const *names,
    size_t count)
{
	if (count < 2 || call_has(call, "yes") || !ask_can())
		return NULL;
	note_say("These %zu will be %s:", count, done);
	for (size_t i = 0; i < count && i < NAMES_MAX; i++)
		note_say("  %s", names[i]);
	if (count > NAMES_MAX)
		note_say("  … and %zu more", count - NAMES_MAX);
	if (ask("Go on?", false))
		return NULL;
	return refuse(c, ERR_CONFLICT, "Nothing was changed.");
}
