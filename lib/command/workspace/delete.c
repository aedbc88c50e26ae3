/* galley workspace delete */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "access/account.h"
#include "access/apikey.h"
#include "access/workspace.h"
#include "article/article.h"
#include "article/purge.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "system/fault.h"
#include "command/ask.h"
#include "command/call.h"
#include "command/command-list.h"
#include "command/pick.h"
#include "terminal/note.h"
#include "terminal/progress.h"
#include "job/job.h"
#include "store/db.h"
#include "web/kept/kept-room.h"

#define SLICE 50 /* articles destroyed in one transaction */
#define SLICE_MEMORY ((size_t)1 << 30)

struct deletion {
	struct ctx *c;
	struct call *call;
	struct workspace *workspace;
	const struct account *account;
	struct progress progress;
	struct purge_media media;
	const char **jobs; /* ids of those that were open */
	size_t job_count;
	int64_t articles, keys, credits;
	size_t pictures;
	struct article *slice[SLICE]; /* what is destroyed next */
	size_t slice_count;
};

static int64_t
count_articles(struct ctx *c, const struct workspace *w)
{
	int64_t count = 0;

	for (int s = ARTICLE_DRAFT; s <= ARTICLE_DELETED; s++)
		count += article_count(c, w->id, s);
	return count;
}

/* The name, typed at the terminal or given as --confirm. */
static struct err *
confirm(struct ctx *c, const struct call *call, const struct workspace *w,
    int64_t articles)
{
	const char *typed = call_option(call, "confirm");
	const char *name = w->settings.name;

	if (typed == NULL && !ask_can())
		return call_usage(c, "What is deleted is gone: say --confirm"
		    " with the workspace's name.");
	if (typed == NULL) {
		note_say("%s (%s) and its %" PRId64 " article%s will be"
			  " destroyed, its keys refused.", name, w->uuid,
		    articles, articles == 1 ? "" : "s");
		typed = ask_line(c, "Type its name to go on:");
	}
	if (strcmp(typed, name) == 0)
		return NULL;
	return refuse(c, ERR_CONFLICT,
	    "That is not the name of the workspace, %s. Nothing was changed.",
	    name);
}

static void
keep_job(void *arg, const struct job *job)
{
	struct deletion *d = arg;

	d->jobs = arena_grow(d->c->arena, d->jobs,
	    d->job_count * sizeof(*d->jobs),
	    (d->job_count + 1) * sizeof(*d->jobs));
	d->jobs[d->job_count++] = job->uuid;
	d->credits += job->reserved_credits;
	call_changed(d->call, job->uuid);
}

static void
close_off(struct deletion *d)
{
	struct ctx *c = d->c;

	d->keys += apikey_revoke_all(c, d->workspace->id);
	job_end_all(c, d->workspace->id, "The workspace was deleted.",
	    keep_job, d);
}

static void
keep_article(void *arg, const struct article *a)
{
	struct deletion *d = arg;
	struct article *kept = arena_alloc(d->c->arena, sizeof(*kept));

	if (d->slice_count == SLICE)
		return;
	*kept = *a;
	d->slice[d->slice_count++] = kept;
}

static struct err *
destroy(struct deletion *d, struct workspace *w, struct article *a)
{
	struct purge_media later; /* all pictures are looked at in the end */
	struct err *err = NULL;

	purge_media_init(&later, d->c);
	if (a->status != ARTICLE_DELETED)
		err = article_delete(d->c, w, a);
	return err != NULL ? err : purge_article(d->c, w, a, &later);
}

/* Destroys some articles, in one transaction; none when there are none left. */
static struct err *
destroy_slice(struct deletion *d)
{
	struct ctx *c = d->c;
	struct workspace *w;
	struct err *err = workspace_begin(c, d->workspace, &w);

	d->slice_count = 0;
	if (err != NULL)
		return err;
	for (int s = ARTICLE_DRAFT; s <= ARTICLE_DELETED; s++)
		article_list(c, w->id, s, SLICE, keep_article, d);
	for (size_t i = 0; i < d->slice_count && err == NULL; i++)
		err = destroy(d, w, d->slice[i]);
	if (err != NULL)
		return err;
	db_commit(c);
	(void)FAULT("workspace-slice");
	d->articles += (int64_t)d->slice_count;
	progress_step(&d->progress, (int64_t)d->slice_count);
	return NULL;
}

/* Memory is given back after each slice. */
static struct err *
destroy_articles(struct deletion *d)
{
	struct arena scratch, *kept = d->c->arena;
	struct err *err;

	arena_init(&scratch, SLICE_MEMORY);
	do {
		d->c->arena = &scratch;
		err = destroy_slice(d);
		d->c->arena = kept;
		if (err != NULL)
			err = refuse(d->c, err->code, "%s", err->message);
		arena_reset(&scratch);
	} while (err == NULL && d->slice_count > 0);
	arena_release(&scratch);
	return err;
}

/* Begins a transaction that changes keys, too; the workspace must be the one
 * that was asked for. */
static struct err *
begin(struct deletion *d)
{
	const struct workspace *w;
	bool many;

	db_begin_write(d->c, DB_CONTENT, DB_CHANGES_ALL, 0, 0);
	w = workspace_find(d->c, d->workspace->uuid, &many);
	if (w != NULL && w->id == d->workspace->id &&
	    strcmp(w->epoch, d->workspace->epoch) == 0)
		return NULL;
	return refuse(d->c, ERR_CONFLICT,
	    "The workspace was deleted by somebody else, or the database"
	    " restored meanwhile.");
}

/* With the last of it its pictures go. */
static void
mark(struct deletion *d)
{
	workspace_delete(d->c, d->workspace);
	purge_media_init(&d->media, d->c);
	purge_media_add_all(&d->media, d->c);
	purge_rows(d->c, &d->media);
}

/* From the first commit on nobody reads it, and no job writes into it: a
 * provider that is at work finds its lease gone. Killed later, it is an empty
 * workspace without keys, and the same command again does the rest. */
static struct err *
delete_all(struct deletion *d)
{
	struct ctx *c = d->c;
	struct err *err = begin(d);
	bool empty = false;

	if (err != NULL)
		return err;
	close_off(d);
	db_commit(c);
	(void)FAULT("workspace-closed");
	while (!empty) {
		err = destroy_articles(d);
		if (err == NULL)
			err = begin(d);
		if (err != NULL)
			return err;
		/* What came in between goes the same way. */
		close_off(d);
		empty = count_articles(c, d->workspace) == 0;
		if (empty)
			mark(d);
		db_commit(c);
	}
	kept_drop_workspace(c, d->workspace->id);
	d->pictures = purge_files(c, &d->media);
	return NULL;
}

static void
to_json(struct jwrite *j, const struct deletion *d)
{
	jwrite_object(j);
	jwrite_member_text(j, "id", d->workspace->uuid);
	jwrite_member_int(j, "articles", d->articles);
	jwrite_member_int(j, "pictures", (int64_t)d->pictures);
	jwrite_member_int(j, "keys", d->keys);
	jwrite_member_array(j, "jobs");
	for (size_t i = 0; i < d->job_count; i++)
		jwrite_text(j, d->jobs[i]);
	jwrite_array_end(j);
	jwrite_member_int(j, "credits", d->credits);
	jwrite_object_end(j);
}

static const char *
many(const struct deletion *d, int64_t count, const char *one)
{
	return arena_printf(d->c->arena, "%" PRId64 " %s%s", count, one,
	    count == 1 ? "" : "s");
}

static void
say(struct call *call, const struct deletion *d)
{
	call_say(call, "Workspace %s is deleted: %s and %s are destroyed, %s"
	    " refused from now on.", d->workspace->settings.name,
	    many(d, d->articles, "article"),
	    many(d, (int64_t)d->pictures, "picture"), many(d, d->keys, "key"));
	if (d->job_count > 0)
		call_say(call, "%s that had not ended %s cancelled; %s are"
		    " available to %s again.",
		    many(d, (int64_t)d->job_count, "job"),
		    d->job_count == 1 ? "was" : "were",
		    many(d, d->credits, "credit"), d->account->name);
	call_say(call, "The account %s stays, with its ledger and the jobs"
	    " that ended. Copies on the customer's site\nstay until they are"
	    " removed there; backups still hold all of it.",
	    d->account->name);
}

static struct err *
delete(struct ctx *c, struct call *call)
{
	struct deletion d = { .c = c, .call = call };
	struct err *err;
	int64_t articles;

	db_begin_read(c, DB_CONTENT);
	err = pick_workspace(c, call, call->operands[0], &d.workspace);
	if (err != NULL)
		return err;
	d.account = account_of(c, d.workspace->account_id);
	articles = count_articles(c, d.workspace);
	db_commit(c);
	err = confirm(c, call, d.workspace, articles);
	if (err != NULL)
		return err;
	call_changed(call, d.workspace->uuid);
	progress_begin(&d.progress, "Destroying", WORK_PIECES, articles);
	err = delete_all(&d);
	progress_end(&d.progress);
	if (err != NULL)
		return err;
	if (call->as_json)
		to_json(&call->json, &d);
	else
		say(call, &d);
	return NULL;
}

static const struct command_option delete_options[] = {
	{ .name = "confirm", .value = "NAME",
	    .help = "the workspace's name, where nobody can be asked for it" },
	{ .name = NULL },
};

const struct command command_workspace_delete[] = {
	{ .noun = "workspace", .verb = "delete", .operands = "ID",
	    .operands_min = 1, .operands_max = 1, .options = delete_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES, .run = delete,
	    .summary = "destroy a workspace, its articles and keys, for good",
	    .text = "Asks for the name of the workspace on a terminal; elsewhere"
		    " --confirm gives it.\n\n"
		    "Its keys are refused at once, jobs that have not ended are"
		    " cancelled and their credits\nreturned. Articles,"
		    " editions, the trash, and pictures that nothing else names"
		    " are destroyed.\nThe account stays, and its ledger, which"
		    " is never changed: so do the jobs that ended, with\nwhat"
		    " was ordered. Copies on the customer's site stay until"
		    " they are removed there. What a\nbackup holds can be"
		    " restored; keys stay refused then, too.\n\n"
		    "Killed, it leaves a workspace without keys that has fewer"
		    " articles; the same command again\ndoes the rest." },
	{ .verb = NULL },
};
