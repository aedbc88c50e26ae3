#include "action/sites/sites.h"

#include <string.h>

#include "access/workspace.h"
#include "action/sites/present.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "stats/api-readers.h"
#include "stats/stats.h"
#include "store/db.h"

#define STALE (3 * CLOCK_DAY)
#define ENDED_SHOWN (31 * CLOCK_DAY)
#define SEARCH (10 * CLOCK_SECOND) /* in the logs, for one request */
#define BEHIND_MAX 1000 /* stale sites of the instance that are counted */
#define KEYS_MAX 1000 /* of a workspace: the newest */

struct reading {
	struct ctx *c;
	struct sites *out;
	const struct apikey *keys[KEYS_MAX]; /* a ring */
	size_t key_count;
	struct reader *readers;
	size_t reader_count;
	struct present_list present;
	struct site *site; /* whose articles are compared */
};

/* ---- content */

static void
keep_key(void *arg, const struct apikey *key)
{
	struct reading *r = arg;

	r->keys[r->key_count++ % KEYS_MAX] = key;
}

/* ---- counts */

static void
keep_reader(void *arg, const struct reader *reader)
{
	struct reading *r = arg;
	size_t size = sizeof(*reader);

	r->readers = arena_grow(
	    r->c->arena, r->readers, r->reader_count * size, (r->reader_count + 1) * size);
	r->readers[r->reader_count++] = *reader;
}

static void
compare(void *arg, const struct reader_article *a)
{
	struct reading *r = arg;
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
add(struct reading *r, const struct apikey *key)
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
	struct reading *r = arena_alloc(c->arena, sizeof(*r));
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
