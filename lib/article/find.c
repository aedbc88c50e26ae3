/* Finds the articles that a person may mean with a word. */
#include <string.h>

#include "article/article-row.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "content/lang.h"
#include "store/db.h"

enum { DIGITS_MIN = 6, DIGITS_MAX = 32 };

/* The articles that were found so far, each once. */
struct found {
	struct article *list;
	size_t count, max;
};

static void
take(struct stmt *q, struct found *f)
{
	struct article a;

	while (db_row(q)) {
		size_t i = 0;
		row_whole(q, &a);
		while (i < f->count && f->list[i].id != a.id)
			i++;
		if (i == f->count && f->count < f->max)
			f->list[f->count++] = a;
	}
}

/* Returns `name` as the beginning of an id, in the form in which ids are written.
 * `name` must have 6 to 32 hexadecimal digits, with or without hyphens; else
 * returns NULL. */
static const char *
id_begin(struct ctx *c, const char *name)
{
	char *out = arena_alloc(c->arena, UUID_TEXT + 1);
	size_t digits = 0, len = 0;

	for (; *name != '\0'; name++) {
		char digit = *name >= 'A' && *name <= 'F' ? (char)(*name - 'A' + 'a') : *name;
		if (digit == '-')
			continue;
		if (digits == DIGITS_MAX ||
		    !((digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f')))
			return NULL;
		if (digits == 8 || digits == 12 || digits == 16 || digits == 20)
			out[len++] = '-';
		out[len++] = digit;
		digits++;
	}
	out[len] = '\0';
	return digits >= DIGITS_MIN ? out : NULL;
}

static void
find_by_id(struct ctx *c, int64_t workspace_id, const char *begin, struct found *f)
{
	struct stmt *q = db_prepare(c, "SELECT " ROW_WHOLE " FROM article a"
				       " WHERE a.uuid >= :begin AND a.uuid < :end"
				       " AND (a.workspace_id = :workspace OR :workspace = 0)"
				       " ORDER BY a.uuid LIMIT :max");

	db_bind_text(q, ":begin", begin);
	/* "g" sorts behind every digit and the hyphen. */
	db_bind_text(q, ":end", arena_printf(c->arena, "%sg", begin));
	db_bind_int(q, ":workspace", workspace_id);
	db_bind_int(q, ":max", (int64_t)f->max);
	take(q, f);
}

static void
find_by_slug(struct ctx *c, int64_t workspace_id, const char *slug, struct found *f)
{
	struct stmt *q =
	    db_prepare(c, "SELECT " ROW_WHOLE " FROM workspace w /*scan*/ CROSS JOIN article_name n"
			  " CROSS JOIN article a WHERE n.workspace_id = w.id"
			  " AND n.kind = 'slug' AND n.name = :slug AND a.id = n.article_id"
			  " AND (w.id = :workspace OR :workspace = 0) LIMIT :max");

	db_bind_text(q, ":slug", slug);
	db_bind_int(q, ":workspace", workspace_id);
	db_bind_int(q, ":max", (int64_t)f->max);
	take(q, f);
}

static void
find_by_title(struct ctx *c, int64_t workspace_id, const char *title, struct found *f)
{
	struct stmt *q =
	    db_prepare(c, "SELECT " ROW_WHOLE " FROM article a /*scan*/ WHERE a.title = :title"
			  " AND (a.workspace_id = :workspace OR :workspace = 0) LIMIT :max");

	db_bind_text(q, ":title", title);
	db_bind_int(q, ":workspace", workspace_id);
	db_bind_int(q, ":max", (int64_t)f->max);
	take(q, f);
}

size_t
article_find_named(
    struct ctx *c, int64_t workspace_id, const char *name, struct article *out, size_t max)
{
	struct found f = { .list = out, .max = max };
	const char *begin = id_begin(c, name);

	name = lang_nfc(c->arena, name);
	if (begin != NULL)
		find_by_id(c, workspace_id, begin, &f);
	find_by_slug(c, workspace_id, name, &f);
	find_by_title(c, workspace_id, name, &f);
	return f.count;
}
