#include "action/site-actions.h"

#include <stdlib.h>
#include <string.h>

#include "access/account.h"
#include "access/workspace.h"
#include "action/action.h"
#include "action/instance-actions.h"
#include "article/article-list.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "people/secret.h"
#include "screen/tr.h"
#include "stats/api-readers.h"
#include "stats/stats.h"
#include "store/db.h"
#include "system/instance.h"

struct present {
	const char *article; /* UUID */
	char revision[READER_REVISION]; /* the first digits */
};

struct present_list {
	struct present *list; /* by UUID */
	size_t count;
	bool more; /* there are more articles than these */
};

#define SITES_DAYS 30 /* whose requests are added up */

#define PREFIX 3 /* "x1_" */

static int
by_article(const void *a, const void *b)
{
	return strcmp(((const struct present *)a)->article, ((const struct present *)b)->article);
}

/* Reads them, in a transaction of DB_CONTENT. */
static void
present_read(struct ctx *c, const struct workspace *w, struct present_list *out)
{
	struct feed_page page;

	feed_list(c, w, false, NULL, 0, SITES_ARTICLES, INT64_MAX, &page);
	out->list = arena_array(c->arena, page.count + 1, sizeof(*out->list));
	out->count = page.count;
	out->more = page.more;
	for (size_t i = 0; i < page.count; i++) {
		out->list[i].article = page.articles[i].uuid;
		memcpy(out->list[i].revision, page.revisions[i] + PREFIX, READER_REVISION - 1);
	}
	if (page.count > 0)
		qsort(out->list, page.count, sizeof(*out->list), by_article);
}

/* Returns the article, or NULL. */
static const struct present *
present_find(const struct present_list *p, const char *article)
{
	const struct present wanted = { .article = article };

	return p->count == 0 ? NULL
			     : bsearch(&wanted, p->list, p->count, sizeof(wanted), by_article);
}

/* ---- the sites */

#define STALE (3 * CLOCK_DAY)
#define ENDED_SHOWN (31 * CLOCK_DAY)
#define SEARCH (10 * CLOCK_SECOND) /* in the logs, for one request */
#define BEHIND_MAX 1000 /* stale sites of the instance that are counted */
#define KEYS_MAX 1000 /* of a workspace: the newest */

struct sites_reading {
	struct ctx *c;
	struct sites *out;
	const struct apikey *keys[KEYS_MAX]; /* a ring */
	size_t key_count;
	struct reader *readers;
	size_t reader_count;
	struct present_list present;
	struct site *site; /* whose articles are compared */
};

static void
keep_key(void *arg, const struct apikey *key)
{
	struct sites_reading *r = arg;

	r->keys[r->key_count++ % KEYS_MAX] = key;
}

static void
keep_reader(void *arg, const struct reader *reader)
{
	struct sites_reading *r = arg;
	size_t size = sizeof(*reader);

	r->readers = arena_grow(
	    r->c->arena, r->readers, r->reader_count * size, (r->reader_count + 1) * size);
	r->readers[r->reader_count++] = *reader;
}

static void
compare(void *arg, const struct reader_article *a)
{
	struct sites_reading *r = arg;
	const struct present *now = present_find(&r->present, a->article);

	if (now != NULL && strcmp(now->revision, a->revision) == 0)
		r->site->present++;
}

static void
add_requests(void *arg, int64_t day, int64_t requests, int64_t not_modified)
{
	struct site *s = arg;

	(void)day;
	(void)not_modified;
	s->requests += requests;
}

static bool
is_good(const struct ctx *c, const struct apikey *key)
{
	return key->revoked_at == 0 && (key->expires_at == 0 || key->expires_at > c->now);
}

/* Adds a key's site, if it is to be seen. */
static void
add(struct sites_reading *r, const struct apikey *key)
{
	struct site *s = &r->out->sites[r->out->count];
	struct ctx *c = r->c;

	*s = (struct site) { .key = key, .good = is_good(c, key) };
	for (size_t i = 0; i < r->reader_count; i++) {
		if (strcmp(r->readers[i].uuid, key->uuid) == 0)
			s->reader = r->readers[i];
	}
	if (!s->good && s->reader.requested_at < c->now - ENDED_SHOWN)
		return;
	s->stale = s->good && s->reader.read_at != 0 && s->reader.requested_at < c->now - STALE;
	r->out->count++;
	r->site = s;
	if (s->reader.id != 0)
		reader_days(c, s->reader.id, c->now / CLOCK_DAY - SITES_DAYS + 1, add_requests, s);
	if (s->reader.id != 0 && r->present.count > 0)
		reader_fetched(c, s->reader.id, compare, r);
}

void
sites_read(struct ctx *c, const char *workspace, bool with_articles, struct sites *out)
{
	struct sites_reading *r = arena_alloc(c->arena, sizeof(*r));
	const struct workspace *w;
	bool counted;

	*out = (struct sites) { .since_at = 0 };
	r->c = c;
	r->out = out;
	counted = stats_is_ready(c);
	db_begin_read(c, DB_CONTENT);
	w = workspace_find_uuid(c, workspace);
	if (w != NULL)
		apikey_list(c, w->id, keep_key, r);
	if (w != NULL && counted && with_articles)
		present_read(c, w, &r->present);
	out->articles = (int64_t)r->present.count;
	out->more = r->present.more;
	db_rollback(c);
	if (counted) {
		db_begin_read(c, DB_STATS);
		out->since_at = logfile_since(c);
		reader_list(c, workspace, keep_reader, r);
	}
	for (size_t i = r->key_count;
	     i > 0 && r->key_count - i < KEYS_MAX && out->count < SITES_MAX; i--)
		add(r, r->keys[(i - 1) % KEYS_MAX]);
	if (counted)
		db_rollback(c);
}

/* ---- stale sites */

struct silent {
	struct ctx *c;
	size_t place;
	struct {
		size_t place;
		const char *key;
		int64_t at;
	} * list;
	size_t count;
};

static void
keep_silent(void *arg, const struct reader *reader)
{
	struct silent *s = arg;
	size_t size = sizeof(*s->list);

	if (reader->read_at == 0 || reader->requested_at >= s->c->now - STALE)
		return;
	s->list = arena_grow(s->c->arena, s->list, s->count * size, (s->count + 1) * size);
	s->list[s->count].place = s->place;
	s->list[s->count].key = reader->uuid;
	s->list[s->count++].at = reader->requested_at;
}

void
sites_list_stale(struct ctx *c, const char *const *workspaces, size_t count,
    void (*each)(void *arg, const struct sites_stale *s), void *arg)
{
	struct silent s = { .c = c };
	const struct apikey *key;

	if (count == 0 || !stats_is_ready(c))
		return;
	db_begin_read(c, DB_STATS);
	for (s.place = 0; s.place < count; s.place++)
		reader_list(c, workspaces[s.place], keep_silent, &s);
	db_rollback(c);
	db_begin_read(c, DB_CONTENT);
	for (size_t i = 0; i < s.count; i++) {
		key = apikey_find(c, s.list[i].key);
		if (key != NULL && is_good(c, key))
			each(arg,
			    &(struct sites_stale) { s.list[i].place,
				key->label[0] != '\0' ? key->label : key->display, s.list[i].at });
	}
	db_rollback(c);
}

void
sites_list_behind(struct ctx *c, void (*each)(void *arg, int64_t account_id), void *arg)
{
	struct silent s = { .c = c };
	const struct apikey *key;

	if (!stats_is_ready(c))
		return;
	db_begin_read(c, DB_STATS);
	reader_list_silent(c, c->now - STALE, BEHIND_MAX, keep_silent, &s);
	db_rollback(c);
	db_begin_read(c, DB_CONTENT);
	for (size_t i = 0; i < s.count; i++) {
		key = apikey_find(c, s.list[i].key);
		if (key != NULL && is_good(c, key))
			each(arg, workspace_of(c, key->workspace_id)->account_id);
	}
	db_rollback(c);
}

/* ---- one request */

void
sites_explain(struct ctx *c, const char *workspace, const char *id, struct explain *out)
{
	char uuid[UUID_TEXT], *text = arena_text(c->arena, id + strspn(id, " \t"));
	const struct apikey *key;

	memset(out, 0, sizeof(*out));
	text[strcspn(text, " \t")] = '\0';
	if (!uuid_parse(text, uuid))
		return;
	explain_search(c, arena_text(c->arena, uuid), clock_boot() + SEARCH, out);
	if (!out->found || strcmp(out->request.workspace, workspace) != 0) {
		*out = (struct explain) { .unread_count = out->found ? 0 : out->unread_count };
		return;
	}
	db_begin_read(c, DB_CONTENT);
	key = out->request.key > 0 ? apikey_of(c, out->request.key) : NULL;
	if (key != NULL && strcmp(workspace_of(c, key->workspace_id)->uuid, workspace) == 0) {
		out->key = arena_alloc(c->arena, sizeof(*out->key));
		out->key->id = key->uuid;
		out->key->display = key->display;
		out->key->label = key->label;
	}
	db_rollback(c);
}

/* ---- one site */

struct asking {
	struct ctx *c;
	struct asked *out;
	const struct workspace *w;
	struct present_list present;
};

static void
note_reader(void *arg, const struct reader *r)
{
	struct asked *out = arg;

	if (strcmp(r->uuid, out->key) == 0)
		out->reader = *r;
}

/* Returns the place of a day, or NULL for one that is to come. */
static struct asked_day *
day_of(struct asked *out, int64_t day)
{
	int64_t place = day - (out->today - ASKED_DAYS + 1);

	return place >= 0 && place < ASKED_DAYS ? &out->days[place] : NULL;
}

static void
add_day(void *arg, int64_t day, int64_t requests, int64_t not_modified)
{
	struct asked *out = arg;
	struct asked_day *d = day_of(out, day);

	if (d == NULL)
		return;
	d->requests = requests;
	d->not_modified = not_modified;
	out->sum.requests += requests;
	out->sum.not_modified += not_modified;
}

static void
add_refusal(void *arg, int64_t day, int status, int64_t requests)
{
	struct asked *out = arg;
	struct asked_day *d = day_of(out, day);
	size_t i = 0;

	if (d == NULL)
		return;
	d->refused += requests;
	out->sum.refused += requests;
	while (i < out->status_count && out->statuses[i].status != status)
		i++;
	if (i == ASKED_STATUSES)
		return;
	out->statuses[i].status = status;
	out->statuses[i].requests += requests;
	out->status_count = i == out->status_count ? i + 1 : out->status_count;
}

static void
note_older(void *arg, const struct reader_article *a)
{
	struct asking *of = arg;
	struct asked *out = of->out;
	const struct present *now = present_find(&of->present, a->article);
	struct asked_article *older;

	if (now == NULL)
		return;
	if (strcmp(now->revision, a->revision) == 0) {
		out->present++;
		return;
	}
	if (out->older_all++ >= ASKED_OLDER)
		return;
	older = &out->older[out->older_count++];
	older->id = now->article;
	older->fetched_at = a->fetched_at;
	memcpy(older->now, now->revision, sizeof(older->now));
	memcpy(older->had, a->revision, strnlen(a->revision, sizeof(older->had) - 1));
}

static void
read_counts(struct asking *of)
{
	struct ctx *c = of->c;
	struct asked *out = of->out;
	int64_t from = out->today - ASKED_DAYS + 1;

	db_begin_read(c, DB_STATS);
	reader_list(c, out->workspace, note_reader, out);
	if (out->reader.id != 0) {
		reader_days(c, out->reader.id, from, add_day, out);
		reader_refusals(c, out->reader.id, from, add_refusal, out);
		reader_fetched(c, out->reader.id, note_older, of);
	}
	db_rollback(c);
}

static void
name_articles(struct asking *of)
{
	struct asked *out = of->out;

	db_begin_read(of->c, DB_CONTENT);
	for (size_t i = 0; i < out->older_count; i++) {
		const struct article *a = article_find(of->c, of->w->id, out->older[i].id);
		out->older[i].title = a != NULL ? a->title : NULL;
	}
	db_rollback(of->c);
}

struct err *
asked_read(struct ctx *c, struct asked *out)
{
	struct asking of = { .c = c, .out = out };
	bool counted = stats_is_ready(c);

	db_begin_read(c, DB_CONTENT);
	out->today = c->now / CLOCK_DAY;
	of.w = workspace_find_uuid(c, out->workspace);
	out->apikey = apikey_find(c, out->key);
	if (of.w == NULL || out->apikey == NULL || out->apikey->workspace_id != of.w->id) {
		db_rollback(c);
		return refuse(c, ERR_NOT_FOUND, tr_mark("There is no such page."));
	}
	if (counted)
		present_read(c, of.w, &of.present);
	out->articles = (int64_t)of.present.count;
	db_rollback(c);
	if (counted)
		read_counts(&of);
	name_articles(&of);
	return NULL;
}

/* ---- the pages of the website */

struct err *
webpages_begin(struct ctx *c, const struct workspace *w, struct task *t)
{
	if (w->settings.website == NULL)
		return refuse(
		    c, ERR_CONFLICT, "%s", tr_mark("The workspace has no website. Set it first."));
	t->kind = VISITED_KIND;
	return tasks_begin(c, t);
}

struct webpages_reading {
	struct ctx *c;
	struct webpages *out;
};

static void
keep_page(void *arg, const struct visited *v)
{
	struct webpages_reading *r = arg;
	struct webpages *p = r->out;
	size_t size = sizeof(*p->list);

	p->list = arena_grow(r->c->arena, p->list, p->count * size, (p->count + 1) * size);
	p->list[p->count++] =
	    (struct webpages_page) { .found = { .number = v->number,
					 .article = arena_text(r->c->arena, v->article),
					 .url = arena_text(r->c->arena, v->url),
					 .looked_at = v->looked_at,
					 .findings = arena_text(r->c->arena, v->findings) } };
	p->wrong += v->findings[0] != '\0';
}

struct err *
webpages_look(struct ctx *c, const struct workspace *w, struct webpages *out)
{
	struct webpages_reading r = { c, out };
	const struct article *a;

	*out = (struct webpages) { .task = NULL };
	ACTION(c, action_read_console(c));
	out->task = task_newest(c, w->uuid, VISITED_KIND);
	if (out->task != NULL)
		visited_list(c, out->task->id, keep_page, &r);
	action_commit(c);
	db_begin_read(c, DB_CONTENT);
	for (size_t i = 0; i < out->count; i++) {
		a = article_find(c, w->id, out->list[i].found.article);
		out->list[i].title = a != NULL ? arena_text(c->arena, a->title) : NULL;
	}
	return action_commit(c);
}

/* Reads what the content says of it, inside a transaction. */
/* ---- pings */

static void
read_notify(struct ctx *c, struct workspace *w, struct notify_view *out)
{
	out->workspace = w;
	if (!notify_find(c, w->uuid, &out->notify))
		out->notify =
		    (struct notify) { .workspace_id = w->id, .workspace = w->uuid, .url = "" };
	out->verified = account_of(c, w->account_id)->verified;
}

struct err *
notify_show(struct ctx *c, const struct find_place *place, struct notify_view *out)
{
	struct workspace *w;

	*out = (struct notify_view) { .count = 0 };
	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_workspace(c, place, &w));
	read_notify(c, w, out);
	action_commit(c);
	if (!secret_exists(c))
		return NULL;
	db_begin_read(c, DB_CONSOLE);
	out->count = ping_results(c, w->uuid, out->tries);
	return action_commit(c);
}

/* Refuses where no ping is sent. Who asks for another secret may set the address later. */
static struct err *
check_notify(struct ctx *c, const struct notify_view *view, bool later)
{
	if (later && !view->verified)
		return refuse(c, ERR_CONFLICT,
		    tr_mark("Only the workspaces of a verified account tell of their changes."));
	if (!later && view->notify.url[0] == '\0')
		return refuse(c, ERR_CONFLICT,
		    tr_mark(
			"This workspace tells no website of its changes: set notify_url first."));
	if (!secret_exists(c))
		return err_hint(c,
		    refuse(c, ERR_UNAVAILABLE, tr_mark("%s/people is not there yet."),
			c->instance->home),
		    HINT_MIGRATE, NULL);
	return NULL;
}

struct err *
notify_make_secret(struct ctx *c, const struct find_place *place, bool again,
    struct notify_view *out, char secret[SIGNATURE_SECRET])
{
	struct workspace *read, *w;
	bool made;

	*out = (struct notify_view) { .count = 0 };
	secret[0] = '\0';
	TRY(read_workspace(c, place, &read));
	ACTION(c, workspace_begin(c, read, &w));
	read_notify(c, w, out);
	TRY(check_notify(c, out, again));
	made = again || out->notify.secret == 0;
	if (made)
		out->notify.secret = notify_count_secret(c, w->id);
	action_commit(c);
	if (made)
		signature_secret(c, w->uuid, out->notify.secret, secret);
	return NULL;
}

struct err *
notify_sign(struct ctx *c, const struct find_place *place, const void *body, size_t len,
    const char **header)
{
	char secret[SIGNATURE_SECRET];
	struct notify_view view;

	TRY(notify_show(c, place, &view));
	TRY(check_notify(c, &view, false));
	if (view.notify.secret == 0)
		return err_hint(c, refuse(c, ERR_CONFLICT, "This workspace has no secret yet."),
		    HINT_NOTIFY, NULL);
	signature_secret(c, view.workspace->uuid, view.notify.secret, secret);
	*header = signature_make(c, secret, clock_now(), body, len);
	explicit_bzero(secret, sizeof(secret));
	return NULL;
}
