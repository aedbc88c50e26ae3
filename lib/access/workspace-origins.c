/* Brings the origins that an earlier release stored into the form of browsers. */
#include <string.h>

#include "access/workspace.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "content/origin.h"
#include "store/db.h"

/* A workspace whose origins change. */
struct settled {
	int64_t id;
	const char *analytics, *embed;
};

/* Returns whether a list may hold what no browser writes: bytes that are percent-encoded, the port
 * 443, a dot at the end, an IPv6 address. */
static bool
is_doubtful(const char *list)
{
	size_t len = strlen(list);

	return strpbrk(list, "%[") != NULL || strstr(list, ":443") != NULL ||
	       strstr(list, ". ") != NULL || strstr(list, ".:") != NULL ||
	       (len > 0 && list[len - 1] == '.');
}

/* Finds the first one behind `id`. */
static bool
find_next(struct ctx *c, int64_t id, struct settled *out)
{
	struct stmt *q = db_prepare(c, "SELECT id, analytics_origins, embed_origins"
				       " FROM workspace WHERE id > :id AND (analytics_origins <> ''"
				       " OR embed_origins <> '') ORDER BY id /*scan*/");
	bool found = false;

	db_bind_int(q, ":id", id);
	while (!found && db_row(q)) {
		const char *analytics = db_text(q, 1), *embed = db_text(q, 2);
		if (!is_doubtful(analytics) && !is_doubtful(embed))
			continue;
		out->id = db_int(q, 0);
		out->analytics = origin_clean_list(c->arena, analytics, false);
		out->embed = origin_clean_list(c->arena, embed, true);
		found = strcmp(analytics, out->analytics) != 0 || strcmp(embed, out->embed) != 0;
	}
	db_reset(q);
	return found;
}

static void
update(struct ctx *c, const struct settled *s)
{
	struct stmt *q = db_prepare(c, "UPDATE workspace SET analytics_origins = :analytics,"
				       " embed_origins = :embed WHERE id = :id");

	db_bind_text(q, ":analytics", s->analytics);
	db_bind_text(q, ":embed", s->embed);
	db_bind_int(q, ":id", s->id);
	db_run(q);
}

int64_t
workspace_settle_origins(struct ctx *c)
{
	struct settled s = { .id = 0 };
	int64_t settled = 0;
	bool found;

	db_begin_read(c, DB_CONTENT);
	found = find_next(c, 0, &s);
	db_commit(c);
	if (!found)
		return 0;
	db_begin_write(c, DB_CONTENT, DB_CHANGES_ALL, 0, 0);
	for (s.id = 0; find_next(c, s.id, &s); settled++)
		update(c, &s);
	db_commit(c);
	return settled;
}
