#include "action/home-lists.h"

#include <stdlib.h>
#include <string.h>

#include "access/apikey.h"
#include "access/live.h"
#include "access/pages-settings.h"
#include "access/workspace.h"
#include "action/action.h"
#include "action/site-actions.h"
#include "article/article.h"
#include "article/desk.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "content/lang.h"
#include "job/job.h"
#include "people/membership.h"
#include "people/person.h"
#include "store/db.h"

#define STEPS_DAYS 60
#define DAY (86400 * CLOCK_SECOND)
#define KEY_ENDS (14 * DAY)
#define JOB_SINCE (7 * DAY)
#define TODO_ARTICLES 20 /* of a workspace: the newest published ones */
#define TODO_WORKSPACES 20
#define JOBS 20 /* of a workspace: the newest */
#define ARTICLES_WORTH 5
#define TOPIC_CHARS 80

/* ---- places */

/* Internal ids of one kind of place, for a look-up. */
struct ids {
	int64_t *list;
	size_t count;
};

struct places_reading {
	struct ctx *c;
	struct places *p;
	const struct membership **memberships; /* begun ones of accounts and workspaces */
	size_t count;
	struct ids accounts, workspaces;
	const char *folded; /* the search, or NULL */
	struct arena scratch;
	int64_t found[PLACES_MAX + 1];
	size_t found_count;
};

static void
add_membership(void *arg, const struct membership *m)
{
	struct places_reading *r = arg;
	size_t size = sizeof(const struct membership *);

	if (m->begun_at == 0 || m->kind == MEMBERSHIP_INSTANCE)
		return;
	if ((r->count & (r->count - 1)) == 0)
		r->memberships = arena_grow(r->c->arena, r->memberships, r->count * size,
		    (r->count == 0 ? 1 : r->count * 2) * size);
	r->memberships[r->count++] = m;
}

static int
compare_ids(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return (a > b) - (a < b);
}

static bool
has_id(const struct ids *ids, int64_t id)
{
	return ids->count > 0 &&
	       bsearch(&id, ids->list, ids->count, sizeof(*ids->list), compare_ids) != NULL;
}

/* Finds the rows that the UUIDs of the memberships name now. */
static void
resolve(struct places_reading *r)
{
	const struct workspace *w;
	const struct account *a;
	bool many;

	r->accounts.list = arena_array(r->c->arena, r->count + 1, sizeof(int64_t));
	r->workspaces.list = arena_array(r->c->arena, r->count + 1, sizeof(int64_t));
	for (size_t i = 0; i < r->count; i++) {
		const struct membership *m = r->memberships[i];
		if (m->kind == MEMBERSHIP_WORKSPACE) {
			w = workspace_find(r->c, m->place, &many);
			if (w != NULL)
				r->workspaces.list[r->workspaces.count++] = w->id;
			continue;
		}
		a = account_find(r->c, m->place, &many);
		if (a == NULL)
			continue;
		r->accounts.list[r->accounts.count++] = a->id;
		if (r->p->account_count < PLACES_ACCOUNTS)
			r->p->accounts[r->p->account_count++] =
			    (struct places_account) { .account = a };
	}
	qsort(r->accounts.list, r->accounts.count, sizeof(int64_t), compare_ids);
	qsort(r->workspaces.list, r->workspaces.count, sizeof(int64_t), compare_ids);
}

static bool
is_named(struct places_reading *r, const struct workspace_brief *w)
{
	const char *name;
	bool is;

	if (r->folded == NULL)
		return true;
	name = arena_text_n(&r->scratch, w->name, w->name_len);
	is = strstr(lang_fold(&r->scratch, name), r->folded) != NULL;
	arena_reset(&r->scratch);
	return is;
}

static bool
add_workspace(void *arg, const struct workspace_brief *w)
{
	struct places_reading *r = arg;

	if ((r->p->operates || has_id(&r->accounts, w->account_id) ||
		has_id(&r->workspaces, w->id)) &&
	    is_named(r, w))
		r->found[r->found_count++] = w->id;
	return r->found_count <= r->p->max;
}

static void
read_content(struct places_reading *r)
{
	const struct workspace *w = NULL;
	char uuid[UUID_TEXT];
	bool many;

	resolve(r);
	if (r->p->before != NULL && uuid_parse(r->p->before, uuid))
		w = workspace_find(r->c, uuid, &many);
	arena_init(&r->scratch, (size_t)1024 * 1024);
	workspace_walk(r->c, w != NULL ? w->id : 0, add_workspace, r);
	arena_release(&r->scratch);
	for (size_t i = 0; i < r->found_count; i++) {
		w = workspace_of(r->c, r->found[i]);
		r->p->rows[r->p->count++] = (struct places_row) { .id = w->id,
			.uuid = w->uuid,
			.name = w->settings.name,
			.account = account_of(r->c, w->account_id) };
	}
}

/* Keeps the rows where the person is a member: one place decides about that. */
static void
take_rights(struct ctx *c, struct places *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->count; i++) {
		struct places_row *row = &p->rows[i];
		row->rights = membership_rights(c, p->person_id, row->account->uuid, row->uuid);
		if (row->rights != 0)
			p->rows[kept++] = *row;
	}
	p->count = kept;
	for (size_t i = 0; i < p->account_count; i++)
		p->accounts[i].rights =
		    membership_rights(c, p->person_id, p->accounts[i].account->uuid, NULL);
}

struct err *
places_read(struct ctx *c, struct places *p)
{
	struct places_reading r = { .c = c, .p = p };

	TRY(action_read_console(c));
	p->operates =
	    !p->own && (membership_rights(c, p->person_id, NULL, NULL) & RIGHT_OPERATE) != 0;
	membership_list(c, p->person_id, add_membership, &r);
	db_rollback(c);
	if (p->search != NULL)
		r.folded = lang_fold(c->arena, p->search);
	db_begin_read(c, DB_CONTENT);
	read_content(&r);
	db_rollback(c);
	p->more = p->count > p->max;
	if (p->more)
		p->count = p->max;
	TRY(action_read_console(c));
	take_rights(c, p);
	db_rollback(c);
	for (size_t i = 1; i < p->count; i++)
		p->many = p->many || p->rows[i].account->id != p->rows[0].account->id;
	return NULL;
}

/* ---- the first steps */

struct steps_reading {
	const struct places *p;
	struct steps *out;
};

static bool
is_member(const struct places *p, const struct account *a)
{
	for (size_t i = 0; i < p->account_count; i++) {
		if (p->accounts[i].account->id == a->id)
			return true;
	}
	return false;
}

static const struct places_row *
newest(const struct places *p)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct places_row *row = &p->rows[i];
		if ((row->rights & RIGHT_MANAGE) != 0 && !row->account->suspended &&
		    (!p->operates || !p->many || is_member(p, row->account)))
			return row;
	}
	return NULL;
}

static void
note_key(void *arg, const struct apikey *key)
{
	struct steps_reading *r = arg;

	if (key->revoked_at == 0 && (key->expires_at == 0 || key->expires_at > clock_now()))
		r->out->done[STEPS_KEY] = true;
}

static void
note_member(void *arg, const struct membership *m)
{
	struct steps_reading *r = arg;

	if (m->person_id != r->p->person_id &&
	    (m->kind == MEMBERSHIP_ACCOUNT || strcmp(m->place, r->out->row->uuid) == 0))
		r->out->done[STEPS_PEOPLE] = true;
}

void
steps_read(struct ctx *c, const struct places *p, struct steps *out)
{
	struct steps_reading r = { .p = p, .out = out };
	const struct workspace *w;
	int64_t hidden_at;

	*out = (struct steps) { .row = newest(p) };
	if (out->row == NULL)
		return;
	db_begin_read(c, DB_CONSOLE);
	hidden_at = person_steps_hidden_at(c, p->person_id);
	membership_list_account(c, out->row->account->uuid, note_member, &r);
	db_rollback(c);
	db_begin_read(c, DB_CONTENT);
	w = workspace_of(c, out->row->id);
	if (w->created_at <= hidden_at || w->created_at < clock_now() - STEPS_DAYS * DAY) {
		out->row = NULL;
	} else {
		out->done[STEPS_ARTICLE] = article_any(c, w->id);
		out->done[STEPS_PAGES] = word_of(c, w->id)[0] != '\0';
		apikey_list(c, w->id, note_key, &r);
	}
	db_rollback(c);
	for (size_t i = 0; i < STEPS_KINDS; i++)
		out->count += out->done[i];
	if (out->count == STEPS_KINDS)
		out->row = NULL;
}

/* ---- what waits */

struct waits_reading {
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
add_here(const struct waits_reading *r, struct waits_line line)
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
add_failed(void *arg, const struct job *j)
{
	const struct waits_reading *r = arg;

	if (j->status == JOB_FAILED && j->settled_at > r->c->now - JOB_SINCE)
		add_here(r, (struct waits_line) { .kind = WAITS_JOB,
				.id = j->uuid,
				.text = job_topic_line(r->c, j, TOPIC_CHARS),
				.more = j->error,
				.at = j->settled_at });
}

static void
look_at_workspace(struct waits_reading *r, bool todos)
{
	const struct places_row *row = r->row;
	struct stmt *q;
	struct article a;

	if (may(row, RIGHT_PUBLISH)) {
		handed_list(r->c, row->id, r->limit, add_handed, r);
		schedule_list_suspended(r->c, row->id, add_suspended, r);
	}
	if (may(row, RIGHT_WRITE) && todos) {
		/* The edition lacks the to-dos of the working copy that it was made of. */
		q = article_list(r->c, row->id, ARTICLE_PUBLISHED, TODO_ARTICLES);
		while (article_next(q, &a))
			if (memcmp(a.edition_of, a.edition_digest, ARTICLE_DIGEST) != 0)
				add_here(r, (struct waits_line) { .kind = WAITS_TODO,
						.id = a.uuid,
						.text = a.title,
						.at = a.modified_at });
	}
	if (may(row, RIGHT_WRITE | RIGHT_PUBLISH))
		job_list(r->c, workspace_of(r->c, row->id), JOBS, add_failed, r);
}

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
	struct waits_reading *r = arg;

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
look_at_credits(struct waits_reading *r)
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
add_asking(struct waits_reading *r, const struct account *a)
{
	r->each(r->arg, &(struct waits_line) { .kind = WAITS_ASKING,
			    .workspace = a->uuid,
			    .place = a->name,
			    .id = a->uuid,
			    .text = a->name,
			    .account = a->uuid,
			    .at = a->asked_at,
			    .mark = a->asked_at });
}

static void
add_stale(void *arg, const struct sites_stale *s)
{
	struct waits_reading *r = arg;

	r->row = r->watched[s->place];
	add_here(r, (struct waits_line) { .kind = WAITS_SITE,
			.id = r->row->uuid,
			.text = s->label,
			.at = s->requested_at,
			.mark = s->requested_at });
}

static void
look_at_sites(struct waits_reading *r)
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

static void
add_ended(void *arg, const struct membership *m)
{
	struct waits_reading *r = arg;
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
	struct waits_reading r = { .c = c, .each = each, .arg = arg, .limit = limit, .p = p };
	const struct account *a;

	db_begin_read(c, DB_CONTENT);
	for (size_t i = 0; i < p->count; i++) {
		r.row = &p->rows[i];
		look_at_workspace(&r, i < TODO_WORKSPACES);
	}
	apikey_list_ending(c, c->now, c->now + KEY_ENDS, add_key, &r);
	look_at_credits(&r);
	if (p->operates)
		for (struct stmt *q = account_list_asking(c, WAITS_EACH + 1);
		     (a = account_next(c, q)) != NULL;)
			add_asking(&r, a);
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
