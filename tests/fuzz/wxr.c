/* A WordPress export: every item that is read becomes a post, or says why not. */
#include "import/markdown/markdown.h"
#include "import/post.h"
#include "import/wordpress.h"
#include "import/wxr.h"
#include "tests/fuzz/fuzz.h"

struct reader {
	struct ctx *c;
	struct wxr *wxr;
};

static void
each(void *arg, const struct wxr_item *item)
{
	struct reader *r = arg;
	struct notes notes = { .c = r->c };
	struct post post;

	memset(&post, 0, sizeof(post));
	(void)wordpress_post(r->c, r->wxr, item, true, &notes, &post);
}

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	const char *path = fuzz_file(c, text, len);
	struct wxr wxr;
	struct reader r = { c, &wxr };

	memset(&wxr, 0, sizeof(wxr));
	if (wxr_scan(c, path, &wxr) != NULL)
		return;
	wxr_sort(&wxr);
	MUST(wxr_read(c, path, each, &r) == NULL);
}
