#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/content-read.h"
#include "content/inline.h"
#include "content/lang.h"
#include "content/url.h"

bool
content_text_is_blank(const char *text)
{
	return text == NULL || text[strspn(text, " \t\n")] == '\0';
}

static const char *
stored(struct jread *r, const char *text)
{
	return text == NULL ? "" : lang_nfc(r->c->arena, text);
}

const char *
content_text(struct jread *r, json_t *object, const char *name, enum jread_need need)
{
	return stored(r, jread_text(r, object, name, need, CONTENT_TEXT_MAX));
}

/* Returns `text` with spaces in place of U+2028 and U+2029. */
static const char *
without_separators(struct arena *a, const char *text)
{
	const char *from = text, *p;
	struct buf out;

	if (strstr(text, "\xE2\x80\xA8") == NULL && strstr(text, "\xE2\x80\xA9") == NULL)
		return text;
	buf_init(&out, a, strlen(text));
	while ((p = strstr(from, "\xE2\x80")) != NULL) {
		bool separator = p[2] == '\xA8' || p[2] == '\xA9';
		buf_add(&out, from, (size_t)(p - from));
		buf_add(&out, separator ? " " : p, separator ? 1 : 3);
		from = p + 3;
	}
	buf_add_text(&out, from);
	return buf_done(&out);
}

const char *
content_text_line(
    struct jread *r, json_t *object, const char *name, enum jread_need need, size_t max)
{
	const char *text = jread_line(r, object, name, need, max);

	return without_separators(r->c->arena, stored(r, text));
}

const char *
content_text_or_null(struct jread *r, json_t *object, const char *name)
{
	const char *text = content_text(r, object, name, JREAD_ANY);

	return content_text_is_blank(text) ? NULL : text;
}

const char *
content_text_line_or_null(struct jread *r, json_t *object, const char *name, size_t max)
{
	const char *text = content_text_line(r, object, name, JREAD_ANY, max);

	return content_text_is_blank(text) ? NULL : text;
}

const char *
content_text_heading(struct jread *r, json_t *object, const char *name)
{
	const char *text = content_text_line(r, object, name, JREAD_NEEDED, CONTENT_HEADING_MAX);

	if (content_text_is_blank(inline_plain(r->c->arena, text)))
		jread_refuse(r, name, "must not be empty.");
	return text;
}

const char **
content_text_elements(struct jread *r, json_t *array, size_t *count)
{
	const char **texts;

	*count = json_array_size(array);
	texts = arena_array(r->c->arena, *count, sizeof(*texts));
	for (size_t i = 0; i < *count; i++) {
		jread_enter_element(r, i);
		texts[i] =
		    stored(r, jread_element_text(r, json_array_get(array, i), CONTENT_TEXT_MAX));
		jread_leave(r);
	}
	return texts;
}

const char **
content_text_array(struct jread *r, json_t *object, const char *name, enum jread_need need,
    size_t max, size_t *count)
{
	json_t *array = jread_array(r, object, name, need, max);
	const char **texts;

	jread_enter(r, name);
	texts = content_text_elements(r, array, count);
	jread_leave(r);
	return texts;
}

/* Returns whether the address is "media:", 64 hexadecimal digits, "." and an
 * extension. */
static bool
is_media(const char *url)
{
	static const char *const extensions[] = { ".png", ".jpg", ".webp", ".gif" };

	if (strncmp(url, "media:", 6) != 0 || strspn(url + 6, "0123456789abcdef") != 64)
		return false;
	for (size_t i = 0; i < sizeof(extensions) / sizeof(*extensions); i++) {
		if (strcmp(url + 6 + 64, extensions[i]) == 0)
			return true;
	}
	return false;
}

const char *
content_text_address(
    struct jread *r, json_t *object, const char *name, enum jread_need need, bool media)
{
	const char *text = jread_line(r, object, name, need, CONTENT_URL_MAX);
	const char *url;

	if (text == NULL || (media && is_media(text)))
		return text;
	url = url_clean_web(r->c->arena, text);
	if (url == NULL)
		jread_refuse(r, name, "must be an https or http address%s.",
		    media ? " or the name of a stored picture" : "");
	return url;
}
