#include "task/moving/moving-pictures.h"

#include "access/workspace.h"
#include "article/desk/picture-list.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "import/fetch.h"
#include "net/remote.h"
#include "people/task.h"
#include "picture/picture.h"
#include "store/db.h"
#include "system/conf/console-conf.h"
#include "system/disk.h"
#include "system/instance.h"
#include "task/moving/moving-files.h"
#include "task/moving/moving-unpack.h"

#define MIB ((int64_t)1024 * 1024)

/* The client of this process, which works on one slice. A confined process starts none. */
static struct remote *client;

struct err *
moving_prepare(struct ctx *c, struct task *t, bool *prepared)
{
	const struct remote_how how = { .limit_s = MOVING_FETCH_SECONDS };
	struct err *err = moving_unpack(c, t, prepared);
	const struct moving *m;

	if (err != NULL || !*prepared)
		return err;
	db_begin_read(c, DB_CONSOLE);
	m = moving_find(c, t->id);
	db_rollback(c);
	if (m == NULL || !m->fetch || m->dry)
		return NULL;
	client = remote_open(c, &how);
	remote_start(c, client);
	return NULL;
}

struct fetch *
moving_pictures_open(struct ctx *c, const struct moving *m)
{
	if (client == NULL || !m->fetch || m->dry)
		return NULL;
	return fetch_resume(c, client,
	    arena_printf(c->arena, "%s/console/" MOVING_FETCHED "%s", c->instance->run, m->upload));
}

int64_t
moving_pictures_room(struct ctx *c, const struct workspace *w)
{
	struct console_conf conf;
	int64_t taken;

	if (!disk_has_room(c->instance->media, PICTURE_GIVEN_MAX))
		return 0;
	console_conf_read(c, &conf);
	db_begin_read(c, DB_CONTENT);
	taken = picture_list_bytes(c, w->account_id);
	db_rollback(c);
	return conf.account_mib * MIB - taken;
}
