#include "command/article/article-text.h"

#include <string.h>

#include "article/token.h"
#include "base/ctx.h"
#include "import/markdown/markdown.h"

void
article_text_write(struct ctx *c, const struct article *a,
    const struct snapshot *snapshot, struct buf *out)
{
	struct document d;
	char base[TOKEN_TEXT];

	memset(&d, 0, sizeof(d));
	token_base(a, base);
	d.snapshot = *snapshot;
	d.has_slug = true;
	d.id = a->uuid;
	d.base = base;
	d.date = a->created_at;
	d.published_url = a->published_url;
	markdown_write(c, &d, out);
}
