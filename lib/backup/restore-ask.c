/* What a restore would replace by what, and whether it is meant (restore.h). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "access/account.h"
#include "access/workspace.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "system/instance.h"
#include "command/ask.h"
#include "command/call.h"
#include "backup/restore.h"
#include "doctor/verify.h"
#include "command/when.h"
#include "job/job.h"
#include "schema_version.h"
#include "store/db.h"
#include "terminal/note.h"

#define NAMES_MAX 20 /* that are shown */

/* A workspace or an article. */
struct thing {
	const char *uuid, *kind, *name;
};

/* What one of the two states holds. */
struct side {
	struct ctx *c;
	int64_t changed_at; /* the last change; 0: none */
	int64_t workspaces, articles, published, jobs, credits;
	struct thing *things; /* by uuid, once it is read */
	size_t count, room;
};

static void
add_thing(struct side *s, const char *uuid, const char *kind, const char *name)
{
	if (s->count == s->room) {
		size_t more = s->room == 0 ? 64 : 2 * s->room;
		s->things = arena_grow(s->c->arena, s->things,
		    s->room * sizeof(*s->things), more * sizeof(*s->things));
		s->room = more;
	}
	s->things[s->count++] = (struct thing) { uuid, kind, name };
}

static void
count_article(void *arg, const struct article *a)
{
	struct side *s = arg;

	s->articles++;
	s->published += a->status == ARTICLE_PUBLISHED;
	if (a->updated_at > s->changed_at)
		s->changed_at = a->updated_at;
	add_thing(s, a->uuid, "article", a->title);
}

static void
count_job(void *arg, const struct job *job)
{
	struct side *s = arg;

	s->jobs++;
	if (job->created_at > s->changed_at)
		s->changed_at = job->created_at;
}

static void
count_workspace(void *arg, const struct workspace *w)
{
	struct side *s = arg;

	s->workspaces++;
	if (w->announced_at > s->changed_at)
		s->changed_at = w->announced_at;
	add_thing(s, w->uuid, "workspace", w->settings.name);
	for (int status = ARTICLE_DRAFT; status < ARTICLE_DELETED; status++)
		article_list(s->c, w->id, (enum article_status)status,
		    INT64_MAX, count_article, s);
	job_list(s->c, w, INT64_MAX, count_job, s);
}

static void
count_account(void *arg, const struct account *account)
{
	struct side *s = arg;

	s->credits += account->available;
	if (account->created_at > s->changed_at)
		s->changed_at = account->created_at;
}

static int
by_uuid(const void *a, const void *b)
{
	const struct thing *x = a, *y = b;

	return strcmp(x->uuid, y->uuid);
}

static void
read_side(struct ctx *c, struct side *s)
{
	s->c = c;
	db_begin_read(c);
	workspace_list(c, count_workspace, s);
	account_list(c, count_account, s);
	db_commit(c);
	if (s->count > 0)
		qsort(s->things, s->count, sizeof(*s->things), by_uuid);
}

static struct err *
read_backup(struct ctx *c, struct restore *r)
{
	read_side(c, r->arg);
	return NULL;
}

static void
show_numbers(const char *what, int64_t now, int64_t then)
{
	note_say("  %-14s %-22" PRId64 " %" PRId64, what, now, then);
}

/* Names what only one of the two has. */
static void
show_only(const char *head, const struct side *in, const struct side *other)
{
	size_t shown = 0, left = 0;

	for (size_t i = 0; i < in->count; i++) {
		const struct thing *it = &in->things[i];
		if (other->count > 0 && bsearch(it, other->things, other->count,
					    sizeof(*it), by_uuid) != NULL)
			continue;
		if (shown == 0)
			note_say("%s", head);
		if (shown < NAMES_MAX) {
			note_say("  %s %s", it->kind, it->name);
			shown++;
		} else {
			left++;
		}
	}
	if (left > 0)
		note_say("  … and %zu more", left);
}

static void
show(struct ctx *c, const struct side *now, const struct side *then)
{
	const char *from = when_text(c->arena, now->changed_at);
	const char *to = when_text(c->arena, then->changed_at);

	note_say("  %-14s %-22s %s", "", "now", "in the backup");
	note_say("  %-14s %-22s %s", "last change", from != NULL ? from : "-",
	    to != NULL ? to : "-");
	show_numbers("workspaces", now->workspaces, then->workspaces);
	show_numbers("articles", now->articles, then->articles);
	show_numbers("  published", now->published, then->published);
	show_numbers("jobs", now->jobs, then->jobs);
	show_numbers("credits", now->credits, then->credits);
	show_only("Not in the backup, and gone after this:", now, then);
	show_only("Not there now, and back after this:", then, now);
}

/* Shows the present state beside the other; why it cannot, where it cannot. */
static void
show_both(struct ctx *c, const struct side *then)
{
	const char *damage = db_file_complaint(c, c->instance->db, true);
	struct side now = { .c = c };

	if (damage == NULL)
		db_open(c, DB_WAIT_TOOL_MS);
	if (damage == NULL && db_version(c) == SCHEMA_VERSION) {
		read_side(c, &now);
		show(c, &now, then);
	} else {
		note_say("What it replaces cannot be shown: the present"
			  " database %s.",
		    damage != NULL ? "is damaged" : "is of another release");
	}
	db_close(c);
}

static void
pass_over(void *arg, const struct verify *check)
{
	(void)arg;
	(void)check;
}

struct err *
restore_ask(struct ctx *c, struct call *call, const char *file)
{
	struct side then = { .c = c };
	struct restore r = { .call = call, .file = file, .arg = &then };
	const char *copy;
	struct scratch scratch;
	struct err *err;

	if (call_has(call, "yes") || !ask_can())
		return NULL;
	err = archive_make_room(c, &scratch, &copy);
	if (err != NULL)
		return err;
	r.folder = scratch.path;
	err = restore_unpack(c, &r, false, pass_over);
	if (err == NULL)
		err = restore_with_copy(c, &r, read_backup);
	scratch_remove(&scratch);
	if (err != NULL)
		return err;
	note_say("All of %s is replaced by what %s holds:\n",
	    c->instance->home, file);
	show_both(c, &then);
	note_say("\nWhat there is now is kept as a backup in %s/db.",
	    c->instance->home);
	return ask("Go on?", false)
		   ? NULL
		   : refuse(c, ERR_CONFLICT, "Nothing was changed.");
}
