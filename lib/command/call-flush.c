/* What a call prints, on its way out. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/fileio.h"
#include "command/call.h"
#include "terminal/plain.h"
#include "terminal/progress.h"

/* As people or programs get it. */
static const char *
text_of(struct call *call, size_t *len)
{
	bool terminal = isatty(STDOUT_FILENO) != 0;
	const char *text = call->out.data;

	*len = call->out.len;
	if (terminal && call->as_json) {
		text = plain_json(call->out.arena, text);
		*len = strlen(text);
	} else if (terminal) {
		*len = plain_make(call->out.data);
	}
	return text;
}

void
call_flush(struct call *call, bool last)
{
	void (*pipe)(int);
	const char *text;
	size_t len;

	if (call->out.len == 0 || (call->as_json && !last))
		return;
	if (call->as_json)
		buf_add_char(&call->out, '\n');
	progress_hide();
	text = text_of(call, &len);
	/* A reader that goes away does not end the work. */
	pipe = last ? SIG_ERR : signal(SIGPIPE, SIG_IGN);
	if (call->unwritten == 0 && !fileio_write_all(STDOUT_FILENO, text, len))
		call->unwritten = errno;
	if (pipe != SIG_ERR)
		signal(SIGPIPE, pipe);
	buf_reset(&call->out);
}
