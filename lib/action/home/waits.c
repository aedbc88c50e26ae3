#include "action/home/waits.h"

#include <string.h>

#include "access/apikey.h"
#include "access/live.h"
#include "access/workspace.h"
#include "action/sites/sites.h"
#include "article/article.h"
#include "article/desk/handed.h"
#include "article/desk/schedule.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "job/job.h"
#include "people/membership.h"
#include "people/person.h"
#include "store/db.h"

#define DAY (86400 * CLOCK_SECOND)
#define KEY_ENDS (14 * DAY)
#define JOB_SINCE (7 * DAY)
#define TODO_ARTICLES 20 /* of a workspace: the newest published ones */
#define TODO_WORKSPACES 20
#define JOBS 20 /* of a workspace: the newest */
#define ARTICLES_WORTH 5
#define TOPIC_CHARS 80

struct reading {
	struct ctx *c;
	void (*each)(void *arg, const struct waits_line *line);
	void *arg;
	int64_t limit; /* of what was handed in in a workspace */
	const struct places *p;
	const struct places_row *row; /* the workspace that is looked at */
	const struct places_row **watched; /* those whose sites are looked at */
};

static void
keep(void *arg, const struct waits_line *line)
{
	struct waits *w = arg;
	size_t n = w->count[line->kind]++;

	if (n < WAITS_EACH)
		w->lines[line->kind][n] = *line;
}

static void
add_here(const struct reading *r, struct waits_line line)
{
	line.workspace = r->row->uuid;
	line.place = r->row->name;
	line.account = r->row->account->uuid;
	r->each(r->arg, &line);
}

static bool
may(const struct places_row *row, unsigned rights)
{
	return (row->rights & rights) == rights;
}

/* ---- articles and jobs of one workspace */

static void
add_handed(void *arg, const struct article *a, const struct handed *h)
{
	add_here(arg, (struct waits_line) { .kind = WAITS_HANDED_IN,
			  .id = a->uuid,
			  .text = a->title,
			  .at = h->at,
			  .mark = h->at,
			  .by = h->by });
}

static void
add_suspended(void *arg, const char *uuid, const char *title, const struct schedule *s)
{
	add_here(arg, (struct waits_line) { .kind = WAITS_SUSPENDED,
			  .id = uuid,
			  .text = title,
			  .more = s->suspended,
			  .at = s->at });
}

static void
add_unfinished(void *arg, const struct article *a)
{
	/* The edition lacks the to-dos of the working copy that it was made of. */
	if (memcmp(a->edition_of, a->edition_digest, ARTICLE_DIGEST) != 0)
		add_here(arg, (struct waits_line) { .kind = WAITS_TODO,
				  .id = a->uuid,
				  .text = a->title,
				  .at = a->modified_at });
}

static void
add_failed(void *arg, const struct job *j)
{
	const struct reading *r = arg;

	if (j->status == JOB_FAILED && j->settled_at > r->c->now - JOB_SINCE)
		add_here(r, (struct waits_line) { .kind = WAITS_JOB,
				.id = j->uuid,
				.text = job_topic_line(r->c, j, TOPIC_CHARS),
				.more = j->error,
				.at = j->settled_at });
}

static void
look_at(struct reading *r, bool todos)
{
	const struct places_row *row = r->row;

	if (may(row, RIGHT_PUBLISH)) {
		handed_list(r->c, row->id, r->limit, add_handed, r);
		schedule_list_suspended(r->c, row->id, add_suspended, r);
	}
	if (may(row, RIGHT_WRITE) && todos)
		article_list(r->c, row->id, ARTICLE_PUBLISHED, TODO_ARTICLES, add_unfinished, r);
	if (may(row, RIGHT_WRITE | RIGHT_PUBLISH))
		job_list(r->c, workspace_of(r->c, row->id), JOBS, add_failed, r);
}

/* ---- keys and credits */

/* The rows are ordered by id, the newest first. */
static const struct places_row *
row_of(const struct places *p, int64_t id)
{
	size_t low = 0, high = p->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (p->rows[middle].id == id)
			return &p->rows[middle];
		if (p->rows[middle].id > id)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static void
add_key(void *arg, const struct apikey *k)
{
	struct reading *r = arg;

	r->row = row_of(r->p, k->workspace_id);
	if (r->row != NULL && may(r->row, RIGHT_MANAGE) && !apikey_is_replaced(k))
		add_here(r, (struct waits_line) { .kind = WAITS_KEY,
				.id = k->uuid,
				.text = k->label[0] != '\0' ? k->label : k->display,
				.at = k->expires_at,
				.mark = k->expires_at });
}

/* An account that never had credits orders nothing. */
static void
look_at_credits(struct reading *r)
{
	int64_t low = ARTICLES_WORTH * price_reservation(r->c->conf, JOB_ARTICLE, false);

	for (size_t i = 0; i < r->p->account_count; i++) {
		const struct account *a = r->p->accounts[i].account;
		if ((r->p->accounts[i].rights & RIGHT_MANAGE) != 0 && a->granted > 0 &&
		    a->available < low)
			r->each(r->arg, &(struct waits_line) { .kind = WAITS_CREDITS,
					    .workspace = a->uuid,
					    .place = a->name,
					    .id = a->uuid,
					    .text = a->name,
					    .account = a->uuid,
					    .credits = a->available,
					    .mark = a->granted });
	}
}

static void
add_asking(void *arg, const struct account *a)
{
	struct reading *r = arg;

	r->each(r->arg, &(struct waits_line) { .kind = WAITS_ASKING,
			    .workspace = a->uuid,
			    .place = a->name,
			    .id = a->uuid,
			    .text = a->name,
			    .account = a->uuid,
			    .at = a->asked_at,
			    .mark = a->asked_at });
}

/* ---- sites */

static void
add_stale(void *arg, const struct sites_stale *s)
{
	struct reading *r = arg;

	r->row = r->watched[s->place];
	add_here(r, (struct waits_line) { .kind = WAITS_SITE,
			.id = r->row->uuid,
			.text = s->label,
			.at = s->requested_at,
			.mark = s->requested_at });
}

static void
look_at_sites(struct reading *r)
{
	const char **workspaces = arena_array(r->c->arena, r->p->count + 1, sizeof(const char *));
	size_t count = 0;

	for (size_t i = 0; i < r->p->count; i++) {
		const struct places_row *row = &r->p->rows[i];
		if ((row->rights & (RIGHT_PUBLISH | RIGHT_MANAGE)) == 0)
			continue;
		r->watched[count] = row;
		workspaces[count++] = row->uuid;
	}
	sites_list_stale(r->c, workspaces, count, add_stale, r);
}

/* ---- people */

static void
add_ended(void *arg, const struct membership *m)
{
	struct reading *r = arg;
	struct waits_line line = { .kind = WAITS_INVITATION,
		.id = m->uuid,
		.workspace = m->place,
		.text = m->invited_name,
		.account = m->account,
		.at = m->ended_at };

	for (size_t i = 0; i < r->p->count && line.place == NULL; i++) {
		const struct places_row *row = &r->p->rows[i];
		if (strcmp(row->uuid, m->place) == 0 && may(row, RIGHT_MANAGE))
			line.place = row->name;
	}
	for (size_t i = 0; i < r->p->account_count && line.place == NULL; i++) {
		const struct places_account *a = &r->p->accounts[i];
		if (strcmp(a->account->uuid, m->place) == 0 && (a->rights & RIGHT_MANAGE) != 0)
			line.place = a->account->name;
	}
	if (line.place != NULL)
		r->each(r->arg, &line);
}

static void
note_locked_out(
    void *arg, const struct person *p, int64_t at, const char *account, const char *membership)
{
	struct waits *out = arg;

	(void)p, (void)at, (void)account, (void)membership;
	out->locked_out = true;
}

void
waits_list(struct ctx *c, const struct places *p, int64_t limit,
    void (*each)(void *arg, const struct waits_line *line), void *arg)
{
	struct reading r = { .c = c, .each = each, .arg = arg, .limit = limit, .p = p };

	db_begin_read(c, DB_CONTENT);
	for (size_t i = 0; i < p->count; i++) {
		r.row = &p->rows[i];
		look_at(&r, i < TODO_WORKSPACES);
	}
	apikey_list_ending(c, c->now, c->now + KEY_ENDS, add_key, &r);
	look_at_credits(&r);
	if (p->operates)
		account_list_asking(c, WAITS_EACH + 1, add_asking, &r);
	db_rollback(c);
	db_begin_read(c, DB_CONSOLE);
	membership_list_ended(c, add_ended, &r);
	db_rollback(c);
	r.watched = arena_array(c->arena, p->count + 1, sizeof(*r.watched));
	look_at_sites(&r);
}

void
waits_read(struct ctx *c, const struct places *p, struct waits *out)
{
	memset(out, 0, sizeof(*out));
	waits_list(c, p, WAITS_EACH + 1, keep, out);
	if (!p->operates)
		return;
	db_begin_read(c, DB_CONTENT);
	out->is_quiet = live_quiet_since(c) != 0;
	db_rollback(c);
	db_begin_read(c, DB_CONSOLE);
	locked_out_list(c, 1, note_locked_out, out);
	db_rollback(c);
	cron_look(c, &out->cron);
	out->cron_is_silent = out->cron.silent;
}
