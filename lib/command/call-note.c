/* In a file of its own: the job runner notes too, and knows no commands. */
#include <stdarg.h>
#include <stdio.h>

#include "command/call.h"

void
call_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}
