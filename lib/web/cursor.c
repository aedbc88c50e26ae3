#include "web/cursor.h"

#include <string.h>

#include "access/pepper.h"
#include "base/arena.h"
#include "base/base64.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/utf8.h"

#define MAC_SIZE 16

static void
mac_of(struct ctx *c, const char *text, unsigned char mac[MAC_SIZE])
{
	struct pepper pepper;
	struct digest d;

	pepper_read(c, &pepper);
	digest_begin_keyed(&d, MAC_SIZE, "galley cursor 1", pepper.bytes,
	    PEPPER_SIZE);
	digest_text(&d, text);
	digest_end(&d, mac);
	pepper_wipe(&pepper);
}

const char *
cursor_encode(struct ctx *c, const char *text)
{
	size_t len = strlen(text);
	unsigned char *bytes = arena_alloc(c->arena, MAC_SIZE + len);

	mac_of(c, text, bytes);
	memcpy(bytes + MAC_SIZE, text, len);
	return base64_encode(c->arena, bytes, MAC_SIZE + len);
}

const char *
cursor_decode(struct ctx *c, const char *cursor)
{
	unsigned char mac[MAC_SIZE];
	unsigned char *bytes;
	const char *text;
	size_t len;

	bytes = base64_decode(c->arena, cursor, &len);
	if (bytes == NULL || len < MAC_SIZE ||
	    !utf8_valid((char *)bytes + MAC_SIZE, len - MAC_SIZE))
		return NULL;
	text = arena_text_n(c->arena, (char *)bytes + MAC_SIZE, len - MAC_SIZE);
	mac_of(c, text, mac);
	return digest_compare(mac, bytes, MAC_SIZE) == 0 ? text : NULL;
}
