/* What a run of the runner does besides jobs (docs/design.md §3, §5). */
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "access/generation-repair.h"
#include "access/workspace.h"
#include "article/change.h"
#include "article/stored.h"
#include "system/unsaved.h"
#include "base/arena.h"
#include "base/buf.h"
#include "system/conf.h"
#include "base/ctx.h"
#include "system/fault.h"
#include "base/fileio.h"
#include "system/instance.h"
#include "job/runner/runner.h"
#include "job/scratch.h"
#include "logs/logs.h"
#include "store/db.h"

#define ROOM_MIN ((uint64_t)64 * 1024 * 1024)
#define SLICE 5 /* articles between two checks of the queue */
#define FRESH_MAX ((size_t)8 * 1024 * 1024)

bool
runner_house_has_room(struct ctx *c)
{
	struct statvfs fs;

	if (FAULT("runner-room") != 0)
		return false;
	/* If the file system cannot tell, the work itself will meet a full disk. */
	return statvfs(c->instance->home, &fs) != 0 ||
	       (uint64_t)fs.f_bavail * fs.f_frsize >= ROOM_MIN;
}

static void
take_settings(struct runner *r)
{
	struct ctx *c = r->c;
	int64_t changed = workspace_follow_public_url(c, c->conf->public_url);
	int64_t settled = workspace_settle_origins(c);

	if (settled > 0)
		runner_tell(r, "the origins of %lld workspaces are as browsers write them now",
		    (long long)settled);
	if (changed >= 0)
		runner_tell(r, "public_url is now %s for %lld workspaces", c->conf->public_url,
		    (long long)changed);
}

static void
put_on_shelf(void *arg, const struct workspace *w)
{
	struct runner *r = arg;
	struct runner_shelf *shelf;
	size_t size = sizeof(*shelf);

	r->shelves =
	    arena_grow(r->kept, r->shelves, r->shelf_count * size, (r->shelf_count + 1) * size);
	shelf = &r->shelves[r->shelf_count++];
	memset(shelf, 0, size);
	shelf->id = w->id;
	shelf->uuid = arena_text(r->kept, w->uuid);
	token_settings(w, shelf->settings);
}

/* Returns the path of the file that names the fresh workspaces. A change of a
 * workspace's settings makes its stored exports stale, and the token of the
 * settings tells of it. A workspace is fresh if all its articles were examined
 * under its present token. The file only saves work. */
static const char *
fresh_path(struct ctx *c)
{
	return arena_printf(c->arena, "%s/exports.fresh", c->instance->run);
}

static const char *
fresh_line(struct ctx *c, const struct runner_shelf *shelf)
{
	return arena_printf(c->arena, "%s %s\n", shelf->uuid, shelf->settings);
}

/* Reads which workspaces are fresh. The file has the lines in the order of the shelves,
 * so the next line is tried first. */
static void
read_fresh(struct runner *r)
{
	const char *text = fileio_read_now(r->c->arena, fresh_path(r->c), FRESH_MAX, NULL);
	const char *next = text;

	for (size_t i = 0; i < r->shelf_count && text != NULL; i++) {
		const char *line = fresh_line(r->c, &r->shelves[i]);
		size_t len = strlen(line);
		const char *found = strncmp(next, line, len) == 0 ? next : strstr(text, line);
		r->shelves[i].fresh = found != NULL;
		if (found != NULL)
			next = found + len;
	}
}

static void
write_fresh(struct runner *r)
{
	struct buf out;

	buf_init(&out, r->c->arena, FRESH_MAX);
	for (size_t i = 0; i < r->shelf_count; i++) {
		if (r->shelves[i].fresh)
			buf_add_text(&out, fresh_line(r->c, &r->shelves[i]));
	}
	(void)fileio_replace(r->c->arena, fresh_path(r->c), out.data, out.len, 0600);
}

void
runner_house(struct runner *r)
{
	logs_rotate(r->c);
	scratch_sweep(r->c);
	unsaved_sweep(r->c);
	r->house(r->c);
	generation_repair(r->c);
	change_settle(r->c);
	take_settings(r);
	db_begin_read(r->c, DB_CONTENT);
	workspace_list(r->c, put_on_shelf, r);
	db_commit(r->c);
	read_fresh(r);
	(void)FAULT("runner-house");
}

bool
runner_house_slice(struct runner *r)
{
	struct runner_shelf *shelf = NULL;
	int64_t seen = 0, renewed = 0;

	for (size_t i = 0; i < r->shelf_count && shelf == NULL; i++) {
		if (!r->shelves[i].fresh)
			shelf = &r->shelves[i];
	}
	if (shelf == NULL)
		return false;
	if (stored_refresh(r->c, shelf->id, &shelf->after, INT64_MAX, SLICE, &seen, &renewed))
		return true;
	shelf->fresh = true;
	write_fresh(r);
	return true;
}
