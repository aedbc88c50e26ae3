#include "base/line.h"

bool
line_read(FILE *in, char *line, size_t size, bool *whole)
{
	bool fits = true, any = false;
	size_t len = 0;
	int c;

	while ((c = getc(in)) != EOF && c != '\n') {
		any = true;
		if (c == '\0' || len + 1 >= size)
			fits = false;
		else
			line[len++] = (char)c;
	}
	line[len] = '\0';
	if (whole != NULL)
		*whole = fits;
	return any || c == '\n';
}
