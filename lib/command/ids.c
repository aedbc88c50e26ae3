#include "command/ids.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/utf8.h"
#include "command/call.h"
#include "command/help/help-text.h"

#define INPUT_MAX ((size_t)64 << 20)

static const char spaces[] = " \t\r\n";

static struct err *
read_input(struct ctx *c, char **text)
{
	size_t len;

	*text = fileio_read_fd(c->arena, STDIN_FILENO, INPUT_MAX, &len);
	if (*text == NULL)
		return refuse(c, ERR_INVALID, "standard input: %s.", strerror(errno));
	if (!utf8_valid(*text, len))
		return refuse(c, ERR_INVALID, "Standard input is no list of ids.");
	return NULL;
}

static size_t
count_words(const char *text)
{
	size_t count = 0;

	for (text += strspn(text, spaces); *text != '\0'; text += strspn(text, spaces)) {
		text += strcspn(text, spaces);
		count++;
	}
	return count;
}

/* Splits `text` into words. */
static void
put_words(const char **out, char *text, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		text += strspn(text, spaces);
		out[i] = text;
		text += strcspn(text, spaces);
		if (*text != '\0')
			*text++ = '\0';
	}
}

static struct err *
replace(struct ctx *c, struct call *call, size_t at)
{
	bool one = (call->command->flags & COMMAND_ID) != 0;
	const char **operands;
	size_t count, rest = call->operand_count - at - 1;
	struct err *err;
	char *text;

	err = read_input(c, &text);
	if (err != NULL)
		return err;
	count = count_words(text);
	if (one && count != 1)
		return call_usage(c, "%s takes one id, and standard input has %zu.",
		    help_name(c, call->command), count);
	operands = arena_array(c->arena, at + count + rest + 1, sizeof(*operands));
	memcpy(operands, call->operands, at * sizeof(*operands));
	put_words(operands + at, text, count);
	memcpy(operands + at + count, call->operands + at + 1, rest * sizeof(*operands));
	call->ids_given = true;
	call->operands = operands;
	call->operand_count = at + count + rest;
	return NULL;
}

struct err *
ids_read(struct ctx *c, struct call *call)
{
	unsigned flags = call->command->flags;
	size_t last = (flags & COMMAND_IDS) != 0  ? call->operand_count
		      : (flags & COMMAND_ID) != 0 ? 1
						  : 0;

	for (size_t i = 0; i < last && i < call->operand_count; i++) {
		if (strcmp(call->operands[i], "-") == 0)
			return replace(c, call, i);
	}
	return NULL;
}
