#include "base/uuid.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "base/log.h"

static bool
is_dash(size_t i)
{
	return i == 8 || i == 13 || i == 18 || i == 23;
}

bool
uuid_parse(const char *text, char out[UUID_TEXT])
{
	char lower[UUID_TEXT];

	for (size_t i = 0; i < UUID_TEXT - 1; i++) {
		char ch = text[i];
		if (ch >= 'A' && ch <= 'F')
			ch = (char)(ch - 'A' + 'a');
		if (is_dash(i) ? ch != '-'
			       : !((ch >= '0' && ch <= '9') || (ch >= 'a' && ch <= 'f')))
			return false;
		lower[i] = ch;
	}
	if (text[UUID_TEXT - 1] != '\0')
		return false;
	lower[UUID_TEXT - 1] = '\0';
	if (out != NULL)
		memcpy(out, lower, UUID_TEXT);
	return true;
}

void
uuid_random_bytes(void *out, size_t len)
{
	unsigned char *p = out;

	while (len > 0) {
		ssize_t got = getrandom(p, len, 0);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			die("getrandom: %s", strerror(errno));
		p += got;
		len -= (size_t)got;
	}
}

void
uuid_random(char out[UUID_TEXT])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char b[16];

	uuid_random_bytes(b, sizeof(b));
	b[6] = (unsigned char)((b[6] & 0x0F) | 0x40);
	b[8] = (unsigned char)((b[8] & 0x3F) | 0x80);
	for (size_t i = 0, place = 0; i < sizeof(b); i++) {
		if (is_dash(place))
			out[place++] = '-';
		out[place++] = digits[b[i] >> 4];
		out[place++] = digits[b[i] & 15];
	}
	out[UUID_TEXT - 1] = '\0';
}
