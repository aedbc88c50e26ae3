#include "web/cursor.h"

#include <stdlib.h>
#include <string.h>

#include "access/pepper.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/encoding.h"
#include "base/utf8.h"

#define MAC_SIZE 16
#define TEXT_MAX ((size_t)1024)
#define VERSION "1 "

static void
mac_of(struct ctx *c, const char *text, unsigned char mac[MAC_SIZE])
{
	struct pepper pepper;
	struct digest d;

	pepper_read(c, &pepper);
	digest_begin_keyed(&d, MAC_SIZE, "galley cursor 1", pepper.bytes, PEPPER_SIZE);
	digest_text(&d, text);
	digest_end(&d, mac);
	pepper_wipe(&pepper);
}

static const char *
sign(struct ctx *c, const char *text, size_t len)
{
	unsigned char *bytes = arena_alloc(c->arena, MAC_SIZE + len);

	mac_of(c, text, bytes);
	memcpy(bytes + MAC_SIZE, text, len);
	return base64_encode(c->arena, bytes, MAC_SIZE + len);
}

/* Returns the text of a cursor, or NULL if this instance did not sign it. */
static const char *
verified(struct ctx *c, const char *cursor)
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

const char *
cursor_encode(
    struct ctx *c, const char *name, const struct cursor_field *fields, const void *values)
{
	struct buf text;

	buf_init(&text, c->arena, TEXT_MAX);
	buf_lit(&text, VERSION);
	buf_add_text(&text, name);
	for (; fields->kind != CURSOR_END; fields++) {
		const char *member = (const char *)values + fields->offset;
		buf_add_char(&text, ' ');
		if (fields->kind == CURSOR_TEXT)
			buf_add_text(&text, *(const char *const *)(const void *)member);
		else
			buf_add_int(&text, *(const int64_t *)(const void *)member);
	}
	return sign(c, buf_done(&text), text.len);
}

/* Reads a word of `len` bytes into a member. */
static bool
read_field(struct ctx *c, enum cursor_kind kind, const char *word, size_t len, void *member)
{
	char *end;

	if (len == 0)
		return false;
	if (kind == CURSOR_TEXT) {
		*(const char **)member = arena_text_n(c->arena, word, len);
		return true;
	}
	*(int64_t *)member = strtoll(word, &end, 10);
	return end == word + len;
}

bool
cursor_decode(struct ctx *c, const char *cursor, const char *name,
    const struct cursor_field *fields, void *values)
{
	const char *p = verified(c, cursor);
	size_t len = strlen(name);

	if (p == NULL || strncmp(p, VERSION, strlen(VERSION)) != 0)
		return false;
	p += strlen(VERSION);
	if (strncmp(p, name, len) != 0)
		return false;
	p += len;
	for (; fields->kind != CURSOR_END; fields++) {
		if (*p++ != ' ')
			return false;
		len = strcspn(p, " ");
		if (!read_field(c, fields->kind, p, len, (char *)values + fields->offset))
			return false;
		p += len;
	}
	return *p == '\0';
}
