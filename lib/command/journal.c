#include "command/journal.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "base/utf8.h"
#include "command/call.h"
#include "system/instance.h"
#include "terminal/terminal.h"

#define LINE_MAX_BYTES 3500
#define WORD_MAX_CHARS 80 /* longer words are cut: the log is not a place for texts */

static void
add_word(struct buf *line, const char *word)
{
	size_t len = utf8_prefix(word, WORD_MAX_CHARS);

	buf_add_char(line, ' ');
	buf_add(line, word, len);
	if (word[len] != '\0')
		buf_add_text(line, "…");
}

static void
add_command(struct buf *line, const struct call *call)
{
	const struct command *command = call->command;

	if (command->noun != NULL)
		buf_printf(line, "%s ", command->noun);
	buf_add_text(line, command->verb);
	for (size_t i = 0; i < call->given_count; i++) {
		buf_printf(line, " --%s", call->given[i].name);
		if (call->given[i].value[0] != '\0')
			add_word(line, call->given[i].value);
	}
	for (size_t i = 0; i < call->operand_count; i++)
		add_word(line, call->operands[i]);
}

/* The command of this process, for its line if it dies. A process runs one
 * command. */
static const char *running;
static struct call *under_way;

static void
last_words(bool passing, int retry_after_s)
{
	(void)passing;
	(void)retry_after_s;
	if (under_way->ids.len > 0)
		log_line("%s; changed: %s, and it is not known what else; died", running,
		    under_way->ids.data);
	else
		log_line("%s; it is not known what was changed; died", running);
	note_say("galley: %s", log_death());
	if (under_way->on_death != NULL)
		under_way->on_death(under_way);
}

void
journal_begin(struct ctx *c, struct call *call)
{
	struct buf line;

	buf_init(&line, c->arena, LINE_MAX_BYTES);
	add_command(&line, call);
	running = line.data;
	under_way = call;
	log_open("galley", arena_printf(c->arena, "%s/operator.log", c->instance->log));
	log_request(call->user);
	log_on_death(last_words);
	call->journal = true;
}

void
journal_end(const struct call *call, const struct err *err)
{
	if (!call->journal)
		return;
	log_line("%s; changed: %s; %s", running, call->ids.len > 0 ? call->ids.data : "nothing",
	    err != NULL		? err->message
	    : call->status != 0 ? "failed in part"
				: "done");
}
