#include "command/plain.h"

#include <stddef.h>
#include <string.h>

#include "base/utf8.h"

void
plain_make(char *text)
{
	char one[5];

	while (*text != '\0') {
		size_t len = utf8_sequence(text);
		if (len == 0) {
			*text++ = '?';
			continue;
		}
		memcpy(one, text, len);
		one[len] = '\0';
		if (utf8_forbidden(one, false) != NULL)
			memset(text, '?', len);
		text += len;
	}
}
