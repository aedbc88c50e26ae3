/* In a file of its own: the job runner notes too, and knows no commands. A line
 * of progress gives way. */
#include <stdarg.h>
#include <stdio.h>

#include "base/mask.h"
#include "command/call.h"
#include "terminal/plain.h"
#include "terminal/progress.h"

#define LINE_MAX_BYTES 8192 /* longer ones are cut */

void
call_note(const char *format, ...)
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
