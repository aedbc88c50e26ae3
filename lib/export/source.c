#include "export/source.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"

#define SLOT "{slug}"

/* Returns whether the byte needs no escape anywhere in an address (RFC 3986
 * §2.3). */
static bool
is_unreserved(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9') || (byte != '\0' && strchr("-._~", byte) != NULL);
}

/* Returns whether a path, a query or an escape may contain the byte as it is (RFC
 * 3986 §2). */
static bool
is_address(char byte)
{
	return is_unreserved(byte) || (byte != '\0' && strchr("!$&()*+,;=:@/?%", byte) != NULL);
}

/* Escapes every byte for which `stays` returns false, with hexadecimal digits in
 * capitals. */
static void
percent_encode(struct buf *out, const char *text, size_t len, bool (*stays)(char))
{
	static const char digits[] = "0123456789ABCDEF";

	for (size_t i = 0; i < len; i++) {
		unsigned char byte = (unsigned char)text[i];

		if (stays(text[i])) {
			buf_add_char(out, text[i]);
			continue;
		}
		buf_add_char(out, '%');
		buf_add_char(out, digits[byte >> 4]);
		buf_add_char(out, digits[byte & 15]);
	}
}

const char *
export_canonical(struct ctx *c, const struct export_source *source)
{
	const struct settings *s = source->settings;
	const char *pattern = s->address_pattern;
	const char *slug = source->snapshot->slug;
	const char *slot;
	struct buf out;

	if (source->published_url != NULL)
		/* A fragment does not belong to a page's address. */
		return arena_text_n(
		    c->arena, source->published_url, strcspn(source->published_url, "#"));
	if (s->website == NULL || pattern == NULL)
		return NULL;
	slot = strstr(pattern, SLOT);
	if (slot == NULL)
		return NULL;
	buf_init(&out, c->arena, strlen(s->website) + 3 * (strlen(pattern) + strlen(slug)));
	buf_add_text(&out, s->website);
	percent_encode(&out, pattern, (size_t)(slot - pattern), is_address);
	percent_encode(&out, slug, strlen(slug), is_unreserved);
	slot += strlen(SLOT);
	percent_encode(&out, slot, strlen(slot), is_address);
	return buf_done(&out);
}

const char *
export_media_address(struct ctx *c, const struct settings *s, const char *url)
{
	static const char media[] = "media:";
	size_t len = strlen(media);

	if (strncmp(url, media, len) != 0)
		return url;
	if (s->public_url[0] == '\0')
		return NULL;
	return arena_printf(c->arena, "%s/media/%s", s->public_url, url + len);
}
