#include "stats/hit-sum.h"

#include <string.h>

#include "access/workspace.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/uuid.h"
#include "stats/erased.h"
#include "stats/hit.h"
#include "stats/label.h"
#include "stats/sums.h"
#include "stats/view.h"
#include "store/db.h"

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

/* ---- lines */

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

/* ---- counts */

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
		view_add(c, room, &v->view, v->count);
	v->count = 0;
}

static void
add_row(
    struct chunk *k, struct view_room *room, struct visitors *visitors, const struct sums_row *row)
{
	struct place *place = &k->places[row->key.place];
	struct view v = { .kind = (enum view_kind)row->key.kind,
		.day = row->key.day,
		.article = row->key.article,
		.label = row->key.label };

	if (place->viewed_id == 0)
		place->viewed_id = view_place(k->c, place->uuid);
	v.viewed_id = place->viewed_id;
	if (row->key.kind > HEALTH) {
		view_add_health(k->c, v.viewed_id, v.day,
		    (enum view_health)(row->key.kind - HEALTH), row->count);
		return;
	}
	if (v.kind != VIEW_VISITORS) {
		view_add(k->c, room, &v, row->count);
		return;
	}
	if (v.viewed_id != visitors->view.viewed_id || v.day != visitors->view.day) {
		add_visitors(k->c, room, visitors);
		visitors->room = VIEW_VISITORS_MAX - view_visitors(k->c, v.viewed_id, v.day);
	}
	visitors->view = v;
	visitors->view.label = "";
	if (visitors->count < visitors->room)
		visitors->count += view_see(k->c, v.viewed_id, v.day, v.label);
}

static void
add_counts(struct chunk *k)
{
	const struct sums_row *rows = sums_sorted(&k->sums);
	struct view_room room = { .labels = 0 };
	struct visitors visitors = { .count = 0 };

	for (size_t i = 0; i < k->sums.count; i++)
		add_row(k, &room, &visitors, &rows[i]);
	add_visitors(k->c, &room, &visitors);
	for (size_t i = 0; i < k->place_count; i++) {
		const struct place *p = &k->places[i];
		if (p->viewed_id != 0 && p->last_hit_at != 0)
			view_note_hit(k->c, p->viewed_id, p->last_hit_at);
	}
}

void
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
