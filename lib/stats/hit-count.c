#include "stats/hit-count.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "access/workspace.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/log.h"
#include "base/uuid.h"
#include "stats/hit.h"
#include "stats/label.h"
#include "stats/stats.h"
#include "store/db.h"
#include "system/fault.h"
#include "system/work.h"

/* ---- sums in memory */

#define FIRST_SIZE 1024

void
sums_init(struct sums *t, struct arena *a)
{
	*t = (struct sums) { .arena = a };
}

/* FNV-1a. A stranger who makes keys meet makes a chunk slow, which has some thousand lines. */
static uint64_t
mix(uint64_t hash, const void *bytes, size_t len)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static uint64_t
hash_of(const struct sums_key *k)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	hash = mix(hash, &k->place, sizeof(k->place));
	hash = mix(hash, &k->kind, sizeof(k->kind));
	hash = mix(hash, &k->day, sizeof(k->day));
	hash = mix(hash, k->article, strlen(k->article) + 1);
	hash = mix(hash, k->label, strlen(k->label));
	return hash ^ hash >> 29;
}

static int
compare(const struct sums_key *a, const struct sums_key *b)
{
	int order;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->day != b->day)
		return a->day < b->day ? -1 : 1;
	order = strcmp(a->article, b->article);
	return order != 0 ? order : strcmp(a->label, b->label);
}

/* Returns the place of a key: its row, or the free one where it belongs. */
static struct sums_row *
find(const struct sums *t, const struct sums_key *key, uint64_t hash)
{
	size_t i = (size_t)hash & (t->size - 1);

	while (t->rows[i].count != 0 &&
	       (t->rows[i].hash != hash || compare(&t->rows[i].key, key) != 0))
		i = (i + 1) & (t->size - 1);
	return &t->rows[i];
}

static void
grow(struct sums *t)
{
	struct sums old = *t;

	t->size = old.size == 0 ? FIRST_SIZE : 2 * old.size;
	t->rows = arena_array(t->arena, t->size, sizeof(*t->rows));
	for (size_t i = 0; i < old.size; i++) {
		const struct sums_row *row = &old.rows[i];
		if (row->count != 0)
			*find(t, &row->key, row->hash) = *row;
	}
}

void
sums_add(struct sums *t, const struct sums_key *key)
{
	uint64_t hash = hash_of(key);
	struct sums_row *row;

	if (2 * t->count >= t->size)
		grow(t);
	row = find(t, key, hash);
	if (row->count == 0) {
		row->key = *key;
		row->hash = hash;
		t->count++;
	}
	row->count++;
}

static int
by_key(const void *a, const void *b)
{
	return compare(&((const struct sums_row *)a)->key, &((const struct sums_row *)b)->key);
}

struct sums_row *
sums_sorted(struct sums *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->size; i++) {
		if (t->rows[i].count != 0)
			t->rows[n++] = t->rows[i];
	}
	if (n > 0)
		qsort(t->rows, n, sizeof(*t->rows), by_key);
	return t->rows;
}

/* ---- rows of workspaces, articles and counts, in a transaction of DB_STATS */

/* Returns the id of a workspace's row in viewed, which is inserted if it is missing. */
static int64_t
get_place(struct ctx *c, const char *workspace)
{
	int64_t id = db_one_int(c, 0, "SELECT id FROM viewed WHERE workspace = :workspace",
	    db_t(":workspace", workspace));

	if (id != 0)
		return id;
	return db_insert(c,
	    "INSERT INTO viewed (workspace, last_hit_at, looked_at)"
	    " VALUES (:workspace, 0, :now) RETURNING id",
	    db_t(":workspace", workspace), db_i(":now", c->now));
}

/* Notes that a hit came at this time. */
static void
note_hit(struct ctx *c, int64_t viewed_id, int64_t at)
{
	db_run(c, "UPDATE viewed SET last_hit_at = :at WHERE id = :id AND last_hit_at < :at",
	    db_i(":id", viewed_id), db_i(":at", at));
}

/* Returns the id of an article's row, which is inserted if it is missing. */
static int64_t
get_article(struct ctx *c, int64_t viewed_id, const char *article)
{
	int64_t id = db_one_int(c, 0,
	    "SELECT id FROM viewed_article WHERE viewed_id = :viewed AND article = :article",
	    db_i(":viewed", viewed_id), db_t(":article", article));

	if (id != 0)
		return id;
	return db_insert(c,
	    "INSERT INTO viewed_article (viewed_id, article)"
	    " VALUES (:viewed, :article) RETURNING id",
	    db_i(":viewed", viewed_id), db_t(":article", article));
}

/* How many labels a workspace may have on a day; 0: as many as there are. */
static const int64_t caps[VIEW_KINDS] = {
	[VIEW_PATH] = 1000,
	[VIEW_REFERRER] = 200,
	[VIEW_CAMPAIGN] = 100,
	[VIEW_LANGUAGE] = 100,
	[VIEW_WIDTH] = 5,
	[VIEW_BOT] = 20,
	[VIEW_ARTICLE_REFERRER] = 50, /* of each article */
};

/* How many labels a kind has on a day, for add_label(): zeros at first. It is read once for any
 * number of labels of one workspace, kind and day that follow each other in a transaction. */
struct view_room {
	int64_t viewed_id, day, article_id;
	enum view_kind kind; /* 0: nothing is known */
	int64_t labels;
};

/* What is counted. */
struct view {
	int64_t viewed_id;
	enum view_kind kind;
	int64_t day;
	const char *article; /* UUID, or "" */
	const char *label; /* or "" */
};

#define VIEW_VALUES(v, article_id, label, count)                                                   \
	db_i(":viewed", (v)->viewed_id), db_i(":kind", (v)->kind), db_i(":day", (v)->day),         \
	    db_i(":article", article_id), db_t(":label", label), db_i(":count", count)

/* Adds to a row that is there. Returns false if there is none. */
static bool
add_to_row(struct ctx *c, const struct view *v, int64_t article_id, int64_t count)
{
	return db_run_counted(c,
		   "UPDATE view SET count = count + :count"
		   " WHERE viewed_id = :viewed AND kind = :kind AND article_id = :article"
		   " AND day = :day AND label = :label",
		   VIEW_VALUES(v, article_id, v->label, count)) > 0;
}

static void
insert_row(
    struct ctx *c, const struct view *v, int64_t article_id, const char *label, int64_t count)
{
	db_run(c,
	    "INSERT INTO view (viewed_id, kind, day, article_id,"
	    " label, count) VALUES (:viewed, :kind, :day, :article, :label, :count)"
	    " ON CONFLICT (viewed_id, kind, article_id, day, label)"
	    " DO UPDATE SET count = view.count + excluded.count",
	    VIEW_VALUES(v, article_id, label, count));
}

/* Reads how many labels the day has, unless that is known. */
static void
look_at_room(struct ctx *c, struct view_room *room, const struct view *v, int64_t article_id)
{
	struct stmt *q;

	if (room->kind == v->kind && room->viewed_id == v->viewed_id && room->day == v->day &&
	    room->article_id == article_id)
		return;
	q = db_prepare(c,
	    "SELECT count(*) FROM view WHERE viewed_id = :viewed"
	    " AND kind = :kind AND article_id = :article AND day = :day"
	    " AND label <> '" VIEW_OTHER "'",
	    db_i(":viewed", v->viewed_id), db_i(":kind", v->kind), db_i(":article", article_id),
	    db_i(":day", v->day));
	*room = (struct view_room) { .viewed_id = v->viewed_id,
		.day = v->day,
		.kind = v->kind,
		.article_id = article_id,
		.labels = db_row(q) ? db_int(q, 0) : 0 };
	db_reset(q);
}

/* Adds to the count of a label. A label that is new on a day that has as many as the kind may have
 * is counted as VIEW_OTHER. */
static void
add_label(struct ctx *c, struct view_room *room, const struct view *v, int64_t count)
{
	int64_t article_id = v->article[0] == '\0' ? 0 : get_article(c, v->viewed_id, v->article);
	const char *label = v->label;

	if (add_to_row(c, v, article_id, count))
		return;
	if (caps[v->kind] != 0 && strcmp(label, VIEW_OTHER) != 0) {
		look_at_room(c, room, v, article_id);
		if (room->labels >= caps[v->kind])
			label = VIEW_OTHER;
		else
			room->labels++;
	}
	insert_row(c, v, article_id, label, count);
}

/* So many visitors of a workspace's day are told apart and counted: each of them is a row, and a
 * stranger makes up as many as there are hits. */
#define VIEW_VISITORS_MAX 200000

/* Returns how many visitors are counted of a day. */
static int64_t
visitors_of(struct ctx *c, int64_t viewed_id, int64_t day)
{
	return db_one_int(c, 0,
	    "SELECT coalesce(sum(count), 0) FROM view"
	    " WHERE viewed_id = :viewed AND kind = :kind AND article_id = 0 AND day = :day",
	    db_i(":viewed", viewed_id), db_i(":kind", VIEW_VISITORS), db_i(":day", day));
}

/* Notes that a visitor was seen on a day. Returns false if it was noted before. */
static bool
see(struct ctx *c, int64_t viewed_id, int64_t day, const char *hash)
{
	return db_run_counted(c,
		   "INSERT INTO seen (viewed_id, day, hash)"
		   " VALUES (:viewed, :day, :hash) ON CONFLICT (viewed_id, day, hash) DO NOTHING",
		   db_i(":viewed", viewed_id), db_i(":day", day), db_t(":hash", hash)) > 0;
}

/* Adds to a count of the collector's health. viewed_id 0: of the instance. */
static void
add_health(struct ctx *c, int64_t viewed_id, int64_t day, enum view_health kind, int64_t count)
{
	db_run(c,
	    "INSERT INTO health (viewed_id, day, kind, count)"
	    " VALUES (:viewed, :day, :kind, :count) ON CONFLICT (viewed_id, day, kind)"
	    " DO UPDATE SET count = health.count + excluded.count",
	    db_i(":viewed", viewed_id), db_i(":day", day), db_i(":kind", kind),
	    db_i(":count", count));
}

/* Returns what was refused on a day that belongs to no workspace. */
static int64_t
refused_on(struct ctx *c, int64_t day)
{
	return db_one_int(c, 0,
	    "SELECT coalesce(sum(count), 0) FROM health WHERE viewed_id = 0 AND day = :day",
	    db_i(":day", day));
}

/* Sets a count of the instance's health to this, unless it is greater already. */
static void
raise_health(struct ctx *c, int64_t day, enum view_health kind, int64_t count)
{
	db_run(c,
	    "INSERT INTO health (viewed_id, day, kind, count)"
	    " VALUES (0, :day, :kind, :count) ON CONFLICT (viewed_id, day, kind)"
	    " DO UPDATE SET count = excluded.count WHERE health.count < excluded.count",
	    db_i(":day", day), db_i(":kind", kind), db_i(":count", count));
}

/*
 * ---- sums of lines of hits
 *
 * They are made in memory and added to the counts. What is no line of a hit (hit.h), is
 * of a workspace that is not there, or of a day that was erased after it, is passed over. What a
 * line says is a stranger's: label.h decides what is counted of it, and an article counts if the
 * workspace has it.
 */

#define MEMORY ((size_t)256 * 1024 * 1024)
#define LINE_MEMORY ((size_t)1024 * 1024)
#define AHEAD (2 * CLOCK_DAY) /* a time that is later than this is of a wrong clock */
#define KNOWN 4096 /* articles that are remembered */
#define HEALTH 100 /* kinds of the sums: HEALTH + enum view_health */

/* A workspace of a chunk. */
struct place {
	char uuid[UUID_TEXT];
	int64_t workspace_id; /* 0: there is none */
	int64_t viewed_id; /* of its row; 0: not looked at */
	int64_t last_hit_at; /* 0: it has none in this chunk */
};

struct known {
	size_t place;
	char uuid[UUID_TEXT]; /* "": a free place */
	const char *article; /* the same, or "" if the workspace has no such article */
};

struct chunk {
	struct ctx *c;
	struct arena arena; /* what lives as long as the chunk */
	struct arena line; /* what lives as long as a line */
	const struct erased *erased;
	size_t erased_count;
	struct place *places;
	size_t place_count, place_max, last_place;
	struct known known[KNOWN];
	struct sums sums;
	const char *bytes;
	size_t len;
	int64_t now;
};

static size_t
place_of(struct chunk *k, const char *uuid)
{
	const struct workspace *w;
	size_t i = k->last_place;

	if (i < k->place_count && strcmp(k->places[i].uuid, uuid) == 0)
		return i;
	for (i = 0; i < k->place_count && strcmp(k->places[i].uuid, uuid) != 0; i++)
		;
	k->last_place = i;
	if (i < k->place_count)
		return i;
	if (k->place_count == k->place_max) {
		size_t more = k->place_max == 0 ? 64 : 2 * k->place_max;
		k->places = arena_grow(&k->arena, k->places, k->place_max * sizeof(*k->places),
		    more * sizeof(*k->places));
		k->place_max = more;
	}
	w = workspace_find_uuid(k->c, uuid);
	k->places[i] = (struct place) { .workspace_id = w == NULL ? 0 : w->id };
	memcpy(k->places[i].uuid, uuid, UUID_TEXT);
	k->place_count++;
	return i;
}

/* Returns the article's UUID if the workspace has it, else "". `uuid` may be its prefix. */
static const char *
article_of(struct chunk *k, size_t place, const char *uuid)
{
	struct known *known;
	const struct article *a;
	unsigned hash = (unsigned)place;

	if (uuid[0] == '\0')
		return "";
	for (const char *p = uuid; *p != '\0'; p++)
		hash = hash * 31 + (unsigned char)*p;
	known = &k->known[hash % KNOWN];
	if (known->place == place && strcmp(known->uuid, uuid) == 0)
		return known->article;
	known->place = place;
	memcpy(known->uuid, uuid, strlen(uuid) + 1);
	a = (strlen(uuid) == HIT_PREFIX ? article_find_prefix : article_find)(
	    k->c, k->places[place].workspace_id, uuid);
	known->article = a == NULL ? "" : arena_text(&k->arena, a->uuid);
	return known->article;
}

static bool
is_erased(const struct chunk *k, const struct hit *hit)
{
	for (size_t i = 0; i < k->erased_count; i++) {
		const struct erased *e = &k->erased[i];
		if (hit->at <= e->erased_at && hit->day >= e->from_day && hit->day <= e->to_day &&
		    strcmp(e->workspace, hit->workspace) == 0)
			return true;
	}
	return false;
}

/* Brings a time and a day to what clocks on earth may have shown. */
static void
correct(const struct chunk *k, struct hit *hit)
{
	if (hit->at > k->now + AHEAD)
		hit->at = k->now;
	if (hit->day < (hit->at - 12 * 3600 * CLOCK_SECOND) / CLOCK_DAY ||
	    hit->day > (hit->at + 14 * 3600 * CLOCK_SECOND) / CLOCK_DAY)
		hit->day = hit->at / CLOCK_DAY;
}

/* Adds one to a count. A label of NULL has none; what is kept of it lives as long as the chunk. */
static void
add(struct chunk *k, const struct sums_key *key)
{
	if (key->label != NULL)
		sums_add(&k->sums, key);
}

static void
take_view(struct chunk *k, size_t place, const struct hit *hit)
{
	struct arena *a = &k->arena;
	struct sums_key key = { .place = place, .day = hit->day, .article = "", .label = "" };
	const char *article = article_of(k, place, hit->article);
	const char *path = label_path(a, hit->path);
	char hash[2 * HIT_VISITOR + 1];

	key.kind = VIEW_VIEWS;
	add(k, &key);
	digest_hex(hash, hit->visitor, HIT_VISITOR);
	key.kind = VIEW_VISITORS;
	key.label = arena_text(a, hash);
	add(k, &key);
	key.kind = VIEW_PATH;
	key.label = path != NULL ? path : VIEW_OTHER;
	add(k, &key);
	key.kind = VIEW_REFERRER;
	key.label = label_host(a, hit->referrer);
	add(k, &key);
	if (article[0] != '\0') {
		key.article = article;
		key.kind = VIEW_ARTICLE_REFERRER;
		add(k, &key);
		key.kind = VIEW_ARTICLE;
		key.label = "";
		add(k, &key);
		key.article = "";
	}
	key.kind = VIEW_CAMPAIGN;
	key.label = label_campaign(a, hit->campaign);
	add(k, &key);
	key.kind = VIEW_LANGUAGE;
	key.label = label_language(a, hit->language);
	add(k, &key);
	key.kind = VIEW_WIDTH;
	key.label = label_width(hit->width);
	add(k, &key);
}

static void
take_line(struct chunk *k, const char *line, size_t len)
{
	static const enum view_health health[] = { [HIT_VIEW] = VIEW_ACCEPTED,
		[HIT_REFUSED_ORIGIN] = VIEW_REFUSED_ORIGIN,
		[HIT_WITHOUT_CONSENT] = VIEW_WITHOUT_CONSENT };
	struct sums_key key = { .article = "", .label = "" };
	struct hit hit;

	if (len == 0 || !hit_read(&k->line, line, len, &hit))
		return;
	correct(k, &hit);
	key.place = place_of(k, hit.workspace);
	if (k->places[key.place].workspace_id == 0 || is_erased(k, &hit))
		return;
	key.day = hit.day;
	key.kind = HEALTH + (int)health[hit.kind];
	add(k, &key);
	if (hit.kind != HIT_VIEW)
		return;
	if (hit.at > k->places[key.place].last_hit_at)
		k->places[key.place].last_hit_at = hit.at;
	if (hit.bot[0] == '\0') {
		take_view(k, key.place, &hit);
		return;
	}
	key.kind = VIEW_BOT;
	key.label = label_bot(&k->arena, hit.bot);
	if (key.label == NULL)
		key.label = VIEW_OTHER;
	add(k, &key);
}

/* Sums up the lines of a chunk: a look aside into the content. */
static struct err *
take_lines(struct ctx *c, void *arg)
{
	struct chunk *k = arg;
	struct arena *kept = c->arena;
	const char *text = k->bytes, *end;
	size_t len = k->len;

	c->arena = &k->line;
	while (len > 0 && (end = memchr(text, '\n', len)) != NULL) {
		take_line(k, text, (size_t)(end - text));
		arena_reset(&k->line);
		len -= (size_t)(end + 1 - text);
		text = end + 1;
	}
	c->arena = kept;
	return NULL;
}

/* Visitors of a day are counted together: their rows follow each other. */
struct visitors {
	struct view view;
	int64_t room; /* so many more may be counted on that day */
	int64_t count;
};

static void
add_visitors(struct ctx *c, struct view_room *room, struct visitors *v)
{
	if (v->count > 0)
		add_label(c, room, &v->view, v->count);
	v->count = 0;
}

static void
add_sum(
    struct chunk *k, struct view_room *room, struct visitors *visitors, const struct sums_row *row)
{
	struct place *place = &k->places[row->key.place];
	struct view v = { .kind = (enum view_kind)row->key.kind,
		.day = row->key.day,
		.article = row->key.article,
		.label = row->key.label };

	if (place->viewed_id == 0)
		place->viewed_id = get_place(k->c, place->uuid);
	v.viewed_id = place->viewed_id;
	if (row->key.kind > HEALTH) {
		add_health(k->c, v.viewed_id, v.day, (enum view_health)(row->key.kind - HEALTH),
		    row->count);
		return;
	}
	if (v.kind != VIEW_VISITORS) {
		add_label(k->c, room, &v, row->count);
		return;
	}
	if (v.viewed_id != visitors->view.viewed_id || v.day != visitors->view.day) {
		add_visitors(k->c, room, visitors);
		visitors->room = VIEW_VISITORS_MAX - visitors_of(k->c, v.viewed_id, v.day);
	}
	visitors->view = v;
	visitors->view.label = "";
	if (visitors->count < visitors->room)
		visitors->count += see(k->c, v.viewed_id, v.day, v.label);
}

static void
add_counts(struct chunk *k)
{
	const struct sums_row *rows = sums_sorted(&k->sums);
	struct view_room room = { .labels = 0 };
	struct visitors visitors = { .count = 0 };

	for (size_t i = 0; i < k->sums.count; i++)
		add_sum(k, &room, &visitors, &rows[i]);
	add_visitors(k->c, &room, &visitors);
	for (size_t i = 0; i < k->place_count; i++) {
		const struct place *p = &k->places[i];
		if (p->viewed_id != 0 && p->last_hit_at != 0)
			note_hit(k->c, p->viewed_id, p->last_hit_at);
	}
}

/* Counts `len` bytes of whole lines, some MiB at most. Needs a transaction of DB_STATS. */
static void
hit_sum(struct ctx *c, const char *bytes, size_t len)
{
	struct chunk *k = arena_alloc(c->arena, sizeof(*k));
	struct arena *kept = c->arena;

	k->c = c;
	k->bytes = bytes;
	k->len = len;
	k->now = c->now;
	arena_init(&k->arena, MEMORY);
	arena_init(&k->line, LINE_MEMORY);
	sums_init(&k->sums, &k->arena);
	c->arena = &k->arena;
	k->erased = erased_list(c, &k->erased_count);
	(void)db_aside(c, DB_CONTENT, take_lines, k);
	add_counts(k);
	c->arena = kept;
	arena_release(&k->line);
	arena_release(&k->arena);
}

/* ---- segments */

#define CHUNK ((size_t)1024 * 1024)
#define CHUNK_MEMORY ((size_t)64 * 1024 * 1024)
#define BUDGET (2 * CLOCK_SECOND)
#define WRITERS (5 * CLOCK_SECOND)

/* Returns how many bytes of a segment are counted. *whole: all of it is. */
static int64_t
segment_at(struct ctx *c, const char *name, bool *whole)
{
	struct stmt *q;
	int64_t at = 0;

	*whole = false;
	q = db_prepare(c, "SELECT at, whole FROM segment WHERE name = :name", db_t(":name", name));
	if (db_row(q)) {
		at = db_int(q, 0);
		*whole = db_int(q, 1) != 0;
	}
	db_reset(q);
	return at;
}

static void
note_segment(struct ctx *c, const char *name, int64_t at, bool whole)
{
	db_run(c,
	    "INSERT INTO segment (name, at, whole) VALUES (:name, :at, :whole)"
	    " ON CONFLICT (name) DO UPDATE SET at = excluded.at, whole = excluded.whole",
	    db_t(":name", name), db_i(":at", at), db_i(":whole", whole));
}

/* Counts one chunk of a segment that is open and locked. Returns whether there is more of it.
 * *whole: all of it is counted. */
static bool
count_chunk(struct ctx *c, const char *name, int fd, char *bytes, bool *whole)
{
	const char *last;
	ssize_t got;
	int64_t at;
	size_t len;

	db_begin_write(c, DB_STATS, DB_CHANGES_NOTHING, 0, 0);
	at = segment_at(c, name, whole);
	got = *whole ? 0 : pread(fd, bytes, CHUNK, at);
	if (got < 0)
		log_line("hits: %s: %s", name, strerror(errno));
	if (*whole || got < 0) {
		db_rollback(c);
		return false;
	}
	last = got == 0 ? NULL : memrchr(bytes, '\n', (size_t)got);
	/* A line that fills a chunk is none. */
	len = last != NULL ? (size_t)(last + 1 - bytes) : (size_t)got;
	*whole = (size_t)got < CHUNK;
	if (last != NULL)
		hit_sum(c, bytes, len);
	note_segment(c, name, at + (int64_t)len, *whole);
	(void)FAULT("hits-counted");
	db_commit(c);
	(void)FAULT("hits-committed");
	return !*whole;
}

/* Counts a segment. Returns whether all of it is counted. */
static bool
count_segment(struct ctx *c, const char *name, int fd, char *bytes, int64_t until)
{
	struct arena *kept = c->arena;
	struct arena chunk;
	bool more = true, whole = false;

	arena_init(&chunk, CHUNK_MEMORY);
	c->arena = &chunk;
	while (more && clock_boot() < until && stop_signal() == 0) {
		more = count_chunk(c, name, fd, bytes, &whole);
		arena_reset(&chunk);
	}
	c->arena = kept;
	arena_release(&chunk);
	return whole;
}

/* Removes what is known of segments whose files are gone for good. */
static void
forget_segments(struct ctx *c)
{
	struct stmt *q;
	const char **gone;
	size_t count = 0, max;

	db_begin_write(c, DB_STATS, DB_CHANGES_NOTHING, 0, 0);
	max = (size_t)db_one_int(c, 0, "SELECT count(*) FROM segment /*scan*/");
	gone = arena_array(c->arena, max + 1, sizeof(*gone));
	q = db_prepare(c, "SELECT name FROM segment /*scan*/");
	while (count < max && db_row(q)) {
		gone[count] = db_text(q, 0);
		count += !segment_exists(c, gone[count]);
	}
	db_reset(q);
	for (size_t i = 0; i < count; i++) {
		db_run(c, "DELETE FROM segment WHERE name = :name", db_t(":name", gone[i]));
	}
	(void)FAULT("hits-forgotten");
	db_commit(c);
}

/* Counts a segment that no writer has at `writers`, and removes it. Returns whether nothing of it
 * is left to be done now. *removed: its file was removed. */
static bool
work_on_segment(
    struct ctx *c, const char *name, char *bytes, int64_t writers, int64_t until, bool *removed)
{
	int fd = segment_open(c, name, writers);
	bool whole;

	if (fd < 0)
		return false;
	whole = count_segment(c, name, fd, bytes, until);
	if (whole) {
		segment_remove(c, name);
		(void)FAULT("hits-removed");
		*removed = true;
	}
	close(fd);
	return whole;
}

/* Counts all segments. First those that nobody writes: one whose writer hangs holds up no other.
 * Returns whether time ended before. *removed: files were removed. */
static bool
count_segments(struct ctx *c, bool *removed)
{
	int64_t until = clock_boot() + BUDGET;
	size_t count, left = 0;
	const char **names = segment_list(c, &count);
	char *bytes = arena_alloc(c->arena, CHUNK);

	for (size_t i = 0; i < count; i++) {
		if (!work_on_segment(c, names[i], bytes, 0, until, removed))
			names[left++] = names[i];
		if (clock_boot() >= until || stop_signal() != 0)
			return true;
	}
	until = clock_boot() + WRITERS;
	for (size_t i = 0; i < left && stop_signal() == 0; i++)
		(void)work_on_segment(c, names[i], bytes, until, until + BUDGET, removed);
	return false;
}

/* ---- refusals of no workspace */

/* Returns whether run/hits/refused has more than is known. */
static bool
refusals_are_due(struct ctx *c)
{
	struct refused days[REFUSED_DAYS];
	bool due = false;

	refused_read(c, days);
	for (size_t i = 0; i < REFUSED_DAYS && !due; i++) {
		const struct refused *d = &days[i];
		due = d->day > 0 && d->limited + d->unknown + d->bad_form > refused_on(c, d->day);
	}
	return due;
}

static void
take_refusals(struct ctx *c)
{
	struct refused days[REFUSED_DAYS];
	bool news;

	db_begin_read(c, DB_STATS);
	news = refusals_are_due(c);
	db_rollback(c);
	if (!news)
		return;
	refused_read(c, days);
	db_begin_write(c, DB_STATS, DB_CHANGES_NOTHING, 0, 0);
	for (size_t i = 0; i < REFUSED_DAYS; i++) {
		const struct refused *d = &days[i];
		if (d->day <= 0)
			continue;
		raise_health(c, d->day, VIEW_LIMITED, d->limited);
		raise_health(c, d->day, VIEW_UNKNOWN_SITE, d->unknown);
		raise_health(c, d->day, VIEW_BAD_FORM, d->bad_form);
	}
	db_commit(c);
}

bool
hits_are_due(struct ctx *c)
{
	bool due;

	if (segment_is_due(c))
		return true;
	db_begin_read(c, DB_STATS);
	due = refusals_are_due(c) || view_is_old(c);
	db_rollback(c);
	return due;
}

bool
hits_count(struct ctx *c)
{
	bool removed = false, more;

	if (!segment_claim(c))
		return false;
	more = count_segments(c, &removed);
	/* A name is forgotten only when its file cannot come back with a power failure. */
	if (removed && segment_settle(c))
		forget_segments(c);
	take_refusals(c);
	if (!more)
		aged_run(c);
	return more;
}
