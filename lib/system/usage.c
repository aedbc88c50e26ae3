#include "system/usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
usage_print(const char *text)
{
	fputs(text, stdout);
	exit(0);
}

void
usage_refuse(const char *text)
{
	fputs(text, stderr);
	exit(2);
}

void
usage_no_options(int argc, char **argv, const char *text)
{
	if (argc > 1 && strcmp(argv[1], "--help") == 0)
		usage_print(text);
	if (argc > 1)
		usage_refuse(text);
}
