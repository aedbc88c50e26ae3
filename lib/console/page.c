#include "console/page.h"

#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/log.h"

/* ---- addresses */

#define PATH_MAX_BYTES ((size_t)16 * 1024)
#define UNRESERVED "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"

/* Adds a text to an address as a part of one segment. "." and ".." would be other segments,
 * escaped as well: nothing is added. */
static void
add_escaped(struct buf *out, const char *text)
{
	if (strcmp(text, ".") == 0 || strcmp(text, "..") == 0)
		return;
	for (; *text != '\0'; text++) {
		if (strchr(UNRESERVED, *text) != NULL)
			buf_add_char(out, *text);
		else
			buf_printf(out, "%%%02X", (unsigned)(unsigned char)*text);
	}
}

/* Returns what a segment of a pattern names on this visit; NULL: it is no word. */
static const char *
word_of(const struct visit *v, const char *segment, size_t len)
{
	const char *workspace = v->workspace != NULL ? v->workspace->uuid : NULL;
	const char *account = v->account != NULL ? v->account->uuid : NULL;
	const struct {
		const char *word, *is;
	} words[] = { { "W", workspace }, { "A", account },
		{ "P", workspace != NULL ? workspace : account }, { "ID", v->id },
		{ "NAME", v->name } };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i].word) != len || memcmp(words[i].word, segment, len) != 0)
			continue;
		if (words[i].is == NULL)
			BUG("%s has no %s", v->path, words[i].word);
		return words[i].is;
	}
	return NULL;
}

const char *
page_path(const struct page *p, const char *pattern, ...)
{
	bool query = false;
	struct buf out;
	va_list args;

	va_start(args, pattern);
	buf_init(&out, p->c->arena, PATH_MAX_BYTES);
	buf_add_text(&out, p->v->place.root);
	while (*pattern != '\0') {
		size_t len = *pattern == '/' ? strcspn(pattern + 1, "/?#%") : 0;
		const char *is = query ? NULL : word_of(p->v, pattern + 1, len);
		if (pattern[0] == '%' && pattern[1] == 's') {
			add_escaped(&out, va_arg(args, const char *));
			pattern += 2;
			continue;
		}
		if (*pattern == '%')
			BUG("an address has no %s", pattern);
		query = query || *pattern == '?';
		buf_add_char(&out, *pattern++);
		if (is != NULL) {
			add_escaped(&out, is);
			pattern += len;
		}
	}
	va_end(args);
	return buf_done(&out);
}
