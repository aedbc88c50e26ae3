#include "backup/store-copy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/pepper.h"
#include "access/sites.h"
#include "access/workspace.h"
#include "article/article.h"
#include "article/revision.h"
#include "backup/restore.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/uuid.h"
#include "people/secret.h"
#include "start/pending.h"
#include "stats/stats.h"
#include "store/hosts.h"
#include "store/move.h"
#include "store/schemas.h"
#include "system/fault.h"
#include "system/filelock.h"
#include "system/instance.h"
#include "system/work.h"

#define NOTE_MAX ((size_t)8192)
#define MOVING "moving"
#define MOVED "moved"

struct copy {
	const struct work *work;
	const struct instance *from;
	struct instance to;
	struct store_copied *out;
};

static const char *
note_path(struct ctx *c)
{
	return arena_printf(c->arena, "%s/db/moved-to", c->instance->home);
}

/* Reads where the instance moves; *moved: it is done. NULL: nowhere. */
static const char *
read_note(struct ctx *c, bool *moved)
{
	char *text = fileio_read_now(c->arena, note_path(c), NOTE_MAX, NULL);
	char *to = text == NULL ? NULL : strchr(text, ' ');

	*moved = text != NULL && strncmp(text, MOVED " ", strlen(MOVED " ")) == 0;
	if (to == NULL)
		return NULL;
	to++;
	to[strcspn(to, "\n")] = '\0';
	return to;
}

static struct err *
write_note(struct ctx *c, const char *state, const char *to)
{
	const char *text = arena_printf(c->arena, "%s %s\n", state, to);

	if (fileio_replace(c->arena, note_path(c), text, strlen(text), 0600))
		return NULL;
	return refuse(c, ERR_INTERNAL, "%s: %s.", note_path(c), strerror(errno));
}

/* ---- what must be the same on both sides */

static void
look_at_workspace(struct ctx *c, struct digest *into, const struct workspace *w)
{
	struct arena scratch, *kept = c->arena;
	char settings[TOKEN_TEXT], revision[TOKEN_TEXT];
	struct article a;

	token_settings(w, settings);
	digest_text(into, w->uuid);
	digest_text(into, w->epoch);
	digest_text(into, settings);
	arena_init(&scratch, (size_t)4096 * 1024 * 1024);
	c->arena = &scratch;
	for (int status = ARTICLE_DRAFT; status <= ARTICLE_DELETED; status++)
		for (struct stmt *q =
			 article_list(c, w->id, (enum article_status)status, INT64_MAX);
		     article_next(q, &a);) {
			token_export(w, &a, revision);
			digest_text(into, a.uuid);
			digest_text(into, revision);
			digest_int(into, a.changed_at);
		}
	c->arena = kept;
	arena_release(&scratch);
}

/* The revision of each article, as the API would say it. */
static void
look(struct ctx *c, struct digest *into)
{
	const struct workspace *w;

	for (struct stmt *q = workspace_list(c); (w = workspace_next(c, q)) != NULL;)
		look_at_workspace(c, into, w);
}

/* ---- checks */

/* Runs a function as if the other instance were this one. */
static void
enter(struct ctx *c, const struct copy *p)
{
	c->instance = &p->to;
}

static void
leave(struct ctx *c, const struct copy *p)
{
	c->instance = p->from;
}

static struct err *
check_schemas(struct ctx *c, const struct copy *p)
{
	static const enum db_store stores[] = { DB_CONTENT, DB_CONSOLE, DB_STATS };

	for (size_t i = 0; i < sizeof(stores) / sizeof(stores[0]); i++) {
		int64_t here = move_number(c, stores[i]) % DB_MOVED, there;

		enter(c, p);
		there = move_number(c, stores[i]) % DB_MOVED;
		leave(c, p);
		if ((here != 0 && here != schemas_number(stores[i])) ||
		    (there != 0 && there != schemas_number(stores[i])))
			return err_hint(c,
			    refuse(c, ERR_CONFLICT,
				"One of the instances is not of this release. Nothing was changed."),
			    HINT_MIGRATE_NOW, NULL);
	}
	return NULL;
}

static struct err *
check_pepper(struct ctx *c, const struct copy *p)
{
	size_t here_len = 0, there_len = 0;
	const char *here = fileio_read_now(c->arena, p->from->pepper, PEPPER_SIZE, &here_len);
	const char *there = fileio_read_now(c->arena, p->to.pepper, PEPPER_SIZE, &there_len);

	if (here != NULL && there != NULL && here_len == PEPPER_SIZE && there_len == PEPPER_SIZE &&
	    memcmp(here, there, PEPPER_SIZE) == 0)
		return NULL;
	return err_hint(c,
	    refuse(c, ERR_CONFLICT,
		"%s is not the pepper of this instance, and no key would work there: put a copy of %s there before that instance is made. Nothing was changed.",
		p->to.pepper, p->from->pepper),
	    HINT_INIT, NULL);
}

static struct err *
find_target(struct ctx *c, struct copy *p, const char *to)
{
	char *real = realpath(to, NULL);
	const char *folder = real == NULL ? NULL : arena_text(c->arena, real);
	struct stat st;
	bool lite;

	free(real);
	if (folder == NULL)
		return refuse(c, ERR_NOT_FOUND, "%s: %s.", to, strerror(errno));
	TRY(instance_find(c, folder, &p->to));
	if (stat(p->to.db, &st) != 0)
		return err_hint(c,
		    refuse(c, ERR_NOT_FOUND, "%s: %s. Make an instance there first.", p->to.db,
			strerror(errno)),
		    HINT_INIT, NULL);
	p->out->to = p->to.home;
	enter(c, p);
	lite = move_is_lite(c);
	leave(c, p);
	p->out->to_lite = lite;
	if (lite == move_is_lite(c))
		return refuse(c, ERR_INVALID,
		    "Both instances have %s: a backup moves one to another machine.",
		    lite ? "SQLite" : "PostgreSQL");
	return NULL;
}

/* Refuses a target that holds something, unless it is what the source holds. */
static struct err *
check_target(struct ctx *c, const struct copy *p)
{
	bool moved, empty;
	const char *noted = read_note(c, &moved);

	enter(c, p);
	empty = move_is_empty(c);
	leave(c, p);
	if (empty && noted != NULL && moved)
		return err_hint(c, refuse(c, ERR_CONFLICT, "This instance was moved to %s.", noted),
		    HINT_STORE_BACK, NULL);
	if (empty)
		return NULL;
	if (noted != NULL && strcmp(noted, p->to.home) == 0 && move_looks_same(c, &p->to, look)) {
		p->out->before = true;
		return NULL;
	}
	return err_hint(c,
	    refuse(c, ERR_CONFLICT, "%s is not empty: make a new instance. Nothing was changed.",
		p->to.home),
	    HINT_INIT, NULL);
}

/* ---- the copy */

/* People are keyed with the secret: it goes before them, when nobody is there yet. */
static struct err *
give_secret(struct ctx *c, const struct copy *p)
{
	const char *bytes;
	size_t len = 0;
	bool given;

	if (!secret_exists(c))
		return NULL;
	bytes = fileio_read_now(
	    c->arena, arena_printf(c->arena, "%s/secret", secret_folder(c)), SECRET_SIZE, &len);
	if (bytes == NULL || len != SECRET_SIZE)
		return refuse(c, ERR_INTERNAL, "%s/secret: %s.", secret_folder(c), strerror(errno));
	enter(c, p);
	db_open(c, DB_WAIT_TOOL_MS);
	secret_create(c);
	(void)stats_create(c);
	db_people_secret_changes(c);
	db_close(c);
	given = fileio_replace(
	    c->arena, arena_printf(c->arena, "%s/secret", secret_folder(c)), bytes, len, 0600);
	leave(c, p);
	if (given)
		return NULL;
	return refuse(c, ERR_INTERNAL, "%s/people/secret: %s.", p->to.home, strerror(errno));
}

static struct err *
copy_rows(struct ctx *c, const struct copy *p)
{
	char id[UUID_TEXT];
	const char *folder;
	struct err *err;

	uuid_random(id);
	folder = arena_printf(c->arena, "%s/db/" PENDING_PREPARED "%s", p->to.home, id);
	if (mkdir(folder, 0700) != 0)
		return refuse(c, ERR_INTERNAL, "%s: %s.", folder, strerror(errno));
	err = move_rows(c, &p->to, folder, look);
	pending_remove(folder);
	return err;
}

/* Hits are taken again. */
static void
write_sites(struct ctx *c)
{
	db_open(c, DB_WAIT_TOOL_MS);
	sites_write(c);
	db_close(c);
}

/* Closes the source and copies. A refusal opens it again: nothing is in the target then. */
static struct err *
close_and_copy(struct ctx *c, const struct copy *p)
{
	struct err *err;

	TRY(write_note(c, MOVING, p->to.home));
	(void)FAULT("move-noted");
	move_close(c);
	/* That of another host is removed by its task runner. */
	sites_remove(c);
	(void)FAULT("move-closed");
	err = give_secret(c, p);
	if (err == NULL && work_must_stop(p->work))
		err = work_stopped(c, "nothing was moved.");
	if (err == NULL)
		err = copy_rows(c, p);
	if (err == NULL)
		return write_note(c, MOVED, p->to.home);
	move_open(c, NULL);
	(void)unlink(note_path(c));
	write_sites(c);
	return err;
}

/* Takes the lock of an instance's job runner; *lock is for filelock_release(). */
static struct err *
take_lock(struct ctx *c, int *lock)
{
	pid_t holder;

	*lock = filelock_take(pending_lock(c), &holder);
	if (*lock >= 0)
		return NULL;
	if (holder == 0)
		return refuse(c, ERR_INTERNAL, "%s: %s.", pending_lock(c), strerror(errno));
	return refuse(c, ERR_CONFLICT,
	    "The job runner, a restore or a move (process %ld) is at work in %s; nothing was changed. Wait until it is done, and say it again.",
	    (long)holder, c->instance->home);
}

static struct err *
run_locked(struct ctx *c, const struct copy *p)
{
	TRY(check_schemas(c, p));
	TRY(check_target(c, p));
	if (!p->out->before)
		return close_and_copy(c, p);
	return write_note(c, MOVED, p->to.home);
}

static struct err *
refuse_without(struct ctx *c)
{
	if (move_is_built())
		return NULL;
	return err_hint(c,
	    refuse(c, ERR_INVALID,
		"Only the tool of the build for PostgreSQL (make STORE=pg) moves instances: it knows both stores."),
	    HINT_TOOL, c->instance->home);
}

struct err *
store_copy_run(struct ctx *c, const struct work *work, const char *to, struct store_copied *out)
{
	struct copy p = { .work = work, .from = c->instance, .out = out };
	struct err *err = refuse_without(c);
	int here = -1, there = -1;

	*out = (struct store_copied) { .to = to };
	if (err == NULL)
		err = find_target(c, &p, to);
	if (err == NULL)
		err = check_pepper(c, &p);
	if (err == NULL)
		err = take_lock(c, &here);
	if (err == NULL) {
		enter(c, &p);
		err = take_lock(c, &there);
		leave(c, &p);
	}
	if (err == NULL)
		err = run_locked(c, &p);
	if (there >= 0)
		filelock_release(there);
	if (here >= 0)
		filelock_release(here);
	return err;
}

/* ---- back */

/* Looks at the other instance: returns whether it can be asked. *empty: nobody can have used it. */
static bool
look_at_other(struct ctx *c, const char *to, struct instance *other, bool *empty)
{
	const struct instance *from = c->instance;
	struct stat st;
	bool reached;

	*empty = false;
	if (to == NULL || instance_find(c, to, other) != NULL || stat(other->db, &st) != 0)
		return false;
	c->instance = other;
	reached = move_is_reached(c);
	*empty = reached && move_is_empty(c);
	c->instance = from;
	return reached;
}

/* Two live stores would order, mail and publish twice. */
static void
close_other(struct ctx *c, const struct instance *other)
{
	const struct instance *from = c->instance;

	c->instance = other;
	move_close(c);
	sites_remove(c);
	c->instance = from;
}

static void
open_again(struct ctx *c, struct store_opened *out)
{
	struct instance other;
	bool moved, empty;
	const char *to = read_note(c, &moved);
	bool reached = look_at_other(c, to, &other, &empty);

	out->drawn = moved || !empty;
	move_open(c, out->drawn ? workspace_draw_epochs : NULL);
	(void)FAULT("move-opened");
	out->other_closed = reached && !empty;
	if (out->other_closed)
		close_other(c, &other);
	(void)unlink(note_path(c));
	write_sites(c);
}

struct err *
store_copy_back(struct ctx *c, struct store_opened *out)
{
	int lock = -1;
	bool moved;

	TRY(refuse_without(c));
	if (read_note(c, &moved) == NULL && !move_is_closed(c))
		return refuse(c, ERR_CONFLICT, "This instance was not moved: it is open.");
	TRY(take_lock(c, &lock));
	open_again(c, out);
	filelock_release(lock);
	return NULL;
}
