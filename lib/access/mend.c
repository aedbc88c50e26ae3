#include "access/mend.h"

#include "base/ctx.h"
#include "store/db.h"
#include "store/generation.h"

/* Writes a row as it is: a commit that comes after whatever died. */
static void
touch_workspace(struct ctx *c, int64_t id)
{
	struct stmt *q;

	db_begin_write(c, DB_CHANGES_WORKSPACE, id);
	q = db_prepare(c, "UPDATE workspace SET clock = clock WHERE id = :id");
	db_bind_int(q, ":id", id);
	db_run(q);
	db_commit(c);
}

static void
touch_keys(struct ctx *c)
{
	db_begin_write(c, DB_CHANGES_KEYS, 0);
	db_run(db_prepare(c, "UPDATE api_key SET label = label"
	    " WHERE id = (SELECT max(id) FROM api_key)"));
	db_commit(c);
}

static int64_t
next_workspace(struct ctx *c, int64_t after)
{
	struct stmt *q;
	int64_t id;

	db_begin_read(c);
	q = db_prepare(c, "SELECT id FROM workspace WHERE id > :after"
	    " ORDER BY id LIMIT 1");
	db_bind_int(q, ":after", after);
	id = db_row(q) ? db_int(q, 0) : 0;
	db_commit(c);
	return id;
}

int64_t
mend_generation(struct ctx *c)
{
	int64_t id = 0, mended = 0;

	while ((id = next_workspace(c, id)) != 0) {
		if (!generation_is_broken(c, id))
			continue;
		touch_workspace(c, id);
		mended++;
	}
	if (generation_is_broken(c, 0)) {
		touch_keys(c);
		mended++;
	}
	return mended;
}
