#include "people/moving/moving.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "store/db.h"

void
moving_insert(struct ctx *c, const struct moving *m)
{
	struct stmt *q = db_prepare(c,
	    "INSERT INTO moving (task_id, program, site, upload, dry,"
	    " publish, fetches, with_pages) VALUES (:task, :program, :site, :upload, :dry,"
	    " :publish, :fetches, :with_pages)");

	db_bind_int(q, ":task", m->task_id);
	db_bind_text(q, ":program", m->program);
	db_bind_text(q, ":site", m->site);
	db_bind_text(q, ":upload", m->upload);
	db_bind_int(q, ":dry", m->dry);
	db_bind_int(q, ":publish", m->publish);
	db_bind_int(q, ":fetches", m->fetch);
	db_bind_int(q, ":with_pages", m->with_pages);
	db_run(q);
}

struct moving *
moving_find(struct ctx *c, int64_t task_id)
{
	struct stmt *q =
	    db_prepare(c, "SELECT task_id, program, site, upload, dry, publish,"
			  " entries, bytes, created, updated, unchanged, failed, skipped, pictures,"
			  " fetches, with_pages, pages FROM moving WHERE task_id = :task");
	struct moving *m = NULL;

	db_bind_int(q, ":task", task_id);
	if (db_row(q)) {
		m = arena_alloc(c->arena, sizeof(*m));
		*m = (struct moving) { .task_id = db_int(q, 0),
			.program = db_text(q, 1),
			.site = db_text(q, 2),
			.upload = db_text(q, 3),
			.dry = db_int(q, 4) != 0,
			.publish = db_int(q, 5) != 0,
			.entries = db_int(q, 6),
			.bytes = db_int(q, 7),
			.created = db_int(q, 8),
			.updated = db_int(q, 9),
			.unchanged = db_int(q, 10),
			.failed = db_int(q, 11),
			.skipped = db_int(q, 12),
			.pictures = db_int(q, 13),
			.fetch = db_int(q, 14) != 0,
			.with_pages = db_int(q, 15) != 0,
			.pages = db_int(q, 16) };
	}
	db_reset(q);
	return m;
}

void
moving_update(struct ctx *c, const struct moving *m)
{
	struct stmt *q =
	    db_prepare(c, "UPDATE moving SET entries = :entries, bytes = :bytes,"
			  " created = :created, updated = :updated, unchanged = :unchanged,"
			  " failed = :failed, skipped = :skipped, pictures = :pictures,"
			  " pages = :pages"
			  " WHERE task_id = :task");

	db_bind_int(q, ":entries", m->entries);
	db_bind_int(q, ":bytes", m->bytes);
	db_bind_int(q, ":created", m->created);
	db_bind_int(q, ":updated", m->updated);
	db_bind_int(q, ":unchanged", m->unchanged);
	db_bind_int(q, ":failed", m->failed);
	db_bind_int(q, ":skipped", m->skipped);
	db_bind_int(q, ":pictures", m->pictures);
	db_bind_int(q, ":pages", m->pages);
	db_bind_int(q, ":task", m->task_id);
	db_run(q);
}

void
moving_add_item(struct ctx *c, int64_t task_id, const struct moving_item *item)
{
	struct stmt *q = db_prepare(c,
	    "INSERT INTO moving_item (task_id, number, title, article,"
	    " outcome, notes) VALUES (:task, :number, :title, :article, :outcome, :notes)"
	    " ON CONFLICT (task_id, number) DO UPDATE SET title = excluded.title,"
	    " article = excluded.article, outcome = excluded.outcome, notes = excluded.notes");

	db_bind_int(q, ":task", task_id);
	db_bind_int(q, ":number", item->number);
	db_bind_text(q, ":title", item->title);
	db_bind_text(q, ":article", item->article);
	db_bind_text(q, ":outcome", item->outcome);
	db_bind_text(q, ":notes", item->notes);
	db_run(q);
}

void
moving_add_loss(struct ctx *c, int64_t task_id, const struct moving_loss *loss)
{
	struct stmt *q = db_prepare(c,
	    "INSERT INTO moving_loss (task_id, kind, count, skipped)"
	    " VALUES (:task, :kind, :count, :skipped) ON CONFLICT (task_id, skipped, kind)"
	    " DO UPDATE SET count = moving_loss.count + excluded.count");

	db_bind_int(q, ":task", task_id);
	db_bind_text(q, ":kind", loss->kind);
	db_bind_int(q, ":count", loss->count);
	db_bind_int(q, ":skipped", loss->skipped);
	db_run(q);
}

void
moving_list_items(struct ctx *c, int64_t task_id, bool failed, int64_t after, int64_t limit,
    void (*each)(void *arg, const struct moving_item *item), void *arg)
{
	struct stmt *q =
	    failed
		? db_prepare(c, "SELECT number, title, article, outcome, notes FROM moving_item"
				" WHERE task_id = :task AND outcome = 'failed' AND number > :after"
				" ORDER BY number LIMIT :limit")
		: db_prepare(c,
		      "SELECT number, title, article, outcome, notes FROM moving_item"
		      " WHERE task_id = :task AND number > :after ORDER BY number LIMIT :limit");

	db_bind_int(q, ":task", task_id);
	db_bind_int(q, ":after", after);
	db_bind_int(q, ":limit", limit);
	while (db_row(q))
		each(arg, &(struct moving_item) { .number = db_int(q, 0),
			      .title = db_text(q, 1),
			      .article = db_text(q, 2),
			      .outcome = db_text(q, 3),
			      .notes = db_text(q, 4) });
}

void
moving_list_losses(struct ctx *c, int64_t task_id, bool skipped, int64_t limit,
    void (*each)(void *arg, const struct moving_loss *loss), void *arg)
{
	struct stmt *q = db_prepare(c, "SELECT kind, count, skipped FROM moving_loss"
				       " WHERE task_id = :task AND skipped = :skipped"
				       " ORDER BY count DESC, kind LIMIT :limit /*sort*/");

	db_bind_int(q, ":task", task_id);
	db_bind_int(q, ":skipped", skipped);
	db_bind_int(q, ":limit", limit);
	while (db_row(q))
		each(arg, &(struct moving_loss) { .kind = db_text(q, 0),
			      .count = db_int(q, 1),
			      .skipped = db_int(q, 2) != 0 });
}

/* Returns the id of an import that is old and still has something, or 0. */
static int64_t
old(struct ctx *c)
{
	struct stmt *q = db_prepare(c,
	    "SELECT task_id FROM moving WHERE"
	    " (SELECT created_at FROM task WHERE task.id = moving.task_id) < :since"
	    " AND (EXISTS (SELECT 1 FROM moving_item i WHERE i.task_id = moving.task_id)"
	    " OR EXISTS (SELECT 1 FROM moving_loss l WHERE l.task_id = moving.task_id))"
	    " ORDER BY task_id LIMIT 1 /*scan*/");
	int64_t id = 0;

	db_bind_int(q, ":since", c->now - (int64_t)MOVING_DAYS * 86400 * CLOCK_SECOND);
	if (db_row(q))
		id = db_int(q, 0);
	db_reset(q);
	return id;
}

bool
moving_forget(struct ctx *c, bool only_look)
{
	int64_t id = old(c);
	struct stmt *q;

	if (id == 0 || only_look)
		return id != 0;
	q = db_prepare(c, "DELETE FROM moving_item WHERE task_id = :task");
	db_bind_int(q, ":task", id);
	db_run(q);
	q = db_prepare(c, "DELETE FROM moving_loss WHERE task_id = :task");
	db_bind_int(q, ":task", id);
	db_run(q);
	return true;
}
