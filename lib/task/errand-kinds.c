#include "task/errand-kinds.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "access/workspace.h"
#include "action/person/first-operator.h"
#include "action/person/signing.h"
#include "backup/archive.h"
#include "backup/dump.h"
#include "backup/restore.h"
#include "backup/upgrade.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/err.h"
#include "base/fileio.h"
#include "base/log.h"
#include "doctor/doctor.h"
#include "doctor/verify.h"
#include "job/trial.h"
#include "screen/tr.h"
#include "start/release.h"
#include "store/db.h"
#include "store/schemas.h"
#include "system/harden.h"
#include "system/instance.h"
#include "system/work.h"
#include "task/errand.h"

#define REPORT_FINDINGS 500 /* the last one tells of further ones */

/* ---- reports */

#define FILE_MAX ((size_t)4 * 1024 * 1024) /* all findings, with the longest texts */
#define TEXT_MAX 1500 /* bytes of one text */
#define PARTS 4 /* of a line */

static const char *const level_names[] = {
	[REPORT_GOOD] = "good", [REPORT_NOTE] = "note", [REPORT_WARN] = "warn", [REPORT_BAD] = "bad"
};
#define LEVELS (sizeof(level_names) / sizeof(level_names[0]))

static const char *
path_of(struct ctx *c, const char *kind)
{
	return arena_printf(c->arena, "%s/console/report-%s", c->instance->run, kind);
}

/* Adds a finding; `fix` may be NULL. Texts live as long as the report. */
static void
report_add(struct ctx *c, struct report *r, enum report_level level, const char *name,
    const char *message, const char *fix)
{
	size_t size = sizeof(*r->list);

	if (r->count == REPORT_FINDINGS) {
		r->list[REPORT_FINDINGS - 1] = (struct report_finding) { REPORT_NOTE, "report",
			"Further findings are left out", "" };
		return;
	}
	r->list = arena_grow(c->arena, r->list, r->count * size, (r->count + 1) * size);
	r->list[r->count++] =
	    (struct report_finding) { level, name, message, fix != NULL ? fix : "" };
}

/* Adds a text in which no character ends a part or a line. */
static void
add_text(struct buf *out, const char *text)
{
	for (size_t i = 0; i < TEXT_MAX && text[i] != '\0'; i++)
		buf_add_char(out, (unsigned char)text[i] < ' ' ? ' ' : text[i]);
}

/* Writes the report, as of now, whole or not at all: else the process ends. */
static void
report_write(struct ctx *c, const char *kind, const struct report *r)
{
	const char *path = path_of(c, kind);
	struct buf out;

	buf_init(&out, c->arena, FILE_MAX);
	buf_printf(&out, "%" PRId64 "\n", clock_now());
	for (size_t i = 0; i < r->count; i++) {
		const struct report_finding *f = &r->list[i];
		buf_add_text(&out, level_names[f->level]);
		buf_add_char(&out, '\t');
		add_text(&out, f->name);
		buf_add_char(&out, '\t');
		add_text(&out, f->message);
		buf_add_char(&out, '\t');
		add_text(&out, f->fix);
		buf_add_char(&out, '\n');
	}
	if (!fileio_replace(c->arena, path, out.data, out.len, 0600))
		die("%s: %s", path, strerror(errno));
}

/* Reads a line, which is written over. */
static void
read_line(struct ctx *c, char *line, struct report *out)
{
	char *part[PARTS] = { NULL };
	size_t count = 0;

	while (line != NULL && count < PARTS)
		part[count++] = strsep(&line, "\t");
	for (size_t i = 0; i < LEVELS && count == PARTS; i++) {
		if (strcmp(part[0], level_names[i]) == 0)
			report_add(c, out, (enum report_level)i, part[1], part[2], part[3]);
	}
}

/* Reads the text of a report. Any text is one: a line that is no finding is passed over. */
static void
report_parse(struct ctx *c, const char *text, struct report *out)
{
	char *rest = arena_text(c->arena, text), *line = strsep(&rest, "\n");
	size_t digits = strspn(line, "0123456789");

	*out = (struct report) { .at = 0 };
	if (digits > 0 && digits < 18)
		out->at = strtoll(line, NULL, 10);
	while (rest != NULL)
		read_line(c, strsep(&rest, "\n"), out);
}

bool
report_read(struct ctx *c, const char *kind, struct report *out)
{
	const char *text = fileio_read_own(c->arena, path_of(c, kind), FILE_MAX, NULL);

	*out = (struct report) { .at = 0 };
	if (text != NULL)
		report_parse(c, text, out);
	return text != NULL;
}

/* ---- the upgrade */

#define KIND "migrate"
#define UPLOAD (180 * CLOCK_SECOND) /* so long the end of an upload is waited for */
#define SETUP (2 * 3600 * CLOCK_SECOND) /* so long its last run counts */
#define HOUR (3600 * CLOCK_SECOND)

static bool
setup_does_it(struct ctx *c)
{
	const char *path = fileio_path(c->arena, c->instance->run, "setup.seen");
	struct stat st;

	return lstat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       clock_now() - (int64_t)st.st_mtim.tv_sec * CLOCK_SECOND < SETUP;
}

void
upgrading_look(struct ctx *c, struct upgrading *out)
{
	struct errand e;

	*out = (struct upgrading) { .by_setup = setup_does_it(c) };
	cron_look(c, &out->cron);
	if (!errand_find(c, &e) || strcmp(e.kind, KIND) != 0)
		return;
	out->open = errand_is_open(&e);
	out->failed = strcmp(e.state, "failed") == 0 ? e.report : NULL;
}

bool
upgrading_is_done(struct ctx *c)
{
	struct errand e;

	return errand_find(c, &e) && strcmp(e.kind, KIND) == 0 && strcmp(e.state, "done") == 0 &&
	       clock_now() - e.changed_at < HOUR;
}

struct err *
upgrading_ask(struct ctx *c, const char *code, const char *address)
{
	const char *id;

	TRY(start_check(c, code, address));
	if (setup_does_it(c))
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("The line of cron of this instance runs setup, which does this by itself."));
	TRY(errand_ask(c, &(struct errand) { .kind = KIND }, &id));
	sign_log(c, "upgrade-asked", NULL, address);
	return NULL;
}

/* Waits until no program is young. */
static struct err *
wait_for_upload(struct ctx *c, const struct work *work)
{
	const struct timespec pause = { 0, 500 * 1000 * 1000 };
	int64_t deadline = clock_boot() + UPLOAD;
	struct err *err = release_check(c);

	while (err != NULL && err->code == ERR_UNAVAILABLE && clock_boot() < deadline) {
		if (work_must_stop(work))
			return work_stopped(c, "nothing was changed.");
		nanosleep(&pause, NULL);
		err = release_check(c);
	}
	return err;
}

/* Does it, as an errand (errand.h): waits until the upload is over, makes a backup, and
 * migrates. Refuses programs of several releases, and as upgrade_run() does. */
static struct err *
upgrading_run(struct ctx *c, const struct work *work, const char **report)
{
	struct upgrade done;
	struct err *err = NULL;

	TRY(wait_for_upload(c, work));
	if (setup_does_it(c))
		return refuse(
		    c, ERR_CONFLICT, "The line of cron runs setup, which migrates by itself.");
	memset(&done, 0, sizeof(done));
	done.from = schemas_number(DB_CONTENT);
	db_open(c, DB_WAIT_TOOL_MS);
	/* An empty file is no older release. */
	if (db_release(c) == DB_RELEASE_OLDER)
		err = upgrade_run(c, work, &done);
	db_close(c);
	if (err != NULL)
		return err;
	*report = upgrade_said(c, &done);
	if (done.kept != NULL)
		*report = arena_printf(c->arena, "%s Its backup is %s.", *report, done.kept);
	return NULL;
}

/* ---- the test of the provider */

struct trying {
	struct ctx *c;
	const struct work *work;
	struct report out;
};

static void
told(void *arg, const char *what, const char *name, int64_t ms)
{
	struct trying *t = arg;
	struct ctx *c = t->c;

	report_add(c, &t->out, REPORT_GOOD, arena_printf(c->arena, "%s %s", what, name),
	    arena_printf(c->arena, "after %" PRId64 " ms", ms), NULL);
}

static bool
go_on(void *arg)
{
	const struct trying *t = arg;

	return !work_must_stop(t->work);
}

static const char *
price_of(struct ctx *c, const struct trial *t)
{
	const struct price_usage *usage = &t->try.usage;

	return arena_printf(c->arena,
	    "It used %" PRId64 " input tokens, %" PRId64 " output tokens and %" PRId64
	    " images: a job would cost %" PRId64 " of %" PRId64 " credits. Nothing was charged.",
	    usage->input_tokens, usage->output_tokens, usage->images, t->result.charge,
	    t->job.reserved_credits);
}

/* Tells how it ended. Returns that as a sentence. */
static const char *
tell_end(struct trying *t, const struct trial *trial)
{
	const char *lacks = harden_stranger_lacks(harden_stranger_possible());
	struct ctx *c = t->c;

	if (lacks != NULL)
		report_add(c, &t->out, REPORT_WARN, "confinement", lacks, NULL);
	if (trial->error != NULL) {
		report_add(c, &t->out, REPORT_BAD, trial->code, arena_text(c->arena, trial->error),
		    "docs/provider.md says what a provider must answer.");
		return arena_printf(
		    c->arena, "The provider failed after %" PRId64 " ms.", trial->ms);
	}
	if (trial->image && !trial->result.has_image)
		report_add(c, &t->out, REPORT_WARN, "image",
		    "The image failed; the article would be delivered without it.", NULL);
	if (trial->kind == JOB_ARTICLE)
		report_add(c, &t->out, REPORT_GOOD, "title", trial->result.snapshot.title, NULL);
	report_add(c, &t->out, REPORT_NOTE, "price", price_of(c, trial), NULL);
	return arena_printf(c->arena, "The provider works; it took %" PRId64 " ms.", trial->ms);
}

/* Runs it. The content is open. */
static struct err *
run(struct trying *t, const char *what, const char **report)
{
	struct ctx *c = t->c;
	struct trial trial = { .told = told,
		.alive = go_on,
		.arg = t,
		.kind = strcmp(what, PROVIDER_RESEARCH) == 0 ? JOB_RESEARCH : JOB_ARTICLE,
		.image = strcmp(what, PROVIDER_PICTURE) == 0 };
	struct err *err = NULL;
	struct workspace *w;

	TRY(trial_program(c, &trial.program));
	db_begin_read(c, DB_CONTENT);
	for (struct stmt *q = workspace_list(c); (w = workspace_next(c, q)) != NULL;)
		trial.workspace = w; /* the newest one is the last */
	db_rollback(c);
	if (trial.workspace == NULL)
		return refuse(c, ERR_CONFLICT, "There is no workspace to write for yet.");
	report_add(c, &t->out, REPORT_NOTE, "program", arena_text(c->arena, trial.program), NULL);
	trial_run(c, &trial);
	if (trial.stopped)
		err = work_stopped(c, "the provider was not tested to its end.");
	else
		*report = tell_end(t, &trial);
	trial_close(&trial);
	return err;
}

/* What `galley provider test` tells (job/trial.h), as a report. It writes for the newest workspace.
 * Nothing is stored or charged. e->file says what is asked for. */
static struct err *
trying_run(struct ctx *c, const struct errand *e, const struct work *work, const char **report)
{
	struct trying t = { .c = c, .work = work };
	struct err *err;

	db_open(c, DB_WAIT_TOOL_MS);
	err = run(&t, e->file, report);
	db_close(c);
	if (err == NULL)
		report_write(c, e->kind, &t.out);
	return err;
}

/* ---- the kinds */

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

	TRY(doctor_run(c, work, &found));
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
