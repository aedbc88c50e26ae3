/* An article that arrives with its edition, a line for each: what is read has its own digest, is at
 * most of now, holds nothing that is left to write in an edition, and can be rendered. */
#include "article/moved-article.h"
#include "article/revision.h"
#include "export/todo.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/render.h"

#define NOW INT64_C(1790000000000000)

static void
look_at(struct ctx *c, const struct snapshot *s, const unsigned char digest[ARTICLE_DIGEST])
{
	struct row_texts texts;

	MUST(row_texts(c, s, &texts) == NULL);
	MUST(memcmp(texts.digest, digest, ARTICLE_DIGEST) == 0);
	MUST(snapshot_check(c, s) == NULL);
	render_all(c, &s->content);
}

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	const char *end = memchr(text, '\n', len);
	struct moved_article m;
	size_t first = end != NULL ? (size_t)(end - text) : len;

	c->now = NOW;
	if (moved_read_article(c, text, first, &m) != NULL)
		return;
	MUST(m.a.created_at <= NOW && m.a.updated_at <= NOW && m.a.modified_at <= NOW);
	MUST(m.a.first_published_at <= m.a.modified_at);
	MUST(strlen(m.a.uuid) == UUID_TEXT - 1 && m.version == 0);
	look_at(c, &m.working, m.a.digest);
	if (end == NULL || moved_read_edition(c, end + 1, len - first - 1, &m) != NULL)
		return;
	MUST(m.edition_at <= NOW && m.version > 0 && m.version <= m.a.version);
	MUST(todo_count(&m.edition.content) == 0);
	look_at(c, &m.edition, m.a.edition_digest);
}
