#include "article/article-list.h"

#include <string.h>

#include "article/article-row.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/jread.h"
#include "base/log.h"
#include "content/lang.h"
#include "store/db.h"
#include "store/remote-store.h"

/* ---- what the API lists */

#define OF_STATUS(status)                                                                          \
	"SELECT " ROW_LISTED " FROM article a"                                                     \
	" WHERE a.workspace_id = :workspace AND a.status = '" status "'"
#define PUBLISHED OF_STATUS("published")
#define DRAFTS OF_STATUS("draft")
#define AFTER " AND (a.created_at, a.uuid) < (:created, :uuid)"
#define NEWEST_FIRST " ORDER BY 4 DESC, 2 DESC LIMIT :limit OFFSET :offset"

/* Prepares the statement of a list. The first page is asked for most often and
 * compares with no place. With drafts, both halves come in the order of the index
 * and are merged. */
static struct stmt *
list_statement(struct ctx *c, bool drafts, const struct db_value *values, bool after)
{
	if (drafts && after)
		return db_prepare_with(
		    c, PUBLISHED AFTER " UNION ALL " DRAFTS AFTER NEWEST_FIRST, values);
	if (drafts)
		return db_prepare_with(c, PUBLISHED " UNION ALL " DRAFTS NEWEST_FIRST, values);
	if (after)
		return db_prepare_with(c, PUBLISHED AFTER NEWEST_FIRST, values);
	return db_prepare_with(c, PUBLISHED NEWEST_FIRST, values);
}

/* The same with its values: one row more than the page has tells whether there are more. */
static struct stmt *
listed(struct ctx *c, const struct workspace *w, bool drafts, const struct feed_position *from,
    int64_t offset, int64_t limit)
{
	struct db_value values[6] = { db_i(":workspace", w->id), db_i(":limit", limit + 1),
		db_i(":offset", offset) };

	if (from != NULL) {
		values[3] = db_i(":created", from->created_at);
		values[4] = db_t(":uuid", from->uuid);
	}
	return list_statement(c, drafts, values, from != NULL);
}

void
feed_list(struct ctx *c, const struct workspace *w, bool drafts, const struct feed_position *from,
    int64_t offset, int64_t limit, int64_t bytes_max, struct feed_page *out)
{
	struct stmt *q = listed(c, w, drafts, from, offset, limit);
	int64_t bytes = 0;

	out->articles = arena_array(c->arena, (size_t)limit + 1, sizeof(*out->articles));
	out->revisions = arena_array(c->arena, (size_t)limit + 1, TOKEN_TEXT);
	out->bytes = NULL;
	out->count = 0;
	out->more = false;
	while (db_row(q)) {
		struct article *a = &out->articles[out->count];
		row_listed(q, a);
		a->workspace_id = w->id;
		bytes += a->export_length;
		out->more = (int64_t)out->count == limit || (out->count > 0 && bytes > bytes_max);
		if (out->more)
			break;
		token_export(w, a, out->revisions[out->count]);
		out->count++;
	}
	db_reset(q);
}

static struct stmt *
row_of(struct ctx *c, const struct workspace *w, const char *uuid)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " ROW_LISTED " FROM article a"
	    " WHERE a.uuid = :uuid AND a.workspace_id = :workspace",
	    db_t(":uuid", uuid), db_i(":workspace", w->id));

	return q;
}

/* The same with the stored bytes. */
static struct stmt *
row_with_bytes(struct ctx *c, const struct workspace *w, const char *uuid)
{
	return db_prepare(c,
	    "SELECT " ROW_LISTED ", x.revision, x.body /*bytes*/"
	    " FROM article a LEFT JOIN export x ON x.article_id = a.id"
	    " WHERE a.uuid = :uuid AND a.workspace_id = :workspace",
	    db_t(":uuid", uuid), db_i(":workspace", w->id));
}

bool
feed_find(struct ctx *c, const struct workspace *w, bool drafts, const char *uuid,
    struct article *out, char revision[TOKEN_TEXT], struct stored_bytes *bytes)
{
	bool with_bytes = STORE_IS_REMOTE && bytes != NULL;
	struct stmt *q = with_bytes ? row_with_bytes(c, w, uuid) : row_of(c, w, uuid);
	bool found = db_row(q);

	if (found) {
		row_listed(q, out);
		out->workspace_id = w->id;
		found =
		    out->status == ARTICLE_PUBLISHED || (drafts && out->status == ARTICLE_DRAFT);
		token_export(w, out, revision);
		if (with_bytes)
			stored_take(c, q, ROW_LISTED_COUNT, bytes);
	}
	db_reset(q);
	return found;
}

void
feed_sync(struct ctx *c, const struct workspace *w, const char settings[TOKEN_TEXT], int64_t since,
    int64_t until, int64_t after_at, const char *after_uuid, int64_t limit,
    struct feed_changes *out)
{
	struct stmt *q;

	out->changes = arena_array(c->arena, (size_t)limit, sizeof(*out->changes));
	out->count = 0;
	out->more = false;
	/* Every uuid is greater than "", so the list begins at `since` itself. */
	q = db_prepare(c,
	    "SELECT a.uuid, e.title, a.changed_at"
	    " FROM article a JOIN edition e ON e.id = a.edition_id"
	    " WHERE a.workspace_id = :workspace AND a.status = 'published'"
	    " AND (a.changed_at, a.uuid) > (:at, :uuid) AND a.changed_at <= :until"
	    " ORDER BY a.changed_at, a.uuid LIMIT :limit",
	    db_i(":workspace", w->id), db_i(":at", after_uuid != NULL ? after_at : since),
	    db_t(":uuid", after_uuid != NULL ? after_uuid : ""), db_i(":until", until),
	    db_i(":limit", limit + 1));
	while (db_row(q)) {
		struct feed_change *change;
		if ((int64_t)out->count == limit) {
			out->more = true;
			break;
		}
		change = &out->changes[out->count++];
		change->uuid = db_text(q, 0);
		change->title = db_text(q, 1);
		change->changed_at = db_int(q, 2);
		token_manifest(settings, change->uuid, change->changed_at, change->revision);
	}
	db_reset(q);
}

/* ---- what people list */

#define ROW_SHOWN ROW_WHOLE ", a.tags, a.author_name, a.image"
#define ALL                                                                                        \
	"SELECT " ROW_SHOWN " FROM article a"                                                      \
	" WHERE a.workspace_id = :workspace AND a.status = :status"
#define DOWN(time) " ORDER BY a." time " DESC, a.uuid DESC LIMIT :limit"
#define UP(time) " ORDER BY a." time ", a.uuid LIMIT :limit"
#define OLDER(time) " AND (a." time ", a.uuid) < (:at, :uuid)" DOWN(time)
#define NEWER(time) " AND (a." time ", a.uuid) > (:at, :uuid)" UP(time)

static struct stmt *
prepare_created(struct ctx *c, const struct browse *b, const struct db_value *values)
{
	if (b->uuid == NULL)
		return b->up ? db_prepare_with(c, ALL UP("created_at"), values)
			     : db_prepare_with(c, ALL DOWN("created_at"), values);
	return b->up ? db_prepare_with(c, ALL NEWER("created_at"), values)
		     : db_prepare_with(c, ALL OLDER("created_at"), values);
}

static struct stmt *
prepare_changed(struct ctx *c, const struct browse *b, const struct db_value *values)
{
	if (b->uuid == NULL)
		return b->up ? db_prepare_with(c, ALL UP("updated_at") " /*sort*/", values)
			     : db_prepare_with(c, ALL DOWN("updated_at") " /*sort*/", values);
	return b->up ? db_prepare_with(c, ALL NEWER("updated_at") " /*sort*/", values)
		     : db_prepare_with(c, ALL OLDER("updated_at") " /*sort*/", values);
}

static void
run(struct stmt *q, browse_each *each, void *arg)
{
	struct article a;

	while (db_row(q)) {
		struct browse_shown shown;
		row_whole(q, &a);
		shown = (struct browse_shown) { .tags = db_text(q, ROW_WHOLE_COUNT),
			.author = db_text(q, ROW_WHOLE_COUNT + 1),
			.cover = db_text(q, ROW_WHOLE_COUNT + 2) };
		if (!each(arg, &a, &shown)) {
			db_reset(q);
			return;
		}
	}
}

void
browse_articles(struct ctx *c, const struct browse *b, browse_each *each, void *arg)
{
	struct db_value values[6] = { db_i(":workspace", b->workspace_id),
		db_t(":status", article_status_name(b->status)), db_i(":limit", b->limit) };

	if (b->uuid != NULL) {
		values[3] = db_i(":at", b->at);
		values[4] = db_t(":uuid", b->uuid);
	}
	run(b->by_change ? prepare_changed(c, b, values) : prepare_created(c, b, values), each,
	    arg);
}

void
browse_contents(struct ctx *c, const struct browse *b,
    void (*each)(void *arg, const struct article *a, const char *content, size_t len), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " ROW_WHOLE ", a.content FROM article a"
	    " WHERE a.workspace_id = :workspace AND a.status = :status" DOWN(
		"created_at") " /*many*/",
	    db_i(":workspace", b->workspace_id), db_t(":status", article_status_name(b->status)),
	    db_i(":limit", b->limit));
	struct article a;

	while (db_row(q)) {
		const char *content;
		size_t len;
		row_whole(q, &a);
		content = db_bytes(q, ROW_WHOLE_COUNT, &len);
		each(arg, &a, content, len);
	}
}

void
browse_working_copies(struct ctx *c, const struct browse *b, struct arena *scratch,
    void (*each)(void *arg, const struct article *a, const struct snapshot *copy), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " ROW_WHOLE
	    ", " ROW_SNAPSHOT_OF("a.") " FROM article a WHERE a.workspace_id = :workspace AND a.status = :status" DOWN(
		"created_at") " /*many*/",
	    db_i(":workspace", b->workspace_id), db_t(":status", article_status_name(b->status)),
	    db_i(":limit", b->limit));
	struct arena *kept = c->arena;
	struct snapshot copy;
	struct article a;

	while (db_row(q)) {
		row_whole(q, &a);
		c->arena = scratch;
		row_snapshot_at(c, q, ROW_WHOLE_COUNT, &copy);
		c->arena = kept;
		each(arg, &a, &copy);
		arena_reset(scratch);
	}
}

void
browse_desk(struct ctx *c, const struct browse *b, browse_each *each, void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " ROW_SHOWN " FROM desk d JOIN article a ON a.id = d.article_id"
	    " AND a.workspace_id = d.workspace_id WHERE d.workspace_id = :workspace"
	    " AND (d.publish_at IS NOT NULL OR d.handed_in_version = a.version)"
	    " AND a.status <> 'deleted' LIMIT :limit",
	    db_i(":workspace", b->workspace_id), db_i(":limit", b->limit));

	run(q, each, arg);
}

/* Counts rows: SQLite takes longer for count(*) over a LIMIT. */
static int64_t
count_status(struct ctx *c, int64_t workspace_id, const char *status, int64_t max)
{
	struct stmt *q = db_prepare(c,
	    "SELECT 1 FROM article WHERE workspace_id = :workspace AND status = :status"
	    " LIMIT :max",
	    db_i(":workspace", workspace_id), db_t(":status", status), db_i(":max", max));
	int64_t count = 0;

	while (db_row(q))
		count++;
	return count;
}

#define DESK                                                                                       \
	"SELECT 1 FROM desk d JOIN article a ON a.id = d.article_id AND a.status <> 'deleted'"     \
	" WHERE d.workspace_id = :workspace AND "
#define DESK_VALUES db_i(":workspace", workspace_id), db_i(":max", BROWSE_COUNTED + 1)

static void
count_desk(struct ctx *c, int64_t workspace_id, struct browse_counts *out)
{
	struct stmt *q = db_prepare(c,
	    DESK "d.handed_in_at > 0 AND d.handed_in_version = a.version LIMIT :max", DESK_VALUES);

	while (db_row(q))
		out->in_review++;
	q = db_prepare(c, DESK "d.publish_at IS NOT NULL LIMIT :max", DESK_VALUES);
	while (db_row(q))
		out->scheduled++;
}

void
browse_counts(struct ctx *c, int64_t workspace_id, struct browse_counts *out)
{
	*out = (struct browse_counts) {
		.drafts = count_status(c, workspace_id, "draft", BROWSE_COUNTED + 1),
		.published = count_status(c, workspace_id, "published", BROWSE_COUNTED + 1),
	};
	out->trash =
	    out->drafts + out->published == 0 && count_status(c, workspace_id, "deleted", 1) > 0;
	/* In most workspaces nobody agreed anything. */
	out->desk = db_exists(c, "SELECT 1 FROM desk WHERE workspace_id = :workspace LIMIT 1",
	    db_i(":workspace", workspace_id));
	if (out->desk)
		count_desk(c, workspace_id, out);
}

/* ---- words that articles have */

#define WORDS_FROM 50 /* articles of each status */

struct gathering {
	struct ctx *c;
	struct browse_words *out;
	const char *languages[BROWSE_LANGUAGES_MAX], *tags[BROWSE_TAGS_MAX]; /* folded */
};

/* Adds a word to two lists, as it is and folded, unless it is there or all places are taken. */
static void
gather(struct ctx *c, const char **list, const char **folded, size_t *count, size_t max,
    const char *word)
{
	const char *key = *count < max ? lang_fold(c->arena, word) : NULL;
	size_t i = 0;

	while (key != NULL && i < *count && strcmp(folded[i], key) != 0)
		i++;
	if (key == NULL || i < *count)
		return;
	list[*count] = arena_text(c->arena, word);
	folded[(*count)++] = key;
}

static json_t *
parse_tags(struct ctx *c, const char *tags)
{
	json_t *list;

	if (jread_parse(c, "tags", tags, strlen(tags), &list) != NULL)
		die("stored tags are not JSON: %s", tags);
	return list;
}

static bool
gather_words(void *arg, const struct article *a, const struct browse_shown *shown)
{
	struct gathering *g = arg;
	json_t *list = parse_tags(g->c, shown->tags), *tag;
	size_t i;

	gather(g->c, g->out->languages, g->languages, &g->out->language_count, BROWSE_LANGUAGES_MAX,
	    a->language);
	json_array_foreach(list, i, tag)
		gather(g->c, g->out->tags, g->tags, &g->out->tag_count, BROWSE_TAGS_MAX,
		    json_string_value(tag));
	return g->out->tag_count < BROWSE_TAGS_MAX;
}

void
browse_words(struct ctx *c, int64_t workspace_id, struct browse_words *out)
{
	static const enum article_status statuses[] = { ARTICLE_DRAFT, ARTICLE_PUBLISHED };
	struct gathering g = { .c = c, .out = out };

	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		browse_articles(c,
		    &(struct browse) {
			.workspace_id = workspace_id, .status = statuses[i], .limit = WORDS_FROM },
		    gather_words, &g);
}

const char **
browse_tags(struct ctx *c, const char *tags)
{
	json_t *list = strcmp(tags, "[]") != 0 ? parse_tags(c, tags) : NULL, *tag;
	const char **out = arena_array(c->arena, json_array_size(list) + 1, sizeof(*out));
	size_t i;

	json_array_foreach(list, i, tag)
		out[i] = json_string_value(tag);
	return out;
}

bool
browse_has_tag(struct ctx *c, const char *tags, const char *folded)
{
	json_t *list = parse_tags(c, tags), *tag;
	bool found = false;
	size_t i;

	json_array_foreach(list, i, tag)
		found = found || strcmp(lang_fold(c->arena, json_string_value(tag)), folded) == 0;
	return found;
}
