/* In a file of its own: the job runner notes too, and knows no commands. A line
 * of progress gives way. */
#include <stdarg.h>
#include <stdio.h>

#include "command/call.h"
#include "command/progress.h"

void
call_note(const char *format, ...)
{
	va_list args;

	progress_hide();
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}
