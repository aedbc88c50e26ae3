#include "doctor/repair.h"

#include "article/article.h"
#include "article/listed.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "store/db.h"

/* So many articles are looked for at once. */
#define PIECE 500

struct wrong {
	struct ctx *c;
	const char *uuids[PIECE];
	size_t count;
};

static bool
keep(void *arg, const struct article *a)
{
	struct wrong *w = arg;

	w->uuids[w->count++] = arena_text(w->c->arena, a->uuid);
	return w->count < PIECE;
}

static void
repair_one(struct ctx *c, const char *uuid)
{
	const struct article *a;

	db_begin_write(c, DB_CONTENT, DB_CHANGES_ALL, 0, 0);
	a = article_find(c, 0, uuid);
	if (a != NULL)
		listed_repair(c, a);
	db_commit(c);
}

size_t
repair_listed(struct ctx *c)
{
	struct wrong w = { .c = c };
	size_t repaired = 0;

	do {
		w.count = 0;
		db_begin_read(c, DB_CONTENT);
		listed_wrong(c, keep, &w);
		db_commit(c);
		for (size_t i = 0; i < w.count; i++)
			repair_one(c, w.uuids[i]);
		repaired += w.count;
	} while (w.count == PIECE);
	return repaired;
}
