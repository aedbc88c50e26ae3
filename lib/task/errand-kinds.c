/* What errands do (errand.h). */
#include <inttypes.h>
#include <stddef.h>

#include "backup/archive.h"
#include "backup/dump.h"
#include "backup/restore.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "doctor/doctor.h"
#include "doctor/verify.h"
#include "store/db.h"
#include "system/work.h"
#include "task/asking.h"
#include "task/errand.h"
#include "task/report.h"
#include "task/trying.h"
#include "task/upgrading.h"

/* Makes a backup beside the database. */
static struct err *
backup(struct ctx *c, const struct errand *e, const struct work *work, const char **report)
{
	const char *path = archive_beside(c, "backup", "tar");
	struct archive_facts facts;
	struct err *err;

	(void)e;
	db_open(c, DB_WAIT_TOOL_MS);
	err = archive_write(c, work, path, false, true, false, &facts);
	db_close(c);
	if (err != NULL)
		return err;
	*report =
	    facts.damaged_count == 0
		? fileio_name(path)
		: arena_printf(c->arena, "%s lacks %zu pictures, which are damaged or missing.",
		      fileio_name(path), facts.damaged_count);
	return NULL;
}

/* Writes everything in open formats beside the database. */
static struct err *
dump(struct ctx *c, const struct errand *e, const struct work *work, const char **report)
{
	const char *path = archive_beside(c, "dump", "tar");
	struct dump d;
	struct err *err;

	(void)e;
	db_open(c, DB_WAIT_TOOL_MS);
	err = dump_archive(c, work, path, &d);
	db_close(c);
	if (err != NULL)
		return err;
	*report = d.damaged == 0 ? fileio_name(path)
				 : arena_printf(c->arena,
				       "%s lacks %" PRId64 " pictures, which are damaged or"
				       " missing.",
				       fileio_name(path), d.damaged);
	return NULL;
}

static struct err *
migrate(struct ctx *c, const struct errand *e, const struct work *work, const char **report)
{
	(void)e;
	return upgrading_run(c, work, report);
}

/* Looks at the installation from the outside. */
static struct err *
doctor(struct ctx *c, const struct errand *e, const struct work *work, const char **report)
{
	static const enum report_level levels[] = { [DOCTOR_GOOD] = REPORT_GOOD,
		[DOCTOR_NOTE] = REPORT_NOTE,
		[DOCTOR_WARN] = REPORT_WARN,
		[DOCTOR_BAD] = REPORT_BAD };
	struct report out = { .at = 0 };
	struct doctor_results found;
	struct err *err = doctor_run(c, work, &found);

	if (err != NULL)
		return err;
	/* The worst come first. */
	for (int level = DOCTOR_BAD; level >= DOCTOR_GOOD; level--) {
		for (size_t i = 0; i < found.count; i++) {
			const struct doctor_finding *f = &found.list[i].finding;
			if ((int)f->level == level)
				report_add(c, &out, levels[level], found.list[i].check, f->message,
				    f->fix);
		}
	}
	report_write(c, e->kind, &out);
	*report = arena_printf(c->arena, "%zu checks were made.", found.count);
	return NULL;
}

/* ---- verify */

struct verifying {
	struct ctx *c;
	struct report out;
};

static void
note_check(void *arg, const struct verify *check)
{
	struct verifying *v = arg;
	struct ctx *c = v->c;

	if (check->count == 0)
		report_add(c, &v->out, REPORT_GOOD, arena_text(c->arena, check->name), "", NULL);
	for (size_t i = 0; i < check->count && i < VERIFY_TOLD; i++)
		report_add(c, &v->out, REPORT_BAD, arena_text(c->arena, check->name),
		    arena_text(c->arena, check->problems[i]), NULL);
	if (check->count > VERIFY_TOLD)
		report_add(c, &v->out, REPORT_BAD, arena_text(c->arena, check->name),
		    arena_printf(c->arena, "and %zu more", check->count - VERIFY_TOLD), NULL);
}

/* Verifies the data. */
static struct err *
verify(struct ctx *c, const struct errand *e, const struct work *work, const char **report)
{
	struct verifying v = { .c = c };
	struct err *err;
	size_t broken;

	db_open(c, DB_WAIT_TOOL_MS);
	err = verify_run(c, work, false, note_check, &v, &broken);
	db_close(c);
	if (err != NULL)
		return err;
	report_write(c, e->kind, &v.out);
	*report = broken == 0 ? "The data are sound."
			      : arena_printf(c->arena, "%zu checks found something.", broken);
	return NULL;
}

/* ---- restore */

static void
note_sentence(void *arg, const char *sentence)
{
	struct verifying *v = arg;

	report_add(v->c, &v->out, REPORT_NOTE, "restore", arena_text(v->c->arena, sentence), NULL);
}

static void
note_count(struct verifying *v, size_t count, const char *what)
{
	if (count > 0)
		report_add(v->c, &v->out, REPORT_NOTE, "restore",
		    arena_printf(v->c->arena, "%zu %s", count, what), NULL);
}

/* Returns a value in words. */
static const char *
value_of(struct ctx *c, const char *value)
{
	return value[0] == '\0' ? "empty" : arena_printf(c->arena, "\"%s\"", value);
}

/* Tells what is ended or closed now and stays so. */
static void
note_ended(struct verifying *v, const struct restore *r)
{
	struct ctx *c = v->c;

	for (size_t i = 0; i < r->ended_count; i++)
		report_add(
		    c, &v->out, REPORT_WARN, "key", restore_ended_text(c, &r->ended[i]), NULL);
	for (size_t i = 0; i < r->suspended_again_count; i++)
		report_add(c, &v->out, REPORT_WARN, "account",
		    arena_printf(c->arena, "The account %s stays suspended", r->suspended_again[i]),
		    NULL);
	for (size_t i = 0; i < r->closed_count; i++)
		report_add(c, &v->out, REPORT_WARN, "workspace",
		    restore_closed_text(c, &r->closed[i]), NULL);
}

/* Tells what is not as the backup has it. Articles come last: a report has no room for all of a
 * large workspace. */
static void
note_restored(struct verifying *v, const struct restore *r)
{
	struct ctx *c = v->c;

	note_ended(v, r);
	for (size_t i = 0; i < r->conf_count; i++)
		report_add(c, &v->out, REPORT_NOTE, "galley.conf",
		    arena_printf(c->arena, "%s is %s here, and was %s in the backup",
			r->conf[i].key, value_of(c, r->conf[i].now), value_of(c, r->conf[i].then)),
		    "If the other value is right, set it on the host.");
	note_count(v, r->job_count, "orders were open: they failed, and are refunded");
	note_count(v, r->picture_count, "pictures are missing in the backup");
	note_count(v, r->withdrawn_count, "articles stay withdrawn");
	for (size_t i = 0; i < r->removed_count; i++)
		report_add(c, &v->out, REPORT_WARN, "picture",
		    arena_printf(c->arena, "%s is removed now and stays removed", r->removed[i]),
		    NULL);
	for (size_t i = 0; i < r->withdrawn_count; i++)
		report_add(c, &v->out, REPORT_WARN, "article",
		    arena_printf(c->arena, "%s (%s) is %s now and stays withdrawn",
			r->withdrawn[i].title, r->withdrawn[i].uuid, r->withdrawn[i].how),
		    NULL);
}

/* Makes the instance what a backup holds, but for people and galley.conf. */
static struct err *
restore(struct ctx *c, const struct errand *e, const struct work *work, const char **report)
{
	struct verifying v = { .c = c };
	struct work mine = { .tell = note_sentence, .must_stop = work->must_stop, .arg = &v };
	struct restore r = { .work = &mine, .keep_conf = true, .locked = true };
	struct err *err = asking_path(c, e->file, &r.file);

	if (err == NULL)
		err = restore_run(c, &r);
	if (c->db != NULL)
		db_close(c);
	if (err != NULL)
		return err;
	note_restored(&v, &r);
	report_write(c, e->kind, &v.out);
	*report = arena_printf(c->arena, "What was there before is kept in %s.",
	    r.kept != NULL ? fileio_name(r.kept) : "-");
	return NULL;
}

const struct errand_kind errand_kinds[] = {
	{ ASKING_BACKUP, backup, true, false },
	{ ASKING_DUMP, dump, true, false },
	{ ASKING_DOCTOR, doctor, true, false },
	{ ASKING_VERIFY, verify, true, false },
	{ ASKING_RESTORE, restore, false, false },
	{ ASKING_PROVIDER, trying_run, true, true },
	{ "migrate", migrate, false, false },
	{ NULL, NULL, false, false },
};
