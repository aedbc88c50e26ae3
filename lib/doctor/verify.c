#include "doctor/verify.h"

#include <string.h>

#include "access/workspace.h"
#include "article/article-verify.h"
#include "article/article.h"
#include "article/listed.h"
#include "article/media.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "job/ledger.h"
#include "people/secret.h"
#include "store/db.h"
#include "system/fault.h"
#include "system/instance.h"
#include "system/work.h"

/* Adds a problem to the present check; its text is in the arena. NULL says that one more
 * row was checked. Returns false if the work must stop. */
static bool
verify_tell(void *verify, const char *problem)
{
	struct verify *v = verify;

	if (problem == NULL) {
		work_step(v->work, 1);
		return !work_must_stop(v->work);
	}
	if (v->count < VERIFY_TOLD)
		v->problems[v->count] = problem;
	v->count++;
	return !work_must_stop(v->work);
}

static void
foreign_keys(struct verify *v)
{
	struct stmt *q = db_prepare_dangling(v->c);

	while (db_row(q))
		(void)verify_tell(v,
		    arena_printf(v->c->arena, "row %lld of %s names a row of %s that is not there",
			(long long)db_int(q, 1), db_text(q, 0), db_text(q, 2)));
}

static void
editions(struct verify *v)
{
	article_verify_editions(v->c, verify_tell, v);
}

static void
digests(struct verify *v)
{
	article_verify_digests(v->c, verify_tell, v);
}

static void
names(struct verify *v)
{
	article_verify_names(v->c, verify_tell, v);
}

static void
clocks(struct verify *v)
{
	article_verify_clocks(v->c, verify_tell, v);
}

static void
settings(struct verify *v)
{
	const struct workspace *w;

	for (struct stmt *q = workspace_list(v->c); (w = workspace_next(v->c, q)) != NULL;)
		if (!workspace_is_sound(w))
			(void)verify_tell(
			    v, arena_printf(v->c->arena,
				   "workspace %s: its settings are not what their digest says",
				   w->uuid));
}

static void
broken_invariant(void *arg, const char *sentence, int64_t rows)
{
	struct verify *v = arg;

	(void)verify_tell(
	    v, arena_printf(v->c->arena, "%lld times: %s", (long long)rows, sentence));
}

static void
credits(struct verify *v)
{
	ledger_verify(v->c, broken_invariant, v);
}

static void
exports(struct verify *v)
{
	article_verify_exports(v->c, verify_tell, v);
}

static bool
list_is_wrong(void *arg, const struct article *a)
{
	struct verify *v = arg;

	return verify_tell(v,
	    hint_say(v->c,
		arena_printf(v->c->arena,
		    "%s: pages list it otherwise than it is published; its rows must be written again",
		    a->uuid),
		HINT_REPAIR, NULL));
}

static void
lists(struct verify *v)
{
	listed_wrong(v->c, list_is_wrong, v);
}

static void
media(struct verify *v)
{
	media_verify(v->c, verify_tell, v);
}

static const struct {
	const char *name;
	void (*run)(struct verify *v);
	bool slow; /* reads every file or renders every article */
	bool last; /* relies on what the other parts check */
} checks[] = {
	{ "rows name rows that are there", foreign_keys, false, false },
	{ "published articles have their editions", editions, false, false },
	{ "articles and editions are what their digests say", digests, false, false },
	{ "slugs and sources belong to their articles", names, false, false },
	{ "change clocks are ahead of every change", clocks, false, false },
	{ "settings are what their digests say", settings, false, false },
	{ "accounts, jobs and the ledger agree", credits, false, false },
	{ "pages list what is published", lists, false, true },
	{ "media files are what their names say", media, true, false },
	{ "stored exports are what rendering gives", exports, true, true },
};

#define CHECKS (sizeof(checks) / sizeof(checks[0]))

/* Returns whether the check found something. */
static bool
finish(const struct verify *v, void (*each)(void *arg, const struct verify *), void *arg)
{
	each(arg, v);
	(void)FAULT("verify-checked");
	return v->count > 0;
}

/* Runs the check at checks[i]. If the work must stop before the check has ended,
 * nothing is told of it. */
static struct err *
run_check(struct verify *v, size_t i)
{
	if (!work_must_stop(v->work)) {
		v->name = checks[i].name;
		checks[i].run(v);
	}
	if (!work_must_stop(v->work))
		return NULL;
	return work_stopped(v->c, "%zu of %zu checks were made.", i + 1, CHECKS + 1);
}

static struct err *
run_checks(struct ctx *c, const struct work *work, bool quick,
    void (*each)(void *arg, const struct verify *check), void *arg, size_t *broken)
{
	struct verify v;
	struct err *err = NULL;

	work_begin(work, "Checking", WORK_PIECES, quick ? 0 : article_verify_slow_rows(c));
	for (size_t i = 0; i < CHECKS && err == NULL; i++) {
		if ((quick && checks[i].slow) || (*broken > 0 && checks[i].last))
			continue;
		memset(&v, 0, sizeof(v));
		v.c = c;
		v.work = work;
		err = run_check(&v, i);
		if (err == NULL && finish(&v, each, arg))
			++*broken;
	}
	work_end(work);
	return err;
}

/* Checks people/console.db as well, unless the open database is a copy of a backup: the
 * people beside it are those of the instance. */
static void
verify_people(struct verify *v, bool quick)
{
	struct ctx *c = v->c;
	const char *path = db_console_path(c), *complaint;

	if (!secret_exists(c) || strcmp(c->instance->db, arena_printf(c->arena, "%s/db/galley.db",
							     c->instance->home)) != 0)
		return;
	complaint = db_file_complaint(c, path, quick);
	if (complaint != NULL)
		(void)verify_tell(v, arena_printf(c->arena, "%s: %s", path, complaint));
}

struct err *
verify_run(struct ctx *c, const struct work *work, bool quick,
    void (*each)(void *arg, const struct verify *check), void *arg, size_t *broken)
{
	struct verify v = { .c = c, .work = work, .name = "the database file is whole" };
	const char *complaint = db_complaint(c, quick);
	struct err *err;

	if (complaint != NULL)
		(void)verify_tell(&v, complaint);
	else
		verify_people(&v, quick);
	*broken = finish(&v, each, arg) ? 1 : 0;
	if (complaint != NULL)
		return NULL;
	db_begin_read(c, DB_CONTENT);
	err = run_checks(c, work, quick, each, arg, broken);
	db_commit(c);
	return err;
}

/* ---- repair */

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
verify_repair(struct ctx *c)
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
