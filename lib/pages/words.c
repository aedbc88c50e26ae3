#include "pages/words.h"

#include <string.h>
#include <strings.h>

#include "screen/tr.h"

void
words_begin(struct ctx *c, const char *language)
{
	tr_begin(c, tr_accept(language)->tag);
}

/* Returns whether both tags begin with the same language. */
static bool
is_same(const char *a, const char *b)
{
	size_t len = strcspn(a, "-");

	return len == strcspn(b, "-") && strncasecmp(a, b, len) == 0;
}

void
words_text(struct hwrite *w, const char *around, const char *text)
{
	if (is_same(around, tr_tag())) {
		hwrite_text(w, text);
		return;
	}
	hwrite_open(w, H_SPAN);
	hwrite_language(w, tr_tag());
	hwrite_text(w, text);
	hwrite_close(w, H_SPAN);
}

void
words_element(struct hwrite *w, enum hwrite_element e, const char *class,
    const char *around, const char *text)
{
	hwrite_open(w, e);
	hwrite_attr(w, A_CLASS, class);
	if (e == H_SPAN && !is_same(around, tr_tag())) {
		hwrite_language(w, tr_tag());
		around = tr_tag();
	}
	words_text(w, around, text);
	hwrite_close(w, e);
}
