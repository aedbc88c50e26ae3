#include "action/article/edit.h"

#include "action/action.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "export/export.h"
#include "import/markdown/markdown.h"

static void
read_text(struct ctx *c, struct edit *e)
{
	struct buf text;

	token_base(e->article, e->base);
	buf_init(&text, c->arena, 4 * EXPORT_BYTES_MAX);
	markdown_write_article(c, e->article, article_working_copy(c, e->article), &text);
	e->text = buf_done(&text);
	e->len = text.len;
}

struct err *
edit_open(struct ctx *c, const struct find_place *place, const char *name, struct edit *e)
{
	struct article *a;
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_article(c, place, name, &a);
	if (err == NULL) {
		e->article = a;
		e->workspace = workspace_of(c, a->workspace_id);
		read_text(c, e);
	}
	return action_end(c, err);
}

struct err *
edit_save(
    struct ctx *c, const struct edit *e, const char *text, size_t len, struct import_result *result)
{
	const struct import_options options = {
		.id = e->article->uuid, .base = e->base, .move = e->move
	};

	return import_text(c, e->workspace, text, len, &options, result);
}

struct err *
edit_end(struct ctx *c, struct edit *e)
{
	struct article *a;
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_article_id(c, e->article->uuid, &a);
	if (err == NULL) {
		e->article = a;
		e->unfinished = article_unfinished(c, a);
	}
	return action_end(c, err);
}
