#include "command/number.h"

#include <stdlib.h>
#include <string.h>

#include "command/call.h"

#define DIGITS_MAX 10

struct err *
number_read(struct ctx *c, const char *word, const char *what, int64_t *out)
{
	size_t len = strlen(word);

	*out = 0;
	if (len == 0 || len > DIGITS_MAX || strspn(word, "0123456789") != len)
		return call_usage(c, "%s is no %s.", word, what);
	*out = strtoll(word, NULL, 10);
	return NULL;
}
